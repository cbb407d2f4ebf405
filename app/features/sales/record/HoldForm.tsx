import { Form, Link } from "@remix-run/react";
import { consoleUrl } from "~/features/chat/console/params";
import { Field } from "~/ui/Field";
import { holdUrl, recordUrl } from "../cards/urls";
import { AddLine } from "./AddLine";
import { FormFoot, FormHead, formHandlers, HiddenFields, useFocusOnProblem } from "./form-parts";
import type { HoldPageData } from "./hold-page.server";
import { fieldProblem } from "./problems";
import { SaleLines } from "./SaleLines";
import { useLinesForm, withProducts } from "./useLinesForm";

/** Form that sets products aside for a conversation, or moves the end of a hold. */
export function HoldForm({ data }: { data: HoldPageData }) {
  const { answer, value, draft, id, search } = useLinesForm(data);
  const form = useFocusOnProblem(answer);
  const { chat, hold, earliest } = data;
  const back = consoleUrl({ chat: chat?.id ?? null });
  const action = withProducts(holdUrl({ chatId: chat?.id, holdId: hold?.id }), draft.lines);
  return (
    <Form
      ref={form}
      method="post"
      action={action}
      className="panel sale-form narrow"
      aria-labelledby="sale-title"
      noValidate
      replace
      preventScrollReset
      {...formHandlers}
    >
      <HiddenFields fields={{ id, chatId: chat?.id, holdId: hold?.id }} />
      <FormHead title={hold ? "Extend the hold" : "Set aside"} back={back}>
        {chat ? `For ${chat.name}` : "At the counter"}
      </FormHead>
      {hold ? <HeldLines hold={hold} /> : <SaleLines of="hold" {...draft} />}
      {!hold && <AddLine {...search} {...draft} isProductOnly />}
      <div className="sale-end">
        <Field
          id="hold-until"
          label="Until"
          name="until"
          type="datetime-local"
          min={earliest}
          defaultValue={value("until", data.until)}
          error={fieldProblem(answer, "until")}
          hint="Shoppers don’t see these pieces until then."
        />
      </div>
      <FormFoot
        failure={answer?.failure}
        intent={hold ? "extend" : "hold"}
        submit={hold ? "Save" : "Set aside"}
        busy="Saving..."
        back={back}
      />
    </Form>
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
