import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { lacksSearchForm, SEARCHED_TEXTS } from "~/db/columns";
import { FOLDED_IN_SQL, foldText, NOT_FOLDED_IN_SQL, searchForm, wordsOf } from "~/db/text";
import { ROOT } from "./sources";

const database = new DatabaseSync(":memory:");
const FOLDER = join(ROOT, "migrations");
for (const name of readdirSync(FOLDER).sort())
  if (name.endsWith(".sql")) database.exec(readFileSync(join(FOLDER, name), "utf8"));

const LAST_CODE_POINT = 0xffff;
const addProduct = database.prepare(
  `INSERT INTO products (row, id, name, name_key, price_cents, category, shuffle, created_at, updated_at)
   VALUES (?1, ?1, ?2, lower(?2), 1, 'OTHERS', 1, 1, 1)`,
);
const addUser = database.prepare(
  `INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, created_at, updated_at)
   VALUES (?1, ?1, ?1, ?2, '', '', 1, 1)`,
);
const finds = (table: string, text: string, row: number) =>
  database
    .prepare(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? AND rowid = ?`)
    .get(`"${text.replaceAll('"', '""')}"`, row) !== undefined;

describe("a text without a search form", () => {
  it("is folded by SQL and the full-text indexes like foldText, character by character", () => {
    const characters = Array.from({ length: LAST_CODE_POINT - 31 }, (_, at) =>
      String.fromCodePoint(at + 32),
    ).filter((one) => searchForm(`ab${one}cd`) === null);
    expect(characters.length).toBeGreaterThan(500);
    const wrong = characters.filter((one, at) => {
      const text = `ab${one}cd`;
      const [row, folded] = [at + 1, foldText(text)];
      addProduct.run(row, text);
      addUser.run(String(row), text);
      const words = wordsOf(folded);
      return !(
        words.every((word) => finds("product_search", word, row)) &&
        finds("product_names", folded, row) &&
        finds("user_search", folded, row)
      );
    });
    expect(wrong).toEqual([]);
  });

  it("is recognised by patterns of a length that D1 takes", () => {
    for (const pattern of [`*[^\n${FOLDED_IN_SQL}]*`, `*[${NOT_FOLDED_IN_SQL}]*`])
      expect(Buffer.byteLength(pattern)).toBeLessThanOrEqual(50);
  });

  it.each(["ﬁne", "Ωmega", "ma²", "国际", "…", "🎁", "ǅ", "e\u0301"])("is not %s", (text) => {
    expect(searchForm(text)).not.toBeNull();
    const { waits } = database
      .prepare(
        `SELECT ${lacksSearchForm("users")} AS waits FROM (SELECT ?1 AS first_name, '' AS last_name, NULL AS search_name)`,
      )
      .get(text) as { waits: number };
    expect(waits).toBe(1);
  });

  it.each(["products", "users", "chat_texts"] as const)("is found in %s by an index", (table) => {
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT ${SEARCHED_TEXTS[table].key} FROM ${table} WHERE ${lacksSearchForm(table)}`,
      )
      .all();
    expect(JSON.stringify(plan)).toContain(`USING INDEX ${table}_unfolded`);
  });
});
