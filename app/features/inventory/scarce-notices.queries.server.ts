import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { unitName } from "~/domain/unit-name";

/** Unit that has become low. */
export interface ScarceUnitNotice {
  unitId: string;
  /** With the choice. */
  name: string;
  stock: number;
}

/** Finds units that have become low since staff were told, in no order. */
export async function findScarceNotices(db: Db, limit: number): Promise<ScarceUnitNotice[]> {
  const rows = await db.all<{ unitId: string; name: string; values: string; stock: number }>(sql`
    SELECT told.unit_id AS unitId, p.name, u.option_values AS "values", u.stock
    FROM (SELECT unit_id FROM scarce_notices LIMIT ${limit}) AS told
    CROSS JOIN units AS u ON u.id = told.unit_id CROSS JOIN products AS p ON p.id = u.product_id`);
  return rows.map(({ unitId, name, values, stock }) => ({
    unitId,
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
