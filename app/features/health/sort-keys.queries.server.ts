import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { IS_UNSORTED } from "~/db/columns";
import { foldForSearch, identityKey, sortKey } from "~/db/text";

/** Rows of a table in one step. */
const MAX_ROWS = 1000;

/** Names by table with sort keys, and the table's other key of the name. */
const NAMES = {
  products: { expression: "name", keyOf: identityKey },
  users: { expression: "first_name || ' ' || last_name", keyOf: null },
  customers: { expression: "name", keyOf: foldForSearch },
};

/** Computes sort keys of names that were stored without, and the name keys of products and customers. @returns number of rows, and whether there may be more */
export async function writeSortKeys(db: Db): Promise<{ done: number; hasMore: boolean }> {
  const counts = await Promise.all(
    Object.entries(NAMES).map(async ([name, { expression, keyOf }]) => {
      const [table, text] = [sql.identifier(name), sql.raw(expression)];
      const rows = await db.all<{ id: string; name: string }>(
        sql`SELECT id, ${text} AS name FROM ${table} WHERE ${sql.raw(IS_UNSORTED)} LIMIT ${MAX_ROWS}`,
      );
      if (rows.length === 0) return 0;
      const keys = rows.map((row) => ({ ...row, key: sortKey(row.name), nameKey: keyOf?.(row.name) }));
      const named = sql`(SELECT value ->> 'id' AS id, value ->> 'name' AS text, value ->> 'key' AS key,
        value ->> 'nameKey' AS name_key FROM json_each(${JSON.stringify(keys)}))`;
      const others = keyOf ? sql`, name_key = named.name_key` : sql``;
      // A name that has changed meanwhile gets its key in the next step.
      await db.run(sql`UPDATE ${table} SET sort_key = named.key${others} FROM ${named} AS named
        WHERE ${table}.id = named.id AND ${text} = named.text`);
      return rows.length;
    }),
  );
  return { done: counts.reduce((sum, count) => sum + count, 0), hasMore: counts.includes(MAX_ROWS) };
}
