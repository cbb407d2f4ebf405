// Reads the folder of migrations.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../migrations/", import.meta.url);

/** Creates the table by which wrangler finds the migrations that are missing. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Returns migrations as one text, which records them.
 *
 * @param {number} count of the first ones
 */
export const migrationsSql = (count) => statementsOf(firstMigrations(count));

/** Returns the first migrations. @param {number} [count] all by default */
export const firstMigrations = (count) => readMigrations().slice(0, count);

/**
 * Returns the migrations that a database lacks.
 *
 * @param {string[]} applied names of those that it has
 */
export const missingMigrations = (applied) => readMigrations().filter(({ name }) => !applied.includes(name));

/** Joins migrations to one text, which records them as well. */
export const statementsOf = (migrations) =>
  [
    MIGRATIONS_TABLE,
    ...migrations.map(({ name, sql }) => `${sql}\n;INSERT INTO d1_migrations (name) VALUES ('${name}');`),
  ].join("\n");

/**
 * Counts the migrations that follow those of an archive.
 *
 * @param {string[]} names applied migrations of the archive
 * @throws {Error} for a newer archive
 */
export function laterMigrations(names) {
  const known = readMigrations().map(({ name }) => name);
  const unknown = names.filter((name, i) => name !== known[i]);
  if (unknown.length > 0)
    throw new Error(
      `The archive is of a newer version of the shop: this one has no migration ${unknown.join(", ")}.`,
    );
  return known.length - names.length;
}

/** Returns a hash of all migrations. */
export function migrationsHash() {
  const hash = createHash("sha256");
  for (const { name, sql } of readMigrations()) hash.update(name).update(sql);
  return hash.digest("hex");
}

/** Returns the hash and name of each migration, as `sha256sum` prints them. */
export function migrationHashes() {
  const lines = readMigrations().map(
    ({ name, sql }) => `${createHash("sha256").update(sql).digest("hex")}  ${name}\n`,
  );
  return lines.join("");
}

/** Reads the migrations in their order. */
function readMigrations() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, sql: readFileSync(new URL(name, FOLDER), "utf8") }));
}
