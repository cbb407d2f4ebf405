import { useLocation } from "@remix-run/react";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from "react";
import { categoryName } from "~/domain/category-name";
import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { type StockLevel, stockLevel } from "~/domain/stock-levels";
import { HiddenTag } from "~/features/catalogue/HiddenTag";
import { waitingText } from "~/features/restock/waiting-text";
import type { Column } from "~/ui/DataTable/columns";
import type { ListParams } from "~/ui/DataTable/list-params";
import { rowKeyAttribute } from "~/ui/DataTable/useTableKeys";
import { useEarlyInput } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Form, Link } from "~/ui/navigation";
import { REPLACED_FIELD } from "~/ui/replaced-field";
import { useLowStock } from "~/ui/shop-numbers";
import { allUnitsUrl, movementsUrl, STOCK_LEVEL_NAMES } from "./list-params";
import type { StockRow } from "./queries.server";
import { parseStockEdit, signed, stockAfter, stockRefusal } from "./stock-edit";
import { useStockField } from "./useStockField";

const LEVEL_CLASSES: Record<StockLevel, string> = {
  out: "stock-level out",
  low: "stock-level low",
  enough: "stock-level",
  held: "stock-level low",
};

/** Columns of the table; the cells keep what is being typed, since React finds them by their column. */
export function stockColumns(params: ListParams, changeId: string): Column<StockRow>[] {
  return [
    {
      id: "name",
      title: "Name",
      className: "cell-name",
      card: "title",
      cell: (row) => <Name row={row} params={params} />,
    },
    ...PLAIN_COLUMNS,
    {
      id: "held",
      title: "On hold",
      isNumber: true,
      isFixed: true,
      cell: (row) => <Held row={row} params={params} />,
    },
    {
      id: "stock",
      title: "Stock",
      isNumber: true,
      className: "set",
      card: "side",
      cell: (row) =>
        row.kind === "head" ? (
          <b className="stock-sum">{grouped(row.stock)}</b>
        ) : (
          <StockCell row={row} changeId={changeId} />
        ),
    },
  ];
}

const PLAIN_COLUMNS: Column<StockRow>[] = [
  {
    id: "sku",
    title: "SKU",
    isFixed: true,
    className: "cell-sku",
    cell: ({ sku, barcode }) => (
      <span title={[sku, barcode].filter(Boolean).join(", ") || undefined}>{sku}</span>
    ),
  },
  {
    id: "category",
    title: "Category",
    className: "cell-category",
    card: "detail",
    cell: ({ category, kind }) =>
      kind !== "unit" && <span className={`category-badge ${category}`}>{categoryName(category)}</span>,
  },
  {
    id: "price",
    title: "Price",
    isNumber: true,
    className: "cell-price",
    card: "detail",
    cell: ({ priceCents, isOwnPrice, kind }) =>
      kind === "head" && isOwnPrice ? `from ${dollars(priceCents)}` : dollars(priceCents),
  },
  {
    id: "level",
    title: "Level",
    isFixed: true,
    className: "cell-level",
    card: "detail",
    cell: (row) => <Level row={row} />,
  },
  {
    id: "available",
    title: "Available",
    isNumber: true,
    isFixed: true,
    className: "cell-available",
    cell: ({ available }) =>
      available === 0 ? <span className="soft">0</span> : <b>{grouped(available)}</b>,
  },
];

function Held({ row: { id, held }, params }: { row: StockRow; params: ListParams }) {
  if (held === 0) return <span className="soft">0</span>;
  return (
    <MovementsLink id={id} params={params}>
      {grouped(held)}
    </MovementsLink>
  );
}

interface MovementsLinkProps {
  id: string;
  params: ListParams;
  children: ReactNode;
}

function MovementsLink({ id, params, children }: MovementsLinkProps) {
  return (
    <Link className="link" to={movementsUrl(params, id)} preventScrollReset>
      {children}
    </Link>
  );
}

