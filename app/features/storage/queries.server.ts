import { eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { chatSettings, earlierSettings, productImages, products, shopSettingGroups } from "~/db/schema";

/** Finds the stored objects that products and settings name, by index lookups. @param keys without `minio:` */
export async function keysInUse(db: Db, keys: string[]): Promise<Set<string>> {
  const ofProducts = db
    .selectDistinct({ key: productImages.key })
    .from(productImages)
    .where(sql`${productImages.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`);
  const ofSettings = db
    .select({ key: chatSettings.answererPicture })
    .from(chatSettings)
    .where(eq(chatSettings.one, 1))
    .unionAll(
      db
        .select({ key: sql<string>`coalesce(content ->> '$.logo', '')` })
        .from(shopSettingGroups)
        .where(eq(shopSettingGroups.name, "shop")),
    )
    // Receipts show the logo of their time.
    .unionAll(
      db
        .select({ key: sql<string>`coalesce(content ->> '$.logo', '')` })
        .from(earlierSettings)
        .where(eq(earlierSettings.name, "shop")),
    );
  const rows = await db.batch([ofProducts, ofSettings]);
  return new Set(rows.flat().map(({ key }) => key));
}

export async function productExists(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: products.id }).from(products).where(eq(products.id, id)).limit(1);
  return rows.length > 0;
}
