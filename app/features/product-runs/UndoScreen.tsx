import { useActionData } from "@remix-run/react";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ChangesPanel } from "./ChangesPanel";
import type { UndoPage } from "./page.server";
import { runPath } from "./runs";

/** Dry run of an undo: what goes back, and what stays, with the button that does it. */
export function UndoScreen({ page }: { page: UndoPage }) {
  const refused = useActionData<RefusedForm>();
  const { run, title, refusal, total } = page;
  return (
    <>
      <StatusRegion message={refused?.failure ?? null} answer={refused} />
      <section className="panel run-panel" aria-labelledby="undo-title">
        <div className="file">
          <span className="file-icon go">
            <Icon name="undo-2" />
          </span>
          <div className="grow">
            <b id="undo-title">Dry run: take “{title}” back</b>
            <div className="soft">
              {refusal ??
                `${counted(total, "product")}. Nothing is changed yet. This is a run of its own and can be undone too.`}
            </div>
          </div>
          <Link className="btn" to={runPath(run.id)}>
            Leave it as it is
          </Link>
          {!refusal && (
            <Form method="post">
              <SubmitButton intent="undo" busy="Taking back…" className="btn primary">
                {total > 0 ? `Take ${counted(total, "product")} back` : "Take it back"}
              </SubmitButton>
            </Form>
          )}
        </div>
      </section>
      {!refusal && <ChangesPanel label="What would happen" list={page} kind="undo" nothing="nothing" />}
    </>
  );
}
