import { useSubmit } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { dollars } from "~/domain/money";
import { LABELS_PATH } from "~/features/codes/paths";
import { ScanButton } from "~/features/codes/ScanButton";
import { counted } from "~/ui/format";
import { useSearchDelay } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import type { LabelsPage, LabelUnit } from "./page.server";
import { MAX_LABELS, SHEET_LABELS } from "./params";

/** Labels of units: which and how many, and the sheets as they print. */
export function LabelsScreen({ page }: { page: LabelsPage }) {
  const { units, paper } = page;
  const labels = units.flatMap((unit) => Array.from({ length: unit.copies }, () => unit));
  const on = useInstantForm();
  return (
    <Form method="get" action={LABELS_PATH} className="labels" preventScrollReset {...on}>
      {/* Enter in a field presses the first button. */}
      <button type="submit" className="visually-hidden" tabIndex={-1}>
        Update
      </button>
      <section className="panel" aria-labelledby="labels-title">
        <header>
          <h2 id="labels-title">Which and how many</h2>
          {units.length > 0 && (
            <span className="sum">
              <button type="submit" className="btn small" name="fill" value="stock">
                As many as in stock
              </button>
            </span>
          )}
        </header>
        <UnitTable units={units} total={labels.length} />
        {page.isCut && (
          <p className="error label-cut">{`At most ${MAX_LABELS} labels at once; the others are left out.`}</p>
        )}
        <AddUnit page={page} />
        <PaperFields page={page} />
      </section>
      <Preview paper={paper} from={page.from} count={labels.length}>
        {labels.length > 0 &&
          (paper === "a4" ? (
            <A4Sheets labels={labels} from={page.from} hasPrice={page.hasPrice} />
          ) : (
            <RollLabels labels={labels} hasPrice={page.hasPrice} />
          ))}
      </Preview>
    </Form>
  );
}

/** Applies what is typed or chosen once the typing pauses; without JavaScript the button does. */
function useInstantForm() {
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const send = () => form.current && submit(form.current, { replace: true, preventScrollReset: true });
  const { soon } = useSearchDelay(send);
  return {
    ref: form,
    onChange: ({ target }: FormEvent) => {
      // A text to add by is sent by Enter, as a scanner does.
      if ((target as HTMLInputElement).name !== "q") soon();
    },
  };
}

