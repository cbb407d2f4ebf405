import { Link } from "@remix-run/react";
import { consoleUrl } from "~/features/chat/console/params";
import { Field } from "~/ui/Field";
import { holdUrl, recordUrl } from "../cards/urls";
import { AddLine } from "./AddLine";
import { LinesForm } from "./form-parts";
import type { HoldPageData } from "./hold-page.server";
import { fieldProblem } from "./problems";
import { SaleLines } from "./SaleLines";
import { useLinesForm, withProducts } from "./useLinesForm";

/** Form that sets products aside for a conversation, or moves the end of a hold. */
export function HoldForm({ data }: { data: HoldPageData }) {
  const { answer, value, draft, id, search } = useLinesForm(data);
  const { chat, hold } = data;
  return (
    <LinesForm
      title={hold ? "Extend the hold" : "Set aside"}
      note={chat ? `For ${chat.name}` : "At the counter"}
      action={withProducts(holdUrl({ chatId: chat?.id, holdId: hold?.id }), draft.lines)}
      back={consoleUrl({ chat: chat?.id ?? null })}
      answer={answer}
      fields={{ id, chatId: chat?.id, holdId: hold?.id }}
      isNarrow
      intent={hold ? "extend" : "hold"}
      submit={hold ? "Save" : "Set aside"}
      busy="Saving..."
    >
      {hold ? <HeldLines hold={hold} /> : <SaleLines of="hold" {...draft} />}
      {!hold && <AddLine {...search} {...draft} isProductOnly />}
      <div className="sale-end">
        <Field
          id="hold-until"
          label="Until"
          name="until"
          type="datetime-local"
          min={data.earliest}
          defaultValue={value("until", data.until)}
          error={fieldProblem(answer, "until")}
          hint="Shoppers don’t see these pieces until then."
        />
      </div>
    </LinesForm>
  );
}

function HeldLines({ hold: { id, lines, state } }: { hold: NonNullable<HoldPageData["hold"]> }) {
  return (
    <ul className="sale-held">
      {lines.map(({ productId, name, quantity }) => (
        <li key={productId}>{`${quantity} × ${name}`}</li>
      ))}
      {state === "active" && (
        <li>
          <Link className="btn" to={recordUrl({ holdId: id })}>
            Sell instead
          </Link>
        </li>
      )}
    </ul>
  );
}
