import { type KeyboardEvent, memo } from "react";
import { CURRENCY_SIGN } from "~/domain/currency";
import { decimalDollars, dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { swatchOf } from "~/features/catalogue/swatches";
import { coloursOf, MAX_CODE, type ProductUnit } from "~/features/catalogue/units";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { REPLACED_FIELD } from "~/ui/replaced-field";
import { TilePicture } from "./ImageTile";
import { UNIT_COLUMNS } from "./problem-names";
import {
  type DraftUnit,
  groupedUnits,
  groupingOption,
  missingUnits,
  totalsOf,
  UNIT_FIELDS,
  type UnitField,
  type UnitsDraft,
  unitKey,
  unitLabel,
  valuesOf,
} from "./units-draft";
import type { Tile } from "./useImages";
import { actButton, type UnitErrors, type Units } from "./useUnits";

interface UnitMatrixProps {
  units: Units & UnitErrors;
  stored: readonly ProductUnit[];
  divided: number | null;
  price: string;
  tiles: readonly Tile[];
}

/** Fields that a button copies into the units below. */
const FILLED = UNIT_FIELDS.map((field): [UnitField, string] => [field, UNIT_COLUMNS[field]]);
const NO_FILL: UnitField[] = ["sku", "barcode"];

/** Units of a product in a table: a head for each group, a row for each unit, the sums at the foot. */
export function UnitMatrix(props: UnitMatrixProps) {
  const { units, price } = props;
  const { draft, act } = units;
  const groups = groupedUnits(draft);
  const cents = parseAmount(price)?.cents ?? null;
  return (
    <>
      <table className="unit-matrix" onKeyDown={(event) => onKey(event, act)}>
        <MatrixHead count={draft.units.length} act={act} />
        {groups.map(({ value, units: rows }) => (
          <tbody key={value}>
            {value >= 0 && (
              <GroupHead draft={draft} act={act} value={value} rows={rows} tiles={props.tiles} />
            )}
            {rows.map((index) => (
              <Row key={unitKey(draft.units[index] as DraftUnit)} {...props} index={index} cents={cents} />
            ))}
          </tbody>
        ))}
        <Foot {...props} cents={cents} />
      </table>
      <input type="hidden" name="fill" value={JSON.stringify(draft.fill)} />
      <Notes draft={draft} act={act} />
    </>
  );
}

function MatrixHead({ count, act }: { count: number; act: Units["act"] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{counted(count, "choice")}</th>
        {FILLED.map(([field, label]) => (
          <th key={field} scope="col" className={field}>
            {label}
            {!NO_FILL.includes(field) && count > 1 && (
              <FillButton act={act} name={`fill-all:${field}`} label={`Fill down ${label.toLowerCase()}`} />
            )}
          </th>
        ))}
        <th scope="col">
          <span className="visually-hidden">Remove</span>
        </th>
      </tr>
    </thead>
  );
}

function FillButton({ act, name, label }: { act: Units["act"]; name: string; label: string }) {
  return (
    <button {...actButton(act, name)} className="tool-button fill" aria-label={label} title={label}>
      <Icon name="arrow-down" className="i s" />
    </button>
  );
}

interface GroupHeadProps {
  draft: UnitsDraft;
  act: Units["act"];
  value: number;
  rows: number[];
  tiles: readonly Tile[];
}

function GroupHead({ draft, act, value, rows, tiles }: GroupHeadProps) {
  const option = draft.options[groupingOption(draft)];
  const name = option?.values[value] ?? "";
  const swatch = option && coloursOf([option]).length > 0 ? swatchOf(name) : null;
  const { stock } = totalsOf({ ...draft, units: draft.units.filter((_, i) => rows.includes(i)) }, null);
  const image = rows.map((i) => draft.units[i]?.image).find(Boolean);
  const tile = tiles.find(({ key }) => key === image);
  const [first] = rows;
  return (
    <tr className="unit-group">
      <th scope="rowgroup">
        {tile ? (
          <span className="product-thumbnail">
            <TilePicture tile={tile} width={32} />
          </span>
        ) : (
          swatch && <i className="swatch-dot" style={{ background: swatch }} />
        )}
        <span>
          <b>{name}</b>
          <small>{`${rows.length} ${rows.length === 1 ? "choice" : "choices"}, ${stock} in stock`}</small>
        </span>
      </th>
      {FILLED.map(([field, label]) => (
        <td key={field} className={field}>
          {!NO_FILL.includes(field) && rows.length > 1 && (
            <FillButton
              act={act}
              name={`fill:${field}:${first}`}
              label={`Fill down ${label.toLowerCase()} of ${name}`}
            />
          )}
        </td>
      ))}
      <td />
    </tr>
  );
}

type RowProps = UnitMatrixProps & { index: number; cents: number | null };

function Row({ units, stored, tiles, index, cents }: RowProps) {
  const { draft, changeUnit, act, errorsOf } = units;
  const unit = draft.units[index];
  if (!unit) return null;
  const grouping = groupingOption(draft);
  const values = valuesOf(draft, unit);
  const others = values.filter((value, i) => value !== "" && (i !== grouping || values.length === 1));
  return (
    <UnitRow
      {...{ unit, index, tiles, changeUnit, act, errors: errorsOf(unit) }}
      label={unitLabel(draft, unit)}
      name={others.length > 0 ? others.join(" / ") : values.join(" / ")}
      held={stored.find(({ id }) => id === unit.id)?.held ?? 0}
      placeholder={cents === null ? "" : decimalDollars(cents)}
    />
  );
}

interface UnitRowProps {
  unit: DraftUnit;
  index: number;
  /** Values beside that of the group. */
  name: string;
  label: string;
  /** Pieces in active holds. */
  held: number;
  /** Price of the product. */
  placeholder: string;
  errors: Record<string, string>;
  tiles: readonly Tile[];
  changeUnit: Units["changeUnit"];
  act: Units["act"];
}

/** Attributes of a field of a unit. @param title as its column says */
type Cell = (
  field: UnitField,
  title: string,
) => Record<"name" | "aria-label" | "value", string> & {
  "aria-invalid": true | undefined;
  onChange(event: { target: { value: string } }): void;
};

interface CellProps {
  cell: Cell;
  errors: Record<string, string>;
}

const UnitRow = memo(function UnitRow(props: UnitRowProps) {
  const { unit, index, name, label, held, placeholder, errors, tiles, changeUnit, act } = props;
  const cell: Cell = (field, title) => ({
    name: `units[${index}].${field}`,
    "aria-label": `${title} of ${label}`,
    "aria-invalid": errors[field] ? true : undefined,
    value: unit[field],
    onChange: ({ target }) => changeUnit(index, field, target.value),
  });
  return (
    <tr className="unit-row" data-index={index}>
      <th scope="row">
        {name}
        {held > 0 && <small>{`${held} on hold`}</small>}
        <input type="hidden" name={`units[${index}].id`} value={unit.id} />
        <input type="hidden" name={`units[${index}].at`} value={unit.at.join(".")} />
      </th>
      <NumberCells {...{ cell, errors, placeholder }} isOwn={unit.price.trim() !== ""} />
      <CodeCells {...{ cell, errors }} />
      <ImageCell {...{ cell, errors, tiles }} />
      <td className="remove">
        <button
          {...actButton(act, `remove:${index}`)}
          className="tool-button danger"
          aria-label={`Remove ${label}`}
        >
          <Icon name="trash-2" className="i s" />
        </button>
        <CellError message={errors.id ?? errors.options} />
      </td>
    </tr>
  );
});

interface NumberCellsProps extends CellProps {
  /** Price of the product. */
  placeholder: string;
  /** The unit has a price of its own. */
  isOwn: boolean;
}

function NumberCells({ cell, errors, placeholder, isOwn }: NumberCellsProps) {
  const common = { className: "input num", autoComplete: "off", maxLength: 20, ...REPLACED_FIELD };
  return (
    <>
      <td className={isOwn ? "price own" : "price"} data-label="Price">
        <span className="input-prefix">
          <span aria-hidden="true">{CURRENCY_SIGN}</span>
          <input {...common} inputMode="decimal" placeholder={placeholder} {...cell("price", "Price")} />
        </span>
        <CellError message={errors.price} />
      </td>
      <td className="stock" data-label="Stock">
        <input {...common} inputMode="numeric" placeholder="0" {...cell("stock", "Stock")} />
        <CellError message={errors.stock} />
      </td>
    </>
  );
}

const CodeCells = ({ cell, errors }: CellProps) =>
  (["sku", "barcode"] as const).map((field) => (
    <td key={field} className={field} data-label={UNIT_COLUMNS[field]}>
      <input
        className="input"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_CODE}
        {...cell(field, UNIT_COLUMNS[field])}
      />
      <CellError message={errors[field]} />
    </td>
  ));

