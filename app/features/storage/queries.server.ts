import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { productImages } from "~/db/schema";

/** Finds the stored objects that products name, by index lookups. @param keys without `minio:` */
export async function keysInUse(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ key: productImages.key })
    .from(productImages)
    .where(sql`${productImages.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
  return new Set(rows.map(({ key }) => key));
}
