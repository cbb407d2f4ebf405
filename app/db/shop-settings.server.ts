import { asc, gt, type SQL, sql } from "drizzle-orm";
import { type Db, preparedQuery } from "./client.server";
import { earlierSettings, type SettingGroup, shopSettingGroups } from "./settings.schema";

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

/** Content that a group had until another one took its place. */
export interface EarlierGroup extends Pick<StoredGroup, "name" | "content"> {
  /** Epoch seconds. */
  until: number;
}

/** Reads the contents that groups have had since a moment and no longer have, the earliest first. @param since epoch seconds */
export const findEarlierSettings = (db: Db, since: SQL): Promise<EarlierGroup[]> =>
  db.all<EarlierGroup>(
    db
      .select({ name: earlierSettings.name, content: earlierSettings.content, until: earlierSettings.until })
      .from(earlierSettings)
      .where(gt(earlierSettings.until, since))
      .orderBy(asc(earlierSettings.until)),
  );
