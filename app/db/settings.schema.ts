import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Groups of the owner's settings, each saved by a form of its own. */
export const SETTING_GROUPS = ["shop", "hours", "home", "sales"] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** Owner's settings; a group has no row before it is first saved (docs/decisions/0077-settings.md). */
export const shopSettingGroups = sqliteTable(
  "shop_settings",
  {
    name: text("name", { enum: SETTING_GROUPS }).primaryKey(),
    /** JSON of the group's fields; one that is missing has its default. */
    content: text("content", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    version: integer("version").notNull(),
    savedBy: text("saved_by").notNull(),
    savedAt: integer("saved_at").notNull(),
  },
  () => [
    check("shop_settings_name", sql`name IN ('shop', 'hours', 'home', 'sales')`),
    check("shop_settings_content", sql`json_type(content) = 'object'`),
  ],
);

/** Contents that groups had before they were saved anew, for the documents of that time; triggers write them. */
export const earlierSettings = sqliteTable(
  "earlier_settings",
  {
    /** Second in which another content took its place, epoch seconds. */
    until: integer("until").notNull(),
    name: text("name", { enum: SETTING_GROUPS }).notNull(),
    /** JSON as in `shop_settings`; `{}` for the defaults of a new shop. */
    content: text("content", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.until, t.name] })],
);
