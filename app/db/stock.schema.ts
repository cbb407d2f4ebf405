import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How many products of each category there are at each level of stock, kept by triggers so that no page counts rows. */
export const stockCounts = sqliteTable(
  "stock_counts",
  {
    category: text("category").notNull(),
    /** 0 out of stock, 1 low (1 to 5), 2 enough. */
    level: integer("level").notNull(),
    products: integer("products").notNull(),
  },
  (t) => [primaryKey({ columns: [t.category, t.level] })],
);
