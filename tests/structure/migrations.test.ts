import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { LEDGER_CHECKS } from "../../app/features/ledger/queries/check";
import { SALE_CHECKS } from "../../app/features/sales/queries/check";
import { ROOT } from "../../scripts/local-shop.mjs";
import { missingMigrations, statementsOf } from "../../scripts/migration-files.mjs";
import { splitLikeApi } from "../support/d1-statements";

const FOLDER = join(ROOT, "migrations");
const MIGRATIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => ({ name, sql: readFileSync(join(FOLDER, name), "utf8") }));

const SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name";

/** Applies migrations to a database. @param split into the statements that run one by one */
function migrated(
  split: (sql: string) => string[],
  migrations = MIGRATIONS,
  database = new DatabaseSync(":memory:"),
): DatabaseSync {
  for (const { name, sql } of migrations) {
    for (const statement of split(sql)) {
      try {
        database.exec(statement);
      } catch (error) {
        throw new Error(`${name}: ${String(error)}\n${statement}`);
      }
    }
  }
  return database;
}

describe("SQL that wrangler sends to D1's API", () => {
  it("is split into the statements of each migration", () => {
    const asFiles = migrated((sql) => [sql]);
    expect(migrated(splitLikeApi).prepare(SCHEMA).all()).toEqual(asFiles.prepare(SCHEMA).all());
  });

  it("is split into the checks of npm run check:ledger", () => {
    const database = migrated((sql) => [sql]);
    const checks = [...LEDGER_CHECKS, ...Object.values(SALE_CHECKS)];
    const statements = splitLikeApi(checks.join(";\n"));
    expect(statements).toHaveLength(checks.length);
    for (const statement of statements) expect(database.prepare(statement).all()).toEqual([]);
  });

  it.each([
    ["CASE in a trigger", "AFTER INSERT ON a BEGIN\n UPDATE a SET b = CASE WHEN b THEN 1 ELSE 0 END;\nEND;"],
    ["begin in small letters", "AFTER INSERT ON a begin\n DELETE FROM a;\nEND;"],
    ["lines that end with CR and LF", "AFTER INSERT ON a\r\nBEGIN\r\n DELETE FROM a;\r\nEND;"],
  ])("would be cut by %s", (_, trigger) => {
    expect(splitLikeApi(`CREATE TRIGGER t ${trigger}`).length).toBeGreaterThan(1);
  });

  it("keeps a trigger and what follows it apart", () => {
    const trigger =
      "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n DELETE FROM a WHERE b = ';'; -- not the END;\nEND";
    expect(splitLikeApi(`${trigger};\nSELECT 1; SELECT 2`)).toEqual([trigger, "SELECT 1", "SELECT 2"]);
  });
});

it("the lists of favourites begin with those of before, in the order of adding", () => {
  const first = MIGRATIONS.findIndex(({ name }) => name.includes("favourite_lists"));
  const database = migrated((sql) => [sql], MIGRATIONS.slice(0, first));
  database.exec(`
    INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, created_at, updated_at)
      VALUES ('ann', 'a@x', 'a@x', 'Ann', 'A', '', 1, 1), ('bob', 'b@x', 'b@x', 'Bob', 'B', '', 1, 1);
    INSERT INTO favourites (user_id, product_id, created_at)
      VALUES ('ann', 'y', 3), ('ann', 'x', 5), ('ann', 'a', 3), ('ann', 'z', 1), ('bob', 'x', 1);
    INSERT INTO visitor_favourites (visitor, product_id, created_at) VALUES ('v', 'z', 1), ('w', 'x', 1), ('v', 'a', 1);`);
  migrated((sql) => [sql], MIGRATIONS.slice(first), database);
  expect(database.prepare("SELECT * FROM favourite_lists ORDER BY owner").all()).toEqual([
    { owner: "ann", ids: '["z","y","a","x"]' },
    { owner: "bob", ids: '["x"]' },
    { owner: "v", ids: '["z","a"]' },
    { owner: "w", ids: '["x"]' },
  ]);
});

it("0065 makes what was stored before findable without letters that keyboards lack", () => {
  const isBefore = ({ name }: { name: string }) => name < "0065";
  const database = migrated((sql) => [sql], MIGRATIONS.filter(isBefore));
  database.exec(`
    INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, created_at, updated_at)
      VALUES ('a', 'a@x', 'a@x', 'Łukasz', 'O’Neil', '', 1, 1), ('b', 'b@x', 'b@x', 'Eve', 'Stone', '', 1, 1);
    INSERT INTO chat_texts (chat_id, name, email, text) VALUES ('c', 'Øystein', '', 'Grüße'), ('d', 'Eve', '', 'Hello');
    INSERT INTO products (id, name, name_key, search_text, price_cents, category, shuffle, created_at, updated_at)
      VALUES ('p', 'Smørbrød', 'smørbrød', 'for Straße', 1, 'OTHERS', 1, 1, 1), ('q', 'Tray', 'tray', '', 1, 'OTHERS', 1, 1, 1);`);
  migrated(
    (sql) => [sql],
    MIGRATIONS.filter((migration) => !isBefore(migration)),
    database,
  );
  const found = (table: string, text: string) =>
    database
      .prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ?`)
      .all(`"${text}"`)
      .map(({ rowid }) => rowid);
  for (const [table, text] of [
    ["user_search", "lukasz o'neil"],
    ["user_starts", "lukasz"],
    ["chat_search", "grusse"],
    ["chat_starts", "oystein"],
    ["product_names", "smorbrod"],
    ["product_search", "strasse"],
  ] as const)
    expect(found(table, text), table).toEqual([1]);
  for (const [table, text] of [
    ["user_search", "eve stone"],
    ["chat_search", "hello"],
    ["product_search", "tray"],
  ] as const)
    expect(found(table, text), table).toEqual([2]);
  expect(database.prepare("SELECT word FROM product_words WHERE word = 'smorbrod'").all()).toHaveLength(1);
  for (const table of ["chat_search", "chat_starts"])
    expect(() => database.exec(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`)).not.toThrow();
});

