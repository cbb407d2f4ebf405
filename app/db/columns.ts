import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type SQLiteTable, text } from "drizzle-orm/sqlite-core";
import { FOLDED_IN_SQL, NOT_FOLDED_IN_SQL } from "./text";

/**
 * Key by which a table's names are sorted (app/db/text.ts). Triggers end it with a space where only the name was written:
 * app/features/health/sort-keys.server.ts replaces such keys.
 */
export const sortKeyColumn = () => text("sort_key").notNull().default(" ");

/** Condition on a row whose key is not the final one; indexes repeat it. */
export const IS_UNSORTED = "substr(sort_key, -1) = ' '";

/** Form of a text for the full-text indexes (searchForm in app/db/text.ts); null where SQL folds the text. */
export const searchFormColumn = (name: string) => text(name);

/** Texts with forms for full-text indexes: SQL of each by the column of its form, and the key of their table. */
export const SEARCHED_TEXTS = {
  products: {
    key: "row",
    texts: { search_name: "name", search_description: "search_text", search_colors: "colors" },
  },
  users: { key: "id", texts: { search_name: "first_name || ' ' || last_name" } },
  chat_texts: { key: "row", texts: { search_name: "name", search_text: "text" } },
} satisfies Record<string, { key: string; texts: Record<string, string> }>;

/**
 * Builds the value of a form that an edit writes. Triggers take an equal form for one of the text before, which it is not
 * where only the letters' case has changed: a space ends every other one.
 */
export const changedForm = (column: Column, form: string | SQL): SQL =>
  sql`iif(${column} = ${form}, ${form} || ' ', ${form})`;

/** Builds the values of the forms that an edit writes, by property. @param values by property, also of other columns */
export function changedForms(
  table: SQLiteTable,
  texts: Record<string, string>,
  values: Record<string, unknown>,
): Record<string, SQL> {
  const forms = Object.entries(getTableColumns(table)).flatMap(([property, column]) => {
    const form = values[property];
    return column.name in texts && typeof form === "string" ? [[property, changedForm(column, form)]] : [];
  });
  return Object.fromEntries(forms);
}

/** Condition on a row whose texts lack a form; indexes repeat it. */
export const lacksSearchForm = (table: keyof typeof SEARCHED_TEXTS): string =>
  Object.entries(SEARCHED_TEXTS[table].texts)
    .map(
      ([form, text]) => `(${form} IS NULL AND (${text} GLOB '*[^' || char(10) || '${FOLDED_IN_SQL}]*'
      OR ${text} GLOB '*[${NOT_FOLDED_IN_SQL}]*'))`,
    )
    .join(" OR ");

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
