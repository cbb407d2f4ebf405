import { z } from "zod";
import { id } from "~/http/fields";
import { productStock } from "../product-schema";

/** Setting a product's stock: what it should be, and what it was when it was looked at. */
export const StockInput = z.object({ id, stock: productStock, was: productStock });
