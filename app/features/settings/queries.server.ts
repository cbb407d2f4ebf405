import { and, sql } from "drizzle-orm";
import { recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
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
