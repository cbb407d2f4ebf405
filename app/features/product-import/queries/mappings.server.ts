import { inArray } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { importMappings } from "~/db/schema";

/** Finds a saved mapping. @param key hash of the headers for columns, CATEGORIES_KEY for categories */
export async function findMapping(db: Db, key: string): Promise<Record<string, string> | null> {
  const rows = await db
    .select({ mapping: importMappings.mapping })
    .from(importMappings)
    .where(inArray(importMappings.headers, [key]))
    .limit(1);
  return rows[0]?.mapping ?? null;
}

export async function saveMapping(
  db: Db,
  key: string,
  mapping: Record<string, string>,
  now: number,
): Promise<void> {
  await db
    .insert(importMappings)
    .values({ headers: key, mapping, updatedAt: now })
    .onConflictDoUpdate({ target: importMappings.headers, set: { mapping, updatedAt: now } });
}
