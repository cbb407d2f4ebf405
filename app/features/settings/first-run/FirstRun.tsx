import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { FirstRun as Steps } from "./page.server";

/** Steps of a new shop, each with the page where it is done. */
export function FirstRun({ steps }: { steps: Steps }) {
  if (!steps) return null;
  const left = steps.filter(({ isDone }) => !isDone);
  return (
    <section className="panel waiting first-run" aria-labelledby="first-run">
      <header>
        <h2 id="first-run">Open your shop</h2>
        <p>{`${steps.length - left.length} of ${steps.length} done, in any order`}</p>
        <Form method="post" action="/admin/today" className="sum">
          <SubmitButton intent="closeFirstRun" busy="Closing..." className="btn small">
            Close this list
          </SubmitButton>
        </Form>
      </header>
      <ol>
        {steps.map(({ title, text, act, to, isDone }, i) => (
          <li key={title}>
            <div className="grow">
              <p>
                {`${i + 1}. ${title}`}
                {isDone && (
                  <>
                    <span className="visually-hidden">, done</span>
                    <Icon name="check" className="i s" />
                  </>
                )}
              </p>
              <small>{text}</small>
            </div>
            <span className="waiting-acts">
              <Link className={to === left[0]?.to ? "btn small primary" : "btn small"} to={to}>
                {act}
              </Link>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
