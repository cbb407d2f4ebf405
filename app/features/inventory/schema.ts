import { z } from "zod";
import { productStock } from "~/features/catalogue/product-schema";
import { id } from "~/http/fields";

/** Setting a product's stock: what it should be, and what it was when it was looked at. */
export const StockInput = z.object({ id, stock: productStock, was: productStock });
