import { and, sql } from "drizzle-orm";
import { recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { IS_OWING } from "~/db/factors";
import { IS_ACTIVE_STAFF } from "~/db/schema";
import type { SettingGroup } from "~/db/settings.schema";

/** New content of a group. */
export interface GroupChange {
  name: SettingGroup;
  content: object;
  /** Version that it replaces; 0 for a group that was never saved. */
  version: number;
  /** Values of the changed fields before and after. */
  changes: Record<string, [before: unknown, after: unknown]>;
}

/**
 * Saves groups of settings in one transaction, with the audit log.
 *
 * @param by name of the person who saves
 * @returns false when one of them was saved meanwhile: then nothing is stored
 */
export async function saveGroups(db: Db, groups: GroupChange[], by: string): Promise<boolean> {
  const isCurrent = and(
    ...groups.map(
      ({ name, version }) =>
        sql`coalesce((SELECT version FROM shop_settings WHERE name = ${name}), 0) = ${version}`,
    ),
  );
  const rows = groups.map(
    ({ name, content }) => sql`SELECT ${name} AS name, ${JSON.stringify(content)} AS content`,
  );
  const results = await runBatch(db, [
    ...groups.map(({ name, changes }) =>
      recorded(db, {
        object: "shopSettings",
        action: "changed",
        id: name,
        changes: sql`json(${JSON.stringify(changes)})`,
        rows: sql`WHERE ${isCurrent}`,
      }),
    ),
    sql`INSERT INTO shop_settings (name, content, version, saved_by, saved_at)
      SELECT name, content, 1, ${by}, unixepoch() FROM (${sql.join(rows, sql` UNION ALL `)}) WHERE ${isCurrent}
      ON CONFLICT (name) DO UPDATE SET content = excluded.content, version = version + 1,
        saved_by = excluded.saved_by, saved_at = excluded.saved_at
      RETURNING version`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}

/** Most people whose connections are closed at once; those of others end at their next check. */
const MAX_OWING = 50;

/** Finds the active staff who have no second factor although the shop requires one. */
export const findOwing = (db: Db): Promise<{ id: string }[]> =>
  db.all(sql`SELECT users.id FROM users INDEXED BY users_team
    WHERE ${sql.raw(IS_ACTIVE_STAFF)} AND ${sql.raw(IS_OWING)} LIMIT ${MAX_OWING}`);

/** Steps of a new shop: 1 for one that is done, else 0. */
export interface StepsDone {
  shop: number;
  hours: number;
  tax: number;
  product: number;
  colleague: number;
  /** A sale or an entry of the ledger is recorded. */
  sale: number;
}

/** Finds which steps of a new shop are done: a row of each table, at most two of staff. */
export async function findStepsDone(db: Db): Promise<StepsDone> {
  const [steps] = await db.all<StepsDone>(sql`SELECT
    EXISTS (SELECT 1 FROM shop_settings WHERE name = 'shop') AS shop,
    EXISTS (SELECT 1 FROM shop_settings WHERE name = 'hours') AS hours,
    EXISTS (SELECT 1 FROM business_settings) AS tax,
    EXISTS (SELECT 1 FROM products WHERE rowid > 0) AS product,
    (SELECT count(*) FROM (SELECT 1 FROM users INDEXED BY users_team WHERE ${sql.raw(IS_ACTIVE_STAFF)} AND created_at > 0 LIMIT 2)) > 1 AS colleague,
    EXISTS (SELECT 1 FROM documents WHERE rowid > 0) OR EXISTS (SELECT 1 FROM invoices WHERE rowid > 0) AS sale`);
  return steps ?? { shop: 1, hours: 1, tax: 1, product: 1, colleague: 1, sale: 1 };
}
