import { sql } from "drizzle-orm";
import { preparedQuery } from "./client.server";
import { type SettingGroup, shopSettingGroups } from "./settings.schema";

/** Stored group of the owner's settings. */
export interface StoredGroup {
  name: SettingGroup;
  /** JSON of its fields. */
  content: string;
  version: number;
  savedBy: string;
  /** Epoch seconds. */
  savedAt: number;
}

/** Reads the stored groups of the owner's settings, at most one row each. */
export const findSettingGroups = preparedQuery<StoredGroup>((db) => {
  const { name, content, version, savedBy, savedAt } = shopSettingGroups;
  const more = { savedBy: sql`${savedBy}`.as("savedBy"), savedAt: sql`${savedAt}`.as("savedAt") };
  return db.select({ name, content, version, ...more }).from(shopSettingGroups);
});
