import { z } from "zod";
import type { Db } from "~/db/client.server";
import { localDay } from "~/domain/days";
import { formatUntil } from "~/domain/hold-end";
import { MAX_STOCK } from "~/domain/stock-levels";
import { choiceText } from "~/domain/unit-name";
import { refuseBelowHolds } from "~/features/catalogue/operations/product-conflict.server";
import { PRODUCT } from "~/features/catalogue/product";
import { findProduct } from "~/features/catalogue/queries.server";
import { countWaiting } from "~/features/restock/queries.server";
import { MovementsInput, requestId } from "~/features/sales/schema";
import { AppError } from "~/http/errors";
import { id, timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { readList } from "~/http/streams.server";
import { fullName } from "~/session/caller.server";
import { formatRecentDate } from "~/ui/format";
import { Movement } from "../answers";
import {
  findMovement,
  findMovements,
  findStockHistory,
  MAX_HOLDS,
  type MovementRow,
} from "../movements.queries.server";
import { findStockedUnit, type StockWrite, writeStock } from "../queries.server";
import { parseStockEdit, STOCK_RULE, type StockEdit, signed, stockAfter, stockRefusal } from "../stock-edit";

/** Movements on one view of the panel. */
const VIEW_ROWS = 20;

/** Panel of the movements and holds of a product or of one of its units. */
export type MovementsPanel = NonNullable<Awaited<ReturnType<typeof readMovementsPanel>>>;

/**
 * Reads the panel that `?movements={id}` opens; `before` continues with older movements.
 *
 * @returns null without the parameter, or for a product that never was
 */
export async function readMovementsPanel({ db, now, settings }: StaffContext, params: URLSearchParams) {
  const id = params.get("movements")?.slice(0, 64);
  if (!id) return null;
  const before = Number(params.get("before")) || null;
  // The client sends them in one round trip.
  const [found, waiting] = await Promise.all([
    findStockHistory(db, id, { limit: VIEW_ROWS + 1, before }),
    countWaiting(db, id),
  ]);
  if (!found.product && found.movements.length === 0) return null;
  const shown = found.movements.slice(0, VIEW_ROWS);
  const oldest = shown.at(-1);
  const { timezone } = settings;
  const today = localDay(now, timezone);
  return {
    id,
    product: found.product ?? null,
    waiting,
    hasMoreHolds: found.holds.length > MAX_HOLDS,
    holds: found.holds
      .slice(0, MAX_HOLDS)
      .map((hold) => ({ ...hold, until: formatUntil(hold.until, now, settings) })),
    movements: shown.map((movement) => ({
      ...movement,
      day: formatRecentDate(movement.createdAt, timezone, today),
    })),
    older: found.movements.length > VIEW_ROWS && oldest ? oldest.row : null,
    isNewest: before === null,
    ...checkedSum(shown),
  };
}

/**
 * Adds up the visible movements.
 *
 * @returns `carried`, the stock before the oldest one, and `sum`, the stock that all of them lead to
 */
function checkedSum(movements: MovementRow[]) {
  const oldest = movements.at(-1);
  const carried = oldest ? oldest.stockAfter - oldest.quantity : 0;
  const sum = movements.reduce((total, { quantity }) => total + quantity, carried);
  return { carried, sum };
}

/**
 * GET product/{id}/movements: changes of a product's stock, newest first; those of a deleted product stay.
 *
 * @throws AppError notFound for a product that never was
 */
export const readMovements = operation({
  route: "GET product/:id/movements",
  summary: "List the changes of a product's stock",
  answer: z.array(Movement),
  isList: true,
  access: "staff",
  input: MovementsInput,
  run: ({ db, input: { id, limit, offset } }) =>
    readList(
      async (window) => {
        const { rows, total, isKnown } = await findMovements(db, id, window);
        if (!isKnown) throw new AppError("notFound", "Product not found");
        return { rows: rows.map(apiMovement), total };
      },
      { limit, offset },
    ),
});

const apiMovement = <Row extends { createdAt: number }>({ createdAt, ...movement }: Row) => ({
  ...movement,
  createdAt: timestamp(createdAt),
});

const stockEdit = z.union([z.string(), z.number()], { error: STOCK_RULE }).transform((value, context) => {
  const edit = parseStockEdit(String(value));
  if (edit) return edit;
  context.addIssue({ code: "custom", message: STOCK_RULE });
  return z.NEVER;
});

/** `was` and `held` are the stock and the pieces on hold that the caller saw; `change` makes a repeated request change the stock once. */
const StockInput = z.object({
  id,
  stock: stockEdit,
  was: PRODUCT.rules.stock.optional(),
  held: z.coerce.number().int().min(0).optional().catch(undefined),
  change: requestId,
});

interface SavedStock {
  /** Of the unit. */
  id: string;
  name: string;
  stock: number;
  /** Stock before a change that wrote it; unknown for one that is set unseen. */
  before?: number | undefined;
  /** Pieces in active holds, of a change that wrote the stock. */
  held?: number;
}

/**
 * Changes a unit's stock. `40` sets it unless somebody else has changed it (`was`); setting the stored value again
 * succeeds. `+12` and `-2` add up with parallel changes.
 *
 * @throws AppError notFound; conflict with the current stock in the detail `was`, or when a change leads below 0
 */
export const setStock = operation({
  access: "staff",
  input: StockInput,
  async run({ db, input: { stock, ...input }, now, user }): Promise<SavedStock> {
    const write = { ...input, edit: stock, actor: fullName(user) };
    const saved = await writeStock(db, write, MAX_STOCK, now).catch(async (error) => {
      if (!(await isRepeated(db, write))) throw error;
    });
    if (!saved) return unchangedStock(db, write);
    return { ...saved, before: "add" in stock ? saved.stock - stock.add : input.was };
  },
});

/** Recognises a change that was made already. @throws AppError conflict when its id belongs to another change */
async function isRepeated(db: Db, { id: unitId, change, edit }: StockWrite): Promise<boolean> {
  const movement = change ? await findMovement(db, change) : undefined;
  if (!movement) return false;
  const sent = "add" in edit ? { quantity: edit.add } : { stockAfter: edit.set };
  repeatedAnswer(
    movement,
    { unitId, ...sent },
    "This form has changed a stock already. Load the page again.",
  );
  return true;
}

/** Answers a change that wrote nothing: it was made before, or sets the stock that is stored. @throws AppError */
async function unchangedStock(db: Db, write: StockWrite): Promise<SavedStock> {
  const { edit } = write;
  const unit = await findStockedUnit(db, write.id);
  if (!unit) throw await noUnit(db, write.id);
  const { id: unitId, name, stock } = unit;
  const isStored = "set" in edit && stock === edit.set;
  if (isStored || (await isRepeated(db, write))) return { id: unitId, name, stock };
  const isSeen = "add" in edit || write.was === undefined || write.was === stock;
  if (isSeen && write.held !== undefined && stockRefusal(stock, edit) === null)
    refuseBelowHolds(stock, stockAfter(stock, edit), unit.held, write.held);
  throw stockConflict(stock, edit);
}

/** Creates the error for an id that is no unit: that of a product with several names its choices. */
async function noUnit(db: Db, id: string): Promise<AppError> {
  const product = await findProduct(db, id);
  if (!product) return new AppError("notFound", "Product not found");
  const choices = product.units.slice(0, 5).map(({ values }) => choiceText(values));
  const more = product.units.length > choices.length ? ", …" : "";
  return new AppError("conflict", `${product.name} is counted for each choice: ${choices.join(", ")}${more}`);
}

function stockConflict(current: number, edit: StockEdit): AppError {
  const details = (message: string) => [
    { path: "stock", message },
    { path: "was", message: String(current) },
  ];
  const refusal = stockRefusal(current, edit) ?? staleMessage(current, edit);
  return new AppError("conflict", refusal, { details: details(refusal), isPublic: true });
}

function staleMessage(current: number, edit: StockEdit): string {
  const now = `Somebody else set it to ${current.toLocaleString("en")}.`;
  if ("add" in edit) return `${now} Save again to change it by ${signed(edit.add)}.`;
  return `${now} Save again to set it to ${edit.set.toLocaleString("en")}.`;
}
