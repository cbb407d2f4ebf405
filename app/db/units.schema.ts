import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LOW_STOCK } from "../domain/stock-levels";

/** Condition of a number of pieces that is low in a shop which has not changed it, as indexes of the previous version spell it. */
export const FEW_LEFT = sql.raw(`stock BETWEEN 1 AND ${LOW_STOCK}`);

/** Condition that a unit is low, as its indexes spell it. */
export const IS_SCARCE = sql.raw("stock BETWEEN 1 AND low_at") as SQL<boolean>;

/** Units that have become low since staff were told (app/features/inventory/scarce-notices.server.ts); triggers keep it. */
export const scarceNotices = sqliteTable("scarce_notices", {
  unitId: text("unit_id").primaryKey(),
});

/**
 * Units of products, which are counted and sold: one value of each option. Triggers add the unit of a product without options,
 * whose id is the product's, and keep `stock` and `held` of products as the sums (docs/decisions/0069-units.md).
 */
export const units = sqliteTable(
  "units",
  {
    id: text("id").primaryKey(),
    productId: text("product_id").notNull(),
    /** Order among the product's units. */
    position: integer("position").notNull().default(0),
    /** One value of each option, in the order of the product's options. */
    values: text("option_values", { mode: "json" }).$type<string[]>().notNull().default([]),
    sku: text("sku").notNull().default(""),
    barcode: text("barcode").notNull().default(""),
    /** Own price; null for the product's. */
    priceCents: integer("price_cents"),
    /** Own picture, one of the product's entries; "" without one. */
    image: text("image").notNull().default(""),
    stock: integer("stock").notNull().default(0),
    /** Pieces in holds, those included that have ended since the last write (app/db/stock.ts). */
    held: integer("held").notNull().default(0),
    /** JSON of the latest change of stock, as in `products`; a trigger makes it a movement. */
    stockChange: text("stock_change"),
    updatedAt: integer("updated_at").notNull(),
    /** Pieces up to which it counts as low: the product's number, else that of the settings. Triggers keep it. */
    lowAt: integer("low_at").notNull().default(LOW_STOCK),
    /** People who wait for it: confirmed requests that were not notified yet. Triggers keep it. */
    waiting: integer("waiting").notNull().default(0),
  },
  (t) => [
    index("units_product").on(t.productId, t.position, t.id),
    // For the previous version, as those of few pieces in products and stock_movements.
    index("units_low").on(t.productId, t.position).where(FEW_LEFT),
    index("units_scarce").on(t.productId, t.position).where(IS_SCARCE),
    index("units_scarce_latest").on(t.updatedAt).where(IS_SCARCE),
    index("units_out").on(t.productId, t.position).where(sql`stock = 0`),
    // One of several, with less than is on hold (app/db/stock.ts).
    index("units_short").on(t.productId).where(sql`stock < held AND id <> product_id`),
    // Available units by price: a card tells by one row whether something costs more.
    index("units_available").on(t.productId, t.priceCents).where(sql`stock > held`),
    index("units_sku").on(sql`lower(sku)`, t.id).where(sql`sku <> ''`),
    index("units_barcode").on(t.barcode, t.id).where(sql`barcode <> ''`),
  ],
);

/** Products and units per category and stock level, maintained by triggers so that no page counts rows. */
export const stockCounts = sqliteTable(
  "stock_counts",
  {
    category: text("category").notNull(),
    /** 0 out of stock, 1 low, 2 in stock. */
    level: integer("level").notNull(),
    products: integer("products").notNull(),
    /** Units at the level, and the products that have one. */
    units: integer("units").notNull().default(0),
    unitProducts: integer("unit_products").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.category, t.level] })],
);
