import { AppError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation } from "~/http/operation.server";
import { findMovements } from "./movements.queries.server";
import { MovementsInput } from "./schema";

const DEFAULT_LIMIT = 100;

/**
 * GET product/{id}/movements: changes of a product's stock, newest first; those of a deleted product stay.
 *
 * @throws AppError notFound for a product that never was
 */
export const readMovements = operation({
  access: "staff",
  input: MovementsInput,
  async run({ db, input: { id, limit = DEFAULT_LIMIT, offset } }) {
    const { rows, isKnown } = await findMovements(db, id, { limit, offset });
    if (!isKnown) throw new AppError("notFound", "Product not found");
    return rows.map(({ createdAt, ...movement }) => ({ ...movement, createdAt: timestamp(createdAt) }));
  },
});
