import { Form } from "@remix-run/react";
import { consoleUrl } from "~/features/chat/console/params";
import { Field, TextArea } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { quoteUrl } from "../cards/urls";
import { sumCents } from "./draft";
import { FormFoot, FormHead, formHandlers, HiddenFields, useFocusOnProblem } from "./form-parts";
import { fieldProblem } from "./problems";
import type { QuotePageData } from "./quote-page.server";
import { EditButton, SaleLines } from "./SaleLines";
import { useLinesForm } from "./useLinesForm";

/** Form of a quote: free lines, files of the chat and how long it is valid. */
export function QuoteForm({ data }: { data: QuotePageData }) {
  const quote = useLinesForm(data);
  const { answer, value, draft, id } = quote;
  const form = useFocusOnProblem(answer);
  const { chat } = data;
  const back = consoleUrl({ chat: chat.id });
  return (
    <Form
      ref={form}
      method="post"
      action={quoteUrl({ chatId: chat.id })}
      className="panel sale-form"
      aria-labelledby="sale-title"
      noValidate
      replace
      preventScrollReset
      {...formHandlers}
    >
      <HiddenFields fields={{ id, chatId: chat.id }} />
      <FormHead title="Quote" back={back}>{`For ${chat.name}`}</FormHead>
      <div className="sale-title-field">
        <Field
          id="quote-title"
          label="Title"
          name="title"
          maxLength={200}
          autoComplete="off"
          placeholder="Slate coasters, four flowers"
          defaultValue={value("title", "")}
          error={fieldProblem(answer, "title")}
        />
      </div>
      <SaleLines of="quote" {...draft} />
      <div className="sale-add">
        <EditButton edit={{ type: "own" }} onEdit={draft.edit} className="btn">
          <Icon name="plus" className="i s" /> Add a line
        </EditButton>
      </div>
      <QuoteFields data={data} quote={quote} />
      <FormFoot failure={answer?.failure} intent="quote" submit="Send quote" busy="Sending..." back={back}>
        <span className="sale-amount">{dollars(sumCents(draft.lines))}</span>
      </FormFoot>
    </Form>
  );
}

interface QuoteFieldsProps {
  data: QuotePageData;
  quote: ReturnType<typeof useLinesForm>;
}

function QuoteFields({ data, quote: { answer, typed, value } }: QuoteFieldsProps) {
  const { files, today } = data;
  const chosen = [typed.files ?? []].flat();
  return (
    <div className="sale-end">
      <div className="sale-fields">
        <Field
          id="quote-ready"
          label="Ready by"
          name="readyBy"
          type="date"
          min={today}
          defaultValue={value("readyBy", "")}
          error={fieldProblem(answer, "readyBy")}
        />
        <Field
          id="quote-valid"
          label="Valid until"
          name="validUntil"
          type="date"
          min={today}
          defaultValue={value("validUntil", data.validUntil)}
          error={fieldProblem(answer, "validUntil")}
        />
        {files.length > 0 && (
          <fieldset className="field sale-payment">
            <legend>Files from the chat</legend>
            {files.map(({ key, name }) => (
              <label key={key} className="check">
                <input type="checkbox" name="files" value={key} defaultChecked={chosen.includes(key)} />
                <span className="truncate">{name}</span>
              </label>
            ))}
          </fieldset>
        )}
      </div>
      <TextArea
        id="quote-note"
        label="Note"
        name="note"
        rows={4}
        maxLength={1000}
        defaultValue={value("note", "")}
        error={fieldProblem(answer, "note")}
      />
    </div>
  );
}
