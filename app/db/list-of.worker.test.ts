import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { openDb } from "~/db/client.server";
import { listOf } from "~/db/list-of";
import { CHUNK_ROWS } from "~/db/lists";
import { recordedD1 } from "../../tests/support/recorded-d1";

const ROWS = 2 * CHUNK_ROWS + 500;
const { database, statements } = recordedD1(env.DB);
const { db } = openDb(database, null);

beforeAll(async () => {
  await env.DB.batch(
    [
      'CREATE TABLE things ("row" INTEGER PRIMARY KEY, id TEXT, size INTEGER)',
      "CREATE INDEX things_size ON things (size, id)",
      `INSERT INTO things WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${ROWS})
        SELECT n, 'thing-' || printf('%05d', n), n % 7 FROM many`,
    ].map((statement) => env.DB.prepare(statement)),
  );
});

const columns = sql.raw("t.id, t.size");
interface Thing {
  id: string;
  size: number;
}

describe.each([false, true])("a list whose columns are computed for its window alone: %s", (isWide) => {
  const things = listOf({ table: "things", as: "t", sorts: { size: ["size", "id"] }, isWide });
  const query = { sort: "size", columns } as const;

  it("has the rows of a window in the order of all columns", async () => {
    const at = (dir: "asc" | "desc") => things.rows<Thing>(db, query, { limit: 2, offset: 1, dir });
    expect(await at("asc")).toEqual([
      { id: "thing-00014", size: 0 },
      { id: "thing-00021", size: 0 },
    ]);
    expect((await at("desc"))[0]).toEqual({ id: "thing-04493", size: 6 });
  });

  it("has what a search has found and the conditions hold of, also for sums", async () => {
    const found = sql.raw(`(SELECT value AS "row" FROM json_each('[3,10,11,17]')) AS found`);
    const of = { ...query, found, where: [sql`t.size = ${3}`, undefined] };
    const rows = await things.rows<Thing>(db, of, { limit: 10, offset: 0, dir: "desc" });
    expect(rows.map(({ id }) => id)).toEqual(["thing-00017", "thing-00010", "thing-00003"]);
    expect(await db.all(sql`SELECT count(*) AS total ${things.from(of)}`)).toEqual([{ total: 3 }]);
    const byRank = { ...of, ranked: [sql`t.id`] };
    const ranked = await things.rows<Thing>(db, byRank, { limit: 1, offset: 0, dir: "desc" });
    expect(ranked).toEqual([{ id: "thing-00003", size: 3 }]);
  });

  it.each(["asc", "desc"] as const)("continues chunks where one ended, %s", async (dir) => {
    statements.length = 0;
    const chunks: Thing[][] = [];
    for await (const chunk of things.chunks<Thing>(
      db,
      { ...query, index: "things_size" },
      { dir, offset: 3 },
    ))
      chunks.push(chunk);
    const all = await things.rows<Thing>(db, query, { limit: ROWS, offset: 3, dir });
    expect(chunks.map(({ length }) => length)).toEqual([CHUNK_ROWS, CHUNK_ROWS, 497]);
    expect(chunks.flat()).toEqual(all);
    expect(statements[1]?.sql).toContain("INDEXED BY");
  });
});