function Name({ row, params }: { row: StockRow; params: ListParams }) {
  const { id, kind, name, choice, productId, units, isHidden, waiting } = row;
  return (
    <span className={kind === "unit" ? "stock-unit" : kind === "head" ? "stock-head" : undefined}>
      <span title={kind === "unit" ? `${name} (${choice})` : name}>
        <MovementsLink id={id} params={params}>
          {kind === "unit" ? choice : name}
        </MovementsLink>
      </span>
      {isHidden && kind !== "unit" && <HiddenTag />}
      {waiting > 0 && <small className="stock-waiting">{waitingText(waiting)}</small>}
      {units && !units.areListed && (
        <Link className="link all-units" to={allUnitsUrl(params, productId)} preventScrollReset>
          {`All ${grouped(units.all)} choices`}
        </Link>
      )}
    </span>
  );
}

function Level({ row: { stock, available, held, lowStock, units } }: { row: StockRow }) {
  const level = stockLevel(stock, useLowStock()(lowStock), available);
  const isPartlyOut = units !== undefined && units.out > 0 && units.out < units.all;
  return (
    <>
      {isPartlyOut ? (
        <span className="stock-level low">{`${grouped(units.out)} of ${grouped(units.all)} out`}</span>
      ) : (
        <span className={LEVEL_CLASSES[level]}>{STOCK_LEVEL_NAMES[level]}</span>
      )}
      {held > 0 && (
        <small className="phone-only">{`${grouped(available)} available, ${grouped(held)} on hold`}</small>
      )}
    </>
  );
}

interface StockCellProps {
  row: StockRow;
  /** Id of the change that the form makes without JavaScript. */
  changeId: string;
}

/** Edits a stock in place: Enter and Tab save and move on, Escape restores; without JavaScript a form with a button. */
function StockCell({ row, changeId }: StockCellProps) {
  const field = useStockField(row);
  const { pathname, search } = useLocation();
  const statusId = useId();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    field.save(true);
  };
  return (
    <Form method="post" action={pathname + search} className="set-stock" onSubmit={onSubmit}>
      <input type="hidden" name="id" value={row.id} />
      <input type="hidden" name="was" value={row.stock} />
      <input type="hidden" name="held" value={row.held} />
      <input type="hidden" name="change" value={changeId} />
      {field.confirmed && <input type="hidden" name="confirmed" value={field.confirmed} />}
      {/* After saving, the message says why a change is refused. */}
      {!field.error && <Preview stock={row.stock} typed={field.typed} />}
      <SaveMark {...field} />
      {field.isSaved && field.undo && (
        <button type="button" className="link stock-undo" onClick={field.undo}>
          Undo
        </button>
      )}
      <StockInput
        name={row.choice ? `${row.name} (${row.choice})` : row.name}
        statusId={statusId}
        field={field}
      />
      <button type="submit" name="intent" value="setStock" className="btn without-script">
        Save
      </button>
      <Status id={statusId} {...field} />
    </Form>
  );
}

type Field = ReturnType<typeof useStockField>;

/** Shows where a change leads before it is saved: `22 → 34`, or why it is refused. */
function Preview({ stock, typed }: { stock: number; typed: string | null }) {
  const edit = typed === null ? null : parseStockEdit(typed);
  if (!edit || stockAfter(stock, edit) === stock) return null;
  const refusal = stockRefusal(stock, edit);
  const after = stockAfter(stock, edit);
  if (refusal)
    return <output className="stock-preview refused">{`${signed(after - stock)} of ${stock}`}</output>;
  return (
    <output className="stock-preview">
      {grouped(stock)} → <b>{grouped(after)}</b>
    </output>
  );
}

function StockInput({ name, statusId, field }: { name: string; statusId: string; field: Field }) {
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input, field.value, field.change);
  useSelectionWhenSaved(input, field);
  const step = (pieces: number, isPointed: boolean) => {
    if (isPointed) input.current?.focus();
    field.step(pieces);
  };
  return (
    <span className="stock-steps">
      <StepButton label={`One less of ${name}`} icon="minus" onPress={(isPointed) => step(-1, isPointed)} />
      <input
        ref={input}
        className="input num"
        {...rowKeyAttribute("s")}
        name="stock"
        aria-label={`Stock of ${name}`}
        title="40 sets the stock, +12 or −2 changes it"
        aria-describedby={statusId}
        aria-invalid={field.error ? true : undefined}
        // biome-ignore lint/a11y/noAutofocus: without JavaScript, a refused form leads back to its row
        autoFocus={field.error !== null}
        // Phones offer + with it, unlike with numeric.
        inputMode="tel"
        autoComplete="off"
        maxLength={12}
        value={field.value}
        onChange={({ target }) => field.change(target.value)}
        {...REPLACED_FIELD}
        // A click would place the cursor; what has been typed can be corrected there.
        onClick={({ currentTarget }) => (field.typed === null || field.asked) && currentTarget.select()}
        onBlur={() => field.save(false)}
        onKeyDown={(event) => onKey(event, field)}
      />
      <StepButton label={`One more of ${name}`} icon="plus" onPress={(isPointed) => step(1, isPointed)} />
    </span>
  );
}

