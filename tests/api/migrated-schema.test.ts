import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

const { MIGRATIONS, DB_REPLICA } = env as Env & { MIGRATIONS: D1Migration[]; DB_REPLICA: D1Database };

/** Reads a schema, and the rows of its tables; not those in which FTS5 keeps its indexes. */
async function contentOf(database: D1Database) {
  const { results: schema } = await database
    .prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name <> 'd1_migrations' ORDER BY type, name",
    )
    .all();
  const { results: tables } = await database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT GLOB '_cf_*'
        AND name NOT IN ('d1_migrations', 'sqlite_schema', 'sqlite_temp_schema') ORDER BY name`,
    )
    .all<{ name: string }>();
  const rows = await database.batch(
    tables.map(({ name }) => database.prepare(`SELECT * FROM "${name}" ORDER BY 1`)),
  );
  return { schema, rows: tables.map(({ name }, at) => [name, rows[at]?.results]) };
}

it("the database of a test is what the migrations make", async () => {
  await applyD1Migrations(DB_REPLICA, MIGRATIONS);
  const made = await contentOf(env.DB);
  expect(made).toEqual(await contentOf(DB_REPLICA));
  expect(made.schema.length).toBeGreaterThan(500);
  expect(made.rows.length).toBeGreaterThan(50);
});
