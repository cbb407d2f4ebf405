import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

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
