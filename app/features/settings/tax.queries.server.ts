import { sql } from "drizzle-orm";
import { difference, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { BUSINESSES } from "~/domain/enums";
import type { TaxSettings } from "./tax";

const UNREGISTERED = { number: "", name: "", rate: 0, isIncluded: true, version: 0 };

/** Reads the tax registration of both businesses. */
export async function findTaxSettings(db: Db): Promise<TaxSettings[]> {
  const rows = await db.all<Omit<TaxSettings, "isIncluded"> & { isIncluded: number }>(
    sql`SELECT business_type AS business, tax_number AS number, tax_name AS name, tax_rate AS rate,
      tax_included AS isIncluded, version FROM business_settings`,
  );
  return BUSINESSES.map((business) => {
    const row = rows.find((each) => each.business === business);
    return row ? { ...row, isIncluded: row.isIncluded === 1 } : { business, ...UNREGISTERED };
  });
}

/** Saves the tax registration of a business. @returns false when somebody else has saved since `version` */
export async function saveTaxSettings(db: Db, settings: TaxSettings): Promise<boolean> {
  const { business, number, name, rate, isIncluded, version } = settings;
  const before = (column: string) =>
    sql`(SELECT ${sql.identifier(column)} FROM business_settings WHERE business_type = ${business})`;
  const isCurrent = sql`${version} = coalesce(${before("version")}, 0)`;
  const [, , saved = []] = await runBatch(db, [
    recorded(db, {
      object: "taxSettings",
      action: "changed",
      id: business,
      changes: {
        taxNumber: difference(before("tax_number"), number),
        taxName: difference(before("tax_name"), name),
        taxRate: difference(before("tax_rate"), rate),
        taxIncluded: difference(before("tax_included"), isIncluded ? 1 : 0),
      },
      rows: sql`WHERE ${isCurrent}`,
    }),
    // Cached pages say how tax is in the prices.
    sql`INSERT INTO page_changes (product_id, category, is_everywhere) SELECT '', '', 1 WHERE ${isCurrent}`,
    sql`INSERT INTO business_settings (business_type, tax_number, tax_name, tax_rate, tax_included, version)
      SELECT ${business}, ${number}, ${name}, ${rate}, ${isIncluded ? 1 : 0}, 1
      WHERE ${isCurrent}
      ON CONFLICT (business_type) DO UPDATE SET tax_number = excluded.tax_number, tax_name = excluded.tax_name,
        tax_rate = excluded.tax_rate, tax_included = excluded.tax_included, version = version + 1
      RETURNING version`,
  ]);
  return saved.length > 0;
}
