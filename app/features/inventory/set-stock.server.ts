import { findProduct } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import { writeStock } from "./queries.server";
import { StockInput } from "./schema";

/** What is said of a product's stock after it was set. */
export interface StockSet {
  id: string;
  name: string;
  stock: number;
}

/**
 * Sets a product's stock. What somebody else has set meanwhile is told, not overwritten; that it is already what was
 * asked for is as good as having set it.
 *
 * @throws AppError notFound (404); conflict (409) with what the stock is now, at `stock`
 */
export const setStock = operation({
  access: "staff",
  input: StockInput,
  async run({ db, input, now }): Promise<StockSet> {
    const set = await writeStock(db, input, now);
    if (set) return set;
    const known = await findProduct(db, input.id);
    if (!known) throw new AppError("notFound", "Product not found");
    const { id, name, stock } = known;
    if (stock === input.stock) return { id, name, stock };
    throw changedMeanwhile(stock, input.stock);
  },
});

/** `was` tells what the stock is now, so that it can be replaced knowingly. */
function changedMeanwhile(now: number, wanted: number): AppError {
  const message = `Somebody set it to ${now.toLocaleString("en")} meanwhile. Save again to make it ${wanted.toLocaleString("en")}.`;
  const details = [
    { path: "stock", message },
    { path: "was", message: String(now) },
  ];
  return new AppError("conflict", message, { details });
}
