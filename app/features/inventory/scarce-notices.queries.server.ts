import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { unitName } from "~/domain/unit-name";

/** Units of one notification or mail. */
const MAX_UNITS = 10_000;

/** Unit that has become low. */
export interface ScarceUnitNotice {
  /** With the choice. */
  name: string;
  stock: number;
}

/** Finds the ids of units that have become low since staff were told, in no order. */
export async function findScarceNotices(db: Db): Promise<string[]> {
  const rows = await db.all<{ unitId: string }>(
    sql`SELECT unit_id AS unitId FROM scarce_notices LIMIT ${MAX_UNITS}`,
  );
  return rows.map(({ unitId }) => unitId);
}

/** Finds the names and stocks of units. */
export async function findScarceUnits(db: Db, unitIds: string[]): Promise<ScarceUnitNotice[]> {
  const rows = await db.all<{ name: string; values: string; stock: number }>(sql`
    SELECT p.name, u.option_values AS "values", u.stock FROM json_each(${JSON.stringify(unitIds)}) AS told
    CROSS JOIN units AS u ON u.id = told.value CROSS JOIN products AS p ON p.id = u.product_id`);
  return rows.map(({ name, values, stock }) => ({
    stock,
    name: unitName(name, JSON.parse(values) as string[]),
  }));
}

/** Removes the notices of units that staff were told of. */
export async function removeScarceNotices(db: Db, unitIds: string[]): Promise<void> {
  await db.run(
    sql`DELETE FROM scarce_notices WHERE unit_id IN (SELECT value FROM json_each(${JSON.stringify(unitIds)}))`,
  );
}
