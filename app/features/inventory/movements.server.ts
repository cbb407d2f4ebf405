import { formatUntil } from "~/features/sales/document";
import { MovementsInput } from "~/features/sales/schema";
import { AppError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { readList } from "~/http/streams.server";
import { formatDate } from "~/ui/dates";
import { findMovements, findStockHistory, type MovementRow } from "./movements.queries.server";

/** Movements on one view of the panel. */
const VIEW_ROWS = 20;

/** Panel of a product's movements and holds. */
export type MovementsPanel = NonNullable<Awaited<ReturnType<typeof readMovementsPanel>>>;

/**
 * Reads the panel that `?movements={id}` opens; `before` continues with older movements.
 *
 * @returns null without the parameter, or for a product that never was
 */
export async function readMovementsPanel({ db, settings }: StaffContext, params: URLSearchParams) {
  const id = params.get("movements")?.slice(0, 64);
  if (!id) return null;
  const before = Number(params.get("before")) || null;
  const found = await findStockHistory(db, id, { limit: VIEW_ROWS + 1, before });
  if (!found.product && found.movements.length === 0) return null;
  const shown = found.movements.slice(0, VIEW_ROWS);
  const oldest = shown.at(-1);
  const { timezone } = settings;
  return {
    id,
    product: found.product ?? null,
    holds: found.holds.map((hold) => ({ ...hold, until: formatUntil(hold.until, timezone) })),
    movements: shown.map((movement) => ({ ...movement, day: formatDate(movement.createdAt, timezone) })),
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