function UnitTable({ units, total }: { units: LabelUnit[]; total: number }) {
  if (units.length === 0)
    return <p className="labels-empty soft">No labels yet. Add products by name, SKU or barcode.</p>;
  const groups = [...Map.groupBy(units, ({ name }) => name)];
  const stock = units.reduce((sum, unit) => sum + unit.stock, 0);
  return (
    <table className="label-units">
      <UnitHead />
      <tbody>
        {groups.map(([name, own]) => (
          <UnitGroup key={name} name={name} units={own} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {counted(total, "label")}
          </th>
          <td className="num">{stock.toLocaleString("en")}</td>
          <td className="num">{total.toLocaleString("en")}</td>
        </tr>
      </tfoot>
    </table>
  );
}

const UnitHead = () => (
  <thead>
    <tr>
      <th scope="col">Unit</th>
      <th scope="col">Barcode</th>
      <th scope="col" className="num">
        Stock
      </th>
      <th scope="col" className="num">
        Copies
      </th>
    </tr>
  </thead>
);

/** Units of a product, with its name above those that have choices. */
const UnitGroup = ({ name, units }: { name: string; units: LabelUnit[] }) => (
  <>
    {units.some(({ choice }) => choice !== "") && (
      <tr className="group">
        <th scope="rowgroup" colSpan={4}>
          {name}
        </th>
      </tr>
    )}
    {units.map((unit) => (
      <UnitRow key={unit.unitId} unit={unit} />
    ))}
  </>
);

function UnitRow({ unit }: { unit: LabelUnit }) {
  const { unitId, name, choice, code, stock } = unit;
  return (
    <tr>
      <td className={choice ? "choice" : undefined}>{choice || name}</td>
      <td className="soft">{code.label}</td>
      <td className="num soft">{stock.toLocaleString("en")}</td>
      <td className="num">
        <input type="hidden" name="unit" value={unitId} />
        <Copies unit={unit} />
      </td>
    </tr>
  );
}

/** Field of a unit's copies. */
function Copies({ unit: { unitId, name, choice, copies, refused } }: { unit: LabelUnit }) {
  const field = useRef<HTMLInputElement>(null);
  const value = refused ?? String(copies);
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    // What is being typed stays.
    if (field.current && field.current !== document.activeElement) field.current.value = value;
  }, [value]);
  const error = refused === null ? undefined : `${unitId}-copies`;
  return (
    <>
      <input
        ref={field}
        className="input"
        name="copies"
        inputMode="numeric"
        aria-label={`Copies for ${choice ? `${name}, ${choice}` : name}`}
        defaultValue={value}
        maxLength={3}
        aria-invalid={error ? true : undefined}
        aria-describedby={error}
      />
      {error && <small className="error" id={error}>{`0 to ${MAX_LABELS}`}</small>}
    </>
  );
}

function AddUnit({ page: { q, found, units } }: { page: LabelsPage }) {
  const input = useRef<HTMLInputElement>(null);
  const submit = useSubmit();
  const isAdded = q !== "" && found.length === 0;
  const add = (unitId: string) => {
    const form = input.current?.form;
    if (!form) return;
    const data = new FormData(form);
    data.set("q", "");
    data.set("add", unitId);
    submit(data, { method: "get", action: LABELS_PATH, replace: true, preventScrollReset: true });
  };
  return (
    <div className="label-add">
      <div className="search">
        <Icon name="search" />
        <input
          // An added code leaves the field for the next one.
          key={`${units.length} ${q}`}
          ref={input}
          className="input"
          type="search"
          name="q"
          aria-label="Add by name, SKU, barcode"
          placeholder="Add by name, SKU, barcode"
          defaultValue={isAdded ? "" : q}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <ScanButton onHit={({ unitId }) => add(unitId)} said="Added" />
      {found.length > 0 && <FoundUnits found={found} />}
    </div>
  );
}

const FoundUnits = ({ found }: Pick<LabelsPage, "found">) => (
  <ul className="label-found">
    {found.map(({ unitId, name, choice, sku }) => (
      <li key={unitId}>
        <button type="submit" className="link" name="add" value={unitId}>
          {choice ? `${name}, ${choice}` : name}
        </button>
        <span className="soft">{sku}</span>
      </li>
    ))}
  </ul>
);

function PaperFields({ page: { paper, from, hasPrice } }: { page: LabelsPage }) {
  return (
    <div className="label-paper">
      <fieldset className="segments">
        <legend className="visually-hidden">Paper</legend>
        <label>
          <input type="radio" name="paper" value="a4" defaultChecked={paper === "a4"} />
          A4, 3 × 8
        </label>
        <label>
          <input type="radio" name="paper" value="roll" defaultChecked={paper === "roll"} />
          Roll, 62 mm
        </label>
      </fieldset>
      {paper === "a4" && (
        <label className="label-from">
          Begin at label
          <input className="input" name="from" inputMode="numeric" defaultValue={from} maxLength={2} />
        </label>
      )}
      <label className="check">
        <input type="checkbox" name="price" value="1" defaultChecked={hasPrice} />
        Price
      </label>
      <button type="submit" className="btn without-script">
        Update
      </button>
    </div>
  );
}

interface PreviewProps {
  paper: LabelsPage["paper"];
  from: number;
  count: number;
  children: ReactNode;
}

function Preview({ paper, from, count, children }: PreviewProps) {
  const used = from - 1;
  const sheets = Math.ceil((used + count) / SHEET_LABELS);
  const left = sheets * SHEET_LABELS - used - count;
  return (
    <section className="panel label-preview" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">{paper === "roll" ? "Roll" : counted(sheets, "sheet")}</h2>
        <p>
          {paper === "roll"
            ? counted(count, "label")
            : `${used > 0 ? `${used} used before, ` : ""}${count} printed, ${left} left`}
        </p>
        {count > 0 && (
          <span className="sum">
            <button type="button" className="btn primary needs-script" onClick={() => window.print()}>
              <Icon name="printer" className="i s" />
              {`Print ${count}`}
            </button>
          </span>
        )}
      </header>
      <ScrollBox className="label-box" label="Print preview, scrolls">
        {children || <p className="soft">The labels are shown here as they print.</p>}
      </ScrollBox>
    </section>
  );
}

interface LabelsProps {
  labels: LabelUnit[];
  hasPrice: boolean;
}

function A4Sheets({ labels, from, hasPrice }: LabelsProps & { from: number }) {
  const places = [...Array.from({ length: from - 1 }, () => null), ...labels];
  const sheets = Array.from({ length: Math.ceil(places.length / SHEET_LABELS) }, (_, i) =>
    Array.from({ length: SHEET_LABELS }, (_, at) => places[i * SHEET_LABELS + at]),
  );
  return sheets.map((sheet, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sheets and their places have no other identity
    <ol key={i} className="label-sheet" aria-label={`Sheet ${i + 1} of ${sheets.length}`}>
      {sheet.map((unit, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={at} className={unit === null ? "used" : undefined}>
          {unit && <Label unit={unit} hasPrice={hasPrice} />}
        </li>
      ))}
    </ol>
  ));
}

function RollLabels({ labels, hasPrice }: LabelsProps) {
  return (
    <ol className="label-roll">
      {labels.map((unit, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: copies of a label are alike
        <li key={i}>
          <Label unit={unit} hasPrice={hasPrice} />
        </li>
      ))}
    </ol>
  );
}

function Label({ unit, hasPrice }: { unit: LabelUnit; hasPrice: boolean }) {
  const { name, choice, priceCents, code, bars } = unit;
  return (
    <>
      <b>{name}</b>
      <span className="choice">{choice}</span>
      {hasPrice && <strong>{dollars(priceCents)}</strong>}
      <svg viewBox={`0 0 ${bars.width} 1`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars.path} />
      </svg>
      <span className="code">{code.text}</span>
    </>
  );
}
