import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import type { Plan } from "./plan";
import { VARIANT_PRICES, type VariantPrice } from "./price-column";
import {
  type ChosenEncoding,
  ENCODING_NAMES,
  ENCODINGS,
  type ReadingChoices,
  type SheetReading,
} from "./sheet";
import type { ImportState } from "./useImport";

/** Name of the form's field by which staff say that no column is the price. */
const NO_COLUMN = "-";

/** Returns how a file was read, as choices that read it the same way again. */
export function readingOf({ sheet, headerRow, encoding }: SheetReading): ReadingChoices {
  const chosen = ENCODINGS.find((each) => each === encoding) ?? null;
  return { sheet, header: headerRow, encoding: chosen };
}

/** Fields of a file's reading: its sheet, the row of its headers and its encoding, with what they lead to. */
export function ReadingFields({ upload, plan }: { upload: ImportState; plan: Plan }) {
  const { reading } = plan;
  const change = (changes: Partial<ReadingChoices>) =>
    upload.choose({ columns: null, reading: { ...readingOf(reading), ...changes } });
  return (
    <div className="import-reading">
      {reading.sheets.length > 1 && (
        <label>
          Sheet
          <select
            className="select"
            name="sheet"
            key={reading.sheet}
            defaultValue={reading.sheet}
            onChange={({ target }) => change({ sheet: Number(target.value), header: null })}
          >
            {reading.sheets.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sheets are identified by index
              <option key={index} value={index}>
                {`${name} (${index + 1} of ${reading.sheets.length})`}
              </option>
            ))}
          </select>
        </label>
      )}
      <HeaderRow key={reading.headerRow} row={reading.headerRow} onChange={(header) => change({ header })} />
      {reading.encoding && <EncodingField reading={reading} onChange={(encoding) => change({ encoding })} />}
      <p className="soft">{describeReading(reading)}</p>
    </div>
  );
}

function HeaderRow({ row, onChange }: { row: number; onChange: (row: number) => void }) {
  const apply = (text: string) => {
    const chosen = Number(text);
    if (Number.isInteger(chosen) && chosen > 0 && chosen !== row) onChange(chosen);
  };
  return (
    <label>
      Headers in row
      <input
        className="input"
        name="header"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={row}
        onBlur={({ target }) => apply(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          apply(event.currentTarget.value);
        }}
      />
    </label>
  );
}

interface EncodingFieldProps {
  reading: SheetReading;
  onChange: (encoding: ChosenEncoding | null) => void;
}

