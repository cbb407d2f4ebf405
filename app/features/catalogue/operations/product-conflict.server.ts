import { belowHolds } from "~/domain/unusual-change";
import { AppError, type ErrorDetail } from "~/http/errors";
import type { RecordColumn } from "~/records/record";
import { PRODUCT, type ProductChanges, type ProductContent } from "../product";
import type { NewProductRow } from "../queries.server";
import { richText } from "../rich-text.server";

/** Fields that two people may edit at once; the stock has a rule of its own. */
const { stock: _, ...compared } = PRODUCT.fields;
const COLUMNS = PRODUCT.columns.filter(({ column }) => column in compared);

/** Serialises a value, in the form in which it is stored. */
function comparable(column: string, value: unknown): string {
  if (column === "description") return richText(String(value));
  return JSON.stringify(value, (_, part) => (isPlain(part) ? Object.entries(part).sort() : part));
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Stored = Pick<NewProductRow, keyof ProductContent>;

/** Tells whether a caller saw the stored value, as a form holds it or the API answers it. */
function isSeen({ column, field }: RecordColumn, value: unknown, now: unknown): boolean {
  if (JSON.stringify(value) === JSON.stringify(field.toForm(now))) return true;
  const read = field.rule.safeParse(value);
  return read.success && comparable(column, read.data) === comparable(column, now);
}

/** Lists the fields that an edit changes and whose values its caller has seen. */
const editedColumns = ({ was = {}, ...changes }: ProductChanges) => {
  const edited = PRODUCT.stored(changes);
  return COLUMNS.filter(({ column, name }) => name in was && column in edited);
};

/** Picks the stored values of the fields that an edit changes and its caller has seen, which the write compares again. */
export function seenColumns(stored: Stored, changes: ProductChanges): Partial<ProductContent> {
  return Object.fromEntries(
    editedColumns(changes).map(({ column }) => [column, stored[column as keyof Stored]]),
  );
}

/**
 * Rejects an edit of fields that somebody else has changed since the caller saw them; the same value conflicts with none.
 *
 * @throws AppError conflict (409) with the stored value beside each field, and all in the detail `was` for an edit that overwrites them
 */
export function rejectStaleProduct(stored: Stored, changes: ProductChanges): void {
  const { was = {} } = changes;
  const edited: Record<string, unknown> = PRODUCT.stored(changes);
  const now: Record<string, unknown> = { ...stored };
  const stale = editedColumns(changes).filter(
    (each) =>
      !isSeen(each, was[each.name], now[each.column]) &&
      comparable(each.column, edited[each.column]) !== comparable(each.column, now[each.column]),
  );
  if (stale.length === 0) return;
  const text = ({ column, field }: RecordColumn) =>
    field.audit === "fact"
      ? "Somebody else has changed this too"
      : `Now ${field.toText(now[column]) || "none"}`;
  const details = stale.map((each): ErrorDetail => ({ path: each.name, message: text(each) }));
  const values = Object.fromEntries(
    stale.map(({ column, name, field }) => [name, field.toForm(now[column])]),
  );
  throw new AppError(
    "conflict",
    "Somebody else has just changed this product. Save again to put yours in its place, or close to leave theirs.",
    { details: [...details, { path: "was", message: JSON.stringify(values) }], isPublic: true },
  );
}

/**
 * Refuses a stock that falls below what is on hold, which is more than its caller has seen.
 *
 * @param seen pieces on hold that the caller knows of
 * @throws AppError conflict (409) with the pieces on hold in the detail `heldWas`
 */
export function refuseBelowHolds(stock: number, after: number, held: number, seen: number): void {
  const shortfall = held > seen ? belowHolds(stock, after, held) : null;
  if (shortfall === null) return;
  throw new AppError("conflict", `${shortfall} Nothing is saved.`, {
    details: [
      { path: "stock", message: `${shortfall} Save again to set it anyway.` },
      { path: "heldWas", message: String(held) },
    ],
    isPublic: true,
  });
}