function ImageCell({ cell, errors, tiles }: CellProps & { tiles: readonly Tile[] }) {
  return (
    <td className="image" data-label="Picture">
      <select className="select" {...cell("image", "Picture")}>
        <option value="">None</option>
        {tiles.map(({ key }, i) => (
          <option key={key} value={key}>
            {i + 1}
          </option>
        ))}
      </select>
      <CellError message={errors.image} />
    </td>
  );
}

const CellError = ({ message }: { message: string | undefined }) =>
  message ? <small className="error">{message}</small> : null;

function Foot({ units: { draft }, divided, cents }: UnitMatrixProps & { cents: number | null }) {
  const { stock, min, max, hasPrice } = totalsOf(draft, cents);
  const prices = min === max ? dollars(min) : `${dollars(min)} to ${dollars(max)}`;
  const left = divided === null ? 0 : divided - stock;
  return (
    <tfoot>
      <tr>
        <th scope="row">Together</th>
        <td className="price">{hasPrice && prices}</td>
        <td className="stock">
          <output>{stock.toLocaleString("en")}</output>
        </td>
        <td colSpan={4} className={left === 0 ? "soft" : "left"}>
          {divided !== null && divisionNote(divided, left)}
        </td>
      </tr>
    </tfoot>
  );
}

function divisionNote(divided: number, left: number): string {
  const all = divided.toLocaleString("en");
  if (left === 0) return `All ${all} pieces are divided.`;
  const difference = Math.abs(left).toLocaleString("en");
  return left > 0
    ? `Divide ${all} pieces: ${difference} left.`
    : `Divide ${all} pieces: ${difference} too many.`;
}