function EncodingField({ reading: { encoding, isGuessed }, onChange }: EncodingFieldProps) {
  const isListed = ENCODINGS.some((each) => each === encoding);
  return (
    <label>
      Text
      <select
        className="select"
        name="encoding"
        key={encoding}
        defaultValue={isListed ? (encoding ?? "") : ""}
        onChange={({ target }) => onChange((target.value || null) as ChosenEncoding | null)}
      >
        {encoding && !isListed && <option value="">{ENCODING_NAMES[encoding]}</option>}
        {ENCODINGS.map((each) => (
          <option key={each} value={each}>
            {ENCODING_NAMES[each] + (isGuessed && each === encoding ? ", guessed" : "")}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Describes in sentences how the file was read. */
function describeReading({ headerRow, above, samples, rivals, headerNotes }: SheetReading): string {
  const quoted = (texts: string[]) => texts.map((text) => `“${text}”`).join(", ");
  const sentences: string[] = [];
  if (above.length > 0) sentences.push(`Above the headers in row ${headerRow}: ${quoted(above)}.`);
  if (samples.length > 0) {
    const others = rivals.map((each) => `${quoted(each.samples)} in ${ENCODING_NAMES[each.encoding]}`);
    const or = others.length > 0 ? `, or ${others.join(", or ")}` : "";
    sentences.push(`The text reads ${quoted(samples)}${or}. If that is wrong, choose another one.`);
  }
  sentences.push(...headerNotes.map((note) => `Row ${headerRow}, the headers: ${note}.`));
  return sentences.join(" ");
}

/** Question for the price column, with values of some rows; nothing is planned before it is answered. */
export function PriceQuestion({ upload, plan }: { upload: ImportState; plan: Plan }) {
  const { prices, mapping } = plan;
  if (!prices) return null;
  const answer = (column: number | null) =>
    upload.choose({ columns: mapping.map((field, at) => (at === column ? "price" : field)) });
  return (
    <fieldset className="import-question" tabIndex={-1}>
      <legend>Which column is your price?</legend>
      <p className="soft">
        None is certainly the price, so none is taken by itself. The answer is remembered.
      </p>
      <div className="import-samples">
        <table className="small-table">
          <thead>
            <tr>
              <th scope="col">Column</th>
              {prices.products.map(({ row, name }) => (
                <th key={row} scope="col" className="num">
                  {name || "No name"}, row {row}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prices.columns.map((each) => (
              <PriceRow key={each.column} column={each} onChoose={() => answer(each.column)} />
            ))}
            <NoPriceRow span={1 + prices.products.length} onChoose={() => answer(null)} />
          </tbody>
        </table>
      </div>
      <UpdateButton />
    </fieldset>
  );
}

function NoPriceRow({ span, onChoose }: { span: number; onChoose: () => void }) {
  return (
    <tr>
      <th scope="row" colSpan={span}>
        <label>
          <input type="radio" name="column-price" value={NO_COLUMN} onChange={onChoose} />
          None of them <small>prices stay as they are, and new products are rejected</small>
        </label>
      </th>
    </tr>
  );
}

interface PriceRowProps {
  column: NonNullable<Plan["prices"]>["columns"][number];
  onChoose: () => void;
}

function PriceRow({ column: { header, kind, reason, samples }, onChoose }: PriceRowProps) {
  const isCost = kind === "cost";
  return (
    <tr className={isCost ? "never" : undefined}>
      <th scope="row">
        <label>
          <input type="radio" name="column-price" value={header} disabled={isCost} onChange={onChoose} />
          {header}
          {reason && <small>{isCost ? `${reason}, never a price` : reason}</small>}
        </label>
      </th>
      {samples.map((sample, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by their column
        <td key={at} className="num">
          {sample || <span className="soft">empty</span>}
        </td>
      ))}
    </tr>
  );
}

const VARIANT_LABELS: Record<VariantPrice, string> = {
  lowest: "The lowest",
  highest: "The highest",
  first: "The first in the file",
};

/** Question for the price of products whose variants have several; they are rejected until it is answered. */
function VariantPriceQuestion({ upload, plan }: { upload: ImportState; plan: Plan }) {
  const { variants, choices } = plan;
  if (!variants) return null;
  const { products, name, prices } = variants;
  return (
    <fieldset className="import-question" tabIndex={-1}>
      <legend>Which price of their variants do products get?</legend>
      <p className="soft">
        {`The variants of ${counted(products, "product")} have prices of their own, such as “${name}”: ${prices.join(", ")}. Their stock is added up.`}
      </p>
      <div className="import-choices">
        {VARIANT_PRICES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="variantPrice"
              value={each}
              defaultChecked={choices?.variantPrice === each}
              onChange={() => upload.choose({ variantPrice: each })}
            />
            {VARIANT_LABELS[each]}
          </label>
        ))}
      </div>
      <UpdateButton />
    </fieldset>
  );
}

/** Question for the stock of what the other system does not count; without an answer it stays. */
function UntrackedQuestion({ upload, plan }: { upload: ImportState; plan: Plan }) {
  const { untracked, choices } = plan;
  if (!untracked) return null;
  const { products, name } = untracked;
  const apply = (text: string) => {
    const chosen = text.trim() === "" ? null : Number(text);
    if (chosen !== (choices?.untracked ?? null) && (chosen === null || Number.isInteger(chosen)))
      upload.choose({ untracked: chosen });
  };
  return (
    <fieldset className="import-question" tabIndex={-1}>
      <legend>{`${counted(products, "product")} ${products === 1 ? "has" : "have"} no count`}</legend>
      <p className="soft">
        {`The other shop does not count them, such as “${name}”. Left empty, their stock stays as it is, and new ones begin at 0.`}
      </p>
      <div className="import-choices">
        <label>
          Give each of them
          <input
            className="input"
            name="untracked"
            inputMode="numeric"
            autoComplete="off"
            key={choices?.untracked}
            defaultValue={choices?.untracked ?? ""}
            onBlur={({ target }) => apply(target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              apply(event.currentTarget.value);
            }}
          />
          pieces, also those that are here
        </label>
      </div>
      <UpdateButton />
    </fieldset>
  );
}

/** Questions for the price and the stock of products with variants. */
export function VariantQuestions(props: { upload: ImportState; plan: Plan }) {
  return (
    <>
      <VariantPriceQuestion {...props} />
      <UntrackedQuestion {...props} />
    </>
  );
}

function UpdateButton() {
  return (
    <p className="without-script">
      <button type="submit" className="btn" name="intent" value="planUpload">
        <Icon name="check" className="i s" />
        Update the dry run
      </button>
    </p>
  );
}
