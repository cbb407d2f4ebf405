import { consoleUrl } from "~/features/chat/console-params";
import { Field, TextArea } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { MAX_NOTE, MAX_TITLE } from "../document";
import { holdUrl, quoteUrl, recordUrl } from "../urls";
import { AddLine } from "./AddLine";
import { type DraftLine, sumLabel, titleOf } from "./draft";
import type { HoldPageData, QuotePageData } from "./hold-and-quote-pages.server";
import { EditButton, LinesForm } from "./LinesForm";
import { SaleLines } from "./SaleLines";
import { fieldProblem, useLinesForm, withProducts } from "./useLinesForm";

/** Form that puts products on hold, for a chat or at the counter, or extends a hold. */
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
      isLookingUp={search.lookUps.pending.length > 0}
      intent={hold ? "extend" : "hold"}
      submit={hold ? "Save" : "Set aside"}
      busy="Saving..."
    >
      {hold ? (
        <HeldLines hold={hold} />
      ) : (
        <SaleLines of="hold" {...draft} problem={fieldProblem(answer, "lines")} />
      )}
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
      {lines.map(({ unitId, name, quantity }) => (
        <li key={unitId}>{`${quantity} × ${name}`}</li>
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

/** Form of a quote: custom lines, files of the chat and dates. */
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
      amount={<span className="sale-amount">{sumLabel(draft.lines)}</span>}
    >
      <div className="sale-title-field">
        <Field
          id="quote-title"
          label="Title"
          name="title"
          maxLength={MAX_TITLE}
          autoComplete="off"
          placeholder="Slate coasters, four flowers"
          defaultValue={value("title", "")}
          error={fieldProblem(answer, "title")}
          hint={defaultTitleHint(draft.lines)}
        />
      </div>
      <SaleLines of="quote" {...draft} problem={fieldProblem(answer, "lines")} />
      <div className="sale-add">
        <EditButton edit={{ type: "custom" }} onEdit={draft.edit} className="btn">
          <Icon name="plus" className="i s" /> Add a line
        </EditButton>
      </div>
      <QuoteFields data={data} quote={quote} />
    </LinesForm>
  );
}

/** Returns a hint with the default title; empty for lines without a description. */
function defaultTitleHint(lines: DraftLine[]): string {
  const title = titleOf(lines);
  return title && `If you leave it empty: ${title}`;
}

interface QuoteFieldsProps {
  data: QuotePageData;
  quote: ReturnType<typeof useLinesForm>;
}

function QuoteFields({ data, quote: { answer, submitted, value } }: QuoteFieldsProps) {
  const dateField = (name: "readyBy" | "validUntil", initial: string) => ({
    name,
    type: "date",
    min: data.today,
    defaultValue: value(name, initial),
    error: fieldProblem(answer, name),
  });
  // A single ticked box is submitted as a text.
  const files = [submitted.files ?? []].flat();
  return (
    <div className="sale-end">
      <div className="sale-fields">
        <Field id="quote-ready" label="Ready by" {...dateField("readyBy", "")} />
        <Field id="quote-valid" label="Valid until" {...dateField("validUntil", data.validUntil)} />
        {data.files.length > 0 && <ChatFiles files={data.files} selectedKeys={files} />}
      </div>
      <TextArea
        id="quote-note"
        label="Note"
        name="note"
        rows={4}
        maxLength={MAX_NOTE}
        defaultValue={value("note", "")}
        error={fieldProblem(answer, "note")}
      />
    </div>
  );
}

function ChatFiles({ files, selectedKeys }: Pick<QuotePageData, "files"> & { selectedKeys: unknown[] }) {
  return (
    <fieldset className="field sale-wide">
      <legend>Files from the chat</legend>
      {files.map(({ key, name, thumbnail }) => (
        <label key={key} className="check">
          <input type="checkbox" name="files" value={key} defaultChecked={selectedKeys.includes(key)} />
          {thumbnail && <img className="sale-file" src={thumbnail} alt="" width={40} height={40} />}
          <span className="truncate">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