it("0110 books deposits that count towards documents of two businesses under the business that took them", () => {
  const isBefore = ({ name }: { name: string }) => name < "0110";
  const database = migrated((sql) => [sql], MIGRATIONS.filter(isBefore));
  database.exec(`
    INSERT INTO quotes (id, chat_id, title, lines, files, ready_by, note, total_cents, state, valid_until, created_at, created_by, request_hash)
      VALUES ('mixed', 'c', 'Mixed', '[]', '[]', '', '', 9000, 'accepted', 1, 1, 'Ada', ''), ('open', 'c', 'Open', '[]', '[]', '', '', 9000, 'accepted', 1, 1, 'Ada', '');
    INSERT INTO payments (id, number, business_type, mode, amount_cents, quote_id, document_id, created_at, day, created_by)
      VALUES ('d1', 'ED-2026-000001', 'EMPORIA', 'EMT', 4000, 'mixed', NULL, 1, '2026-10-02', 'Ada'),
        ('d2', 'ED-2026-000002', 'EMPORIA', 'CARD', 2000, 'mixed', NULL, 1, '2026-10-03', 'Ada'),
        ('d3', 'LD-2026-000001', 'LASER', 'CARD', 700, 'open', NULL, 1, '2026-11-01', 'Ada'),
        ('s1', NULL, 'EMPORIA', 'EMT', 4000, 'mixed', 'e', 1, '2026-11-02', 'Ada'),
        ('s2', NULL, 'EMPORIA', 'CARD', 1000, 'mixed', 'e', 1, '2026-11-02', 'Ada'),
        ('s3', NULL, 'LASER', 'CARD', 1000, 'mixed', 'l', 1, '2026-11-02', 'Ada');`);
  migrated(
    (sql) => [sql],
    MIGRATIONS.filter((migration) => !isBefore(migration)),
    database,
  );
  const { sums } = database
    .prepare(
      "SELECT json_group_object(period || ' ' || business_type, amount_cents) AS sums FROM deposit_sums",
    )
    .get() as { sums: string };
  expect(JSON.parse(sums)).toMatchObject({
    ...{ "all EMPORIA": 0, "all LASER": 700, "2026 EMPORIA": 0, "2026 LASER": 700 },
    ...{ "2026-10 EMPORIA": 6000, "2026-11 EMPORIA": -6000, "2026-11 LASER": 700 },
    ...{ "2026-10-02 EMPORIA": 4000, "2026-11-02 EMPORIA": -6000 },
  });
  expect(sums).not.toContain("2026-11-02 LASER");
});

it("npm start applies and records those that a database lacks", () => {
  const [first = MIGRATIONS[0], ...others] = MIGRATIONS;
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE d1_migrations (id integer PRIMARY KEY AUTOINCREMENT, name text UNIQUE)");
  database.exec(`${first?.sql}; INSERT INTO d1_migrations (name) VALUES ('${first?.name}')`);
  const missing = missingMigrations([first?.name ?? ""]);
  expect(missing.map(({ name }) => name)).toEqual(others.map(({ name }) => name));
  database.exec(statementsOf(missing));
  const recorded = database.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
  expect(recorded).toEqual(MIGRATIONS.map(({ name }) => ({ name })));
  expect(missingMigrations(recorded.map(({ name }) => String(name)))).toEqual([]);
});

describe("merged migrations", () => {
  const lines = readFileSync(join(ROOT, "tests/releases/migrations.sha256"), "utf8").trim().split("\n");

  it.each(lines.map((line) => line.split("  ")))(
    "%s is the hash of %s, which never changes",
    (hash, name) => {
      const sql = MIGRATIONS.find((migration) => migration.name === name)?.sql ?? "";
      expect(createHash("sha256").update(sql).digest("hex")).toBe(hash);
    },
  );

  it("have their hashes from the commit on that adds them", () => {
    expect(
      lines.map((line) => line.split("  ")[1]),
      "Run: npm run db:hash, and commit tests/releases/migrations.sha256 with the migration",
    ).toEqual(MIGRATIONS.map(({ name }) => name));
  });
});

it("0111 makes products that were deleted before findable by their names", () => {
  const isBefore = ({ name }: { name: string }) => name < "0111";
  const database = migrated((sql) => [sql], MIGRATIONS.filter(isBefore));
  const columns = "at, author_kind, action, object, object_id, changes";
  database.exec(`
    INSERT INTO audit_log (${columns}) VALUES (1, 'staff', 'created', 'product', 'a', '{"name":[null,"Cedar crate"]}'),
      (2, 'staff', 'deleted', 'product', 'a', '{"name":["Cedar crate",null]}'), (3, 'staff', 'deleted', 'product', 'b', '{}'),
      (4, 'staff', 'deleted', 'invoice', 'c', '{"name":["Cedar",null]}')`);
  migrated(
    (sql) => [sql],
    MIGRATIONS.filter((migration) => !isBefore(migration)),
    database,
  );
  const found = database.prepare("SELECT rowid FROM deleted_search WHERE deleted_search MATCH 'cedar'");
  expect(found.all().map(({ rowid }) => rowid)).toEqual([2]);
});