function Notes({ draft, act }: { draft: UnitsDraft; act: Units["act"] }) {
  const { fill } = draft;
  const filled = fill ? Object.keys(fill.before).length : 0;
  const missing = missingUnits(draft);
  return (
    <p className="unit-notes">
      <span role="status">
        {fill && `${fill.text || "Nothing"} filled into ${filled} ${filled === 1 ? "choice" : "choices"}.`}
      </span>
      {filled > 0 && (
        <button {...actButton(act, "undo")} className="link">
          Undo
        </button>
      )}
      {missing > 0 && (
        <button {...actButton(act, "complete")} className="link">
          {missing === 1 ? "Add the choice that is left out" : `Add the ${missing} choices that are left out`}
        </button>
      )}
      <span className="soft">
        An empty price is the product's.
        <span className="needs-script">
          {" "}
          <kbd>Ctrl</kbd> <kbd>D</kbd> fills down, <kbd>Enter</kbd> moves down.
        </span>
      </span>
    </p>
  );
}

/** Moves to the same field of another row by Enter and the arrows, and fills down by Ctrl+D. */
function onKey(event: KeyboardEvent<HTMLTableElement>, act: Units["act"]): void {
  const { target, key } = event;
  if (!(target instanceof HTMLInputElement)) return;
  const [, index, field] = /^units\[(\d+)\]\.(\w+)$/.exec(target.name) ?? [];
  if (field === undefined) return;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && key.toLowerCase() === "d") {
    event.preventDefault();
    act(`fill:${field}:${index}`);
  }
  const step = ROW_STEPS[key];
  if (isCommand || step === undefined) return;
  event.preventDefault();
  const cells = [
    ...event.currentTarget.querySelectorAll<HTMLInputElement>(`input[name$="].${field}"]:not([type=hidden])`),
  ];
  cells[cells.indexOf(target) + step]?.focus();
}

/** Rows that a key moves the focus down. */
const ROW_STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };
