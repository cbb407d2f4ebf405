import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Searches of shoppers that found nothing, by day and words, without the person; the nightly run keeps 30 days. */
export const missedSearchDays = sqliteTable(
  "missed_search_days",
  {
    /** Day of the shop, `YYYY-MM-DD`. */
    day: text("day").notNull(),
    /** Folded words, separated by one space. */
    words: text("words").notNull(),
    searches: integer("searches").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.words] }), index("missed_search_days_words").on(t.words)],
);

/** Sums of `missed_search_days` by words; triggers maintain them. */
export const missedSearches = sqliteTable(
  "missed_searches",
  {
    words: text("words").primaryKey(),
    searches: integer("searches").notNull(),
  },
  (t) => [index("missed_searches_most").on(t.searches, t.words)],
);
