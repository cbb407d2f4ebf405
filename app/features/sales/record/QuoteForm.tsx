import { consoleUrl } from "~/features/chat/console/params";
import { Field, TextArea } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { quoteUrl } from "../cards/urls";
import { sumCents } from "./draft";
import { EditButton } from "./EditButton";
import { LinesForm } from "./form-parts";
import { fieldProblem } from "./problems";
import type { QuotePageData } from "./quote-page.server";
import { SaleLines } from "./SaleLines";
import { useLinesForm } from "./useLinesForm";

/** Form of a quote: free lines, files of the chat and how long it is valid. */
export function QuoteForm({ data }: { data: QuotePageData }) {
  const quote = useLinesForm(data);
  const { answer, value, draft, id } = quote;
  const { chat } = data;
  return (
    <LinesForm
      title="Quote"
      note={`For ${chat.name}`}
      action={quoteUrl({ chatId: chat.id })}
      back={consoleUrl({ chat: chat.id })}
      answer={answer}
      fields={{ id, chatId: chat.id }}
      intent="quote"
      submit="Send quote"
      busy="Sending..."
      amount={<span className="sale-amount">{dollars(sumCents(draft.lines))}</span>}
    >
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
    </LinesForm>
  );
}

interface QuoteFieldsProps {
  data: QuotePageData;
  quote: ReturnType<typeof useLinesForm>;
}

function QuoteFields({ data, quote: { answer, typed, value } }: QuoteFieldsProps) {
  const day = (name: "readyBy" | "validUntil", initial: string) => ({
    name,
    type: "date",
    min: data.today,
    defaultValue: value(name, initial),
    error: fieldProblem(answer, name),
  });
  return (
    <div className="sale-end">
      <div className="sale-fields">
        <Field id="quote-ready" label="Ready by" {...day("readyBy", "")} />
        <Field id="quote-valid" label="Valid until" {...day("validUntil", data.validUntil)} />
        {data.files.length > 0 && <ChatFiles files={data.files} chosen={[typed.files ?? []].flat()} />}
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

function ChatFiles({ files, chosen }: Pick<QuotePageData, "files"> & { chosen: unknown[] }) {
  return (
    <fieldset className="field sale-payment">
      <legend>Files from the chat</legend>
      {files.map(({ key, name, thumbnail }) => (
        <label key={key} className="check">
          <input type="checkbox" name="files" value={key} defaultChecked={chosen.includes(key)} />
          {thumbnail && <img className="sale-file" src={thumbnail} alt="" width={40} height={40} />}
          <span className="truncate">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
