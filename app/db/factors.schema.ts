import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./schema";

// Second factor of staff (docs/decisions/0095-second-factor.md). Times are epoch seconds.

/** Authenticators of staff. An account with one signs in with a code as well. */
export const secondFactors = sqliteTable("second_factors", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Secret of the codes in base32, sealed with a key that is derived from COOKIE_SECRET. */
  secret: text("secret").notNull(),
  /** Number of the 30 seconds since 1970 whose code was used last: no code up to it is taken again. */
  lastStep: integer("last_step").notNull(),
  /** Wrong codes since the last right one. */
  failures: integer("failures").notNull().default(0),
  failedAt: integer("failed_at").notNull().default(0),
  createdAt: integer("created_at").notNull(),
});

/** Codes that replace a lost authenticator; one that is used is deleted. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    userId: text("user_id")
      .notNull()
      .references(() => secondFactors.userId, { onDelete: "cascade" }),
    /** SHA-256 of the user's id and the code, hex. */
    codeHash: text("code_hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);
