import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { lacksSearchForm, SEARCHED_TEXTS } from "~/db/columns";
import { searchForm } from "~/db/text";

/** Rows of a table in one step: a description may be long. */
const MAX_ROWS = 100;

const TABLES = ["products", "users", "chat_texts"] as const;

/** Computes the forms of texts that were stored without. @returns number of rows, and whether there may be more */
export async function writeSearchForms(db: Db): Promise<{ done: number; hasMore: boolean }> {
  const counts = await Promise.all(
    TABLES.map(async (name) => {
      const { key, texts } = SEARCHED_TEXTS[name];
      const [table, id] = [sql.identifier(name), sql.identifier(key)];
      const columns = Object.entries(texts);
      const read = sql.raw(columns.map(([form, text]) => `${text} AS ${form}`).join(", "));
      const rows = await db.all<Record<string, string>>(
        sql`SELECT ${id} AS id, ${read} FROM ${table} WHERE ${sql.raw(lacksSearchForm(name))} LIMIT ${MAX_ROWS}`,
      );
      if (rows.length === 0) return 0;
      const writes = rows.map((row) => {
        const forms = columns.map(([form]) => sql`${sql.identifier(form)} = ${searchForm(row[form] ?? "")}`);
        // A text that has changed meanwhile gets its form in the next step.
        const same = columns.map(([form, text]) => sql`${sql.raw(text)} = ${row[form]}`);
        return sql`UPDATE ${table} SET ${sql.join(forms, sql`, `)} WHERE ${id} = ${row.id} AND ${sql.join(same, sql` AND `)}`;
      });
      await runBatch(db, writes);
      return rows.length;
    }),
  );
  return { done: counts.reduce((sum, count) => sum + count, 0), hasMore: counts.includes(MAX_ROWS) };
}
