import { getTableColumns } from "drizzle-orm";
import { type SQLiteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Key by which a table's names are sorted (app/db/text.ts). Triggers end it with a space where only the name was written:
 * app/features/health/sort-keys.server.ts replaces such keys.
 */
export const sortKeyColumn = () => text("sort_key").notNull().default(" ");

/** Condition on a row whose key is not the final one; indexes repeat it. */
export const IS_UNSORTED = "substr(sort_key, -1) = ' '";

/**
 * Names the stored columns of a table's properties.
 *
 * @param properties keys of the drizzle table
 * @returns column names by property, such as `{ amountCents: "amount_cents" }`
 * @throws Error for a property that the table lacks
 */
export function columnNames(table: SQLiteTable, properties: readonly string[]): Record<string, string> {
  const columns = getTableColumns(table);
  return Object.fromEntries(
    properties.map((property) => {
      const column = columns[property];
      if (!column) throw new Error(`The table has no column for ${property}`);
      return [property, column.name];
    }),
  );
}