/** Selects the stock once it is saved while the field has the focus: what is typed next replaces it. */
function useSelectionWhenSaved(input: RefObject<HTMLInputElement>, { isSaved, stock }: Field): void {
  useLayoutEffect(() => {
    const field = input.current;
    // A key that was pressed before has begun the next change.
    const isShown = field?.value === String(stock);
    if (isSaved && isShown && document.activeElement === field) field.select();
  }, [input, isSaved, stock]);
}

interface StepButtonProps {
  label: string;
  icon: IconName;
  onPress: (isPointed: boolean) => void;
}

/** Steps by a piece, for phones whose keys have no minus; keyboards type +1 and −1. The field keeps the focus of a pointer. */
function StepButton({ label, icon, onPress }: StepButtonProps) {
  return (
    <button
      type="button"
      className="tool-button needs-script"
      aria-label={label}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      // A press of a key has no clicks.
      onClick={({ detail }) => onPress(detail > 0)}
    >
      <Icon name={icon} className="i s" />
    </button>
  );
}

function onKey(event: KeyboardEvent<HTMLInputElement>, field: Field): void {
  const { save, restore, mustConfirm } = field;
  const { key, currentTarget } = event;
  // Links of the next row come between the fields: Tab passes them by, Shift+Tab leads to them.
  const rows = key === "Tab" && !event.shiftKey ? nextRow(currentTarget) : ROW_STEPS[key];
  if (rows === undefined && key !== "Escape") return;
  event.preventDefault();
  if (key === "Escape") restore();
  const isAsked = key === "Enter" && mustConfirm;
  if (key === "Enter") save(true);
  // What is typed while it is saved, or asked about, replaces it.
  currentTarget.select();
  if (isAsked) return;
  // After a refused value the focus stays, so that it can be corrected.
  if (rows !== undefined && (key !== "Enter" || isAccepted(field.stock, currentTarget.value)))
    focusRow(currentTarget, rows);
}

function isAccepted(stock: number, text: string): boolean {
  const edit = parseStockEdit(text);
  return edit !== null && stockRefusal(stock, edit) === null;
}

function Status({
  id,
  error,
  asked,
  isSaved,
  save,
}: { id: string } & Pick<Field, "error" | "asked" | "isSaved" | "save">) {
  return (
    <span id={id} role="status" className="status-message">
      {error && (
        <span className="err">
          <Icon name="circle-alert" className="i s" />
          {error}
          {asked && (
            // Phones have no Enter for these keys. The field keeps the focus.
            <button
              type="button"
              className="link stock-confirm"
              tabIndex={-1}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => save(true)}
            >
              Save it
            </button>
          )}
        </span>
      )}
      {isSaved && <span className="visually-hidden">Saved</span>}
    </span>
  );
}

function SaveMark({ isSaving, isSaved }: Pick<Field, "isSaving" | "isSaved">) {
  if (isSaving) return <span className="spinner" aria-hidden="true" />;
  return isSaved ? <Icon name="check" className="i s ok" /> : null;
}

/** Rows that a key moves the focus down. */
const ROW_STEPS: Record<string, number> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

const fieldsBeside = (field: HTMLInputElement) => [
  ...(field.closest("table")?.querySelectorAll<HTMLInputElement>("input[name=stock]") ?? []),
];

function focusRow(from: HTMLInputElement, rows: number): void {
  const fields = fieldsBeside(from);
  fields[fields.indexOf(from) + rows]?.focus();
}

/** Returns the step to the next row; undefined in the last one. */
const nextRow = (field: HTMLInputElement) => (fieldsBeside(field).at(-1) === field ? undefined : 1);
