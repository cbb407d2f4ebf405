import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Kinds of authors; an import acts for its user, a key for whoever made it. */
const AUTHOR_KINDS = ["staff", "customer", "visitor", "system", "import", "key"] as const;
export type AuthorKind = (typeof AUTHOR_KINDS)[number];

/** Changes, one row each (docs/decisions/0029-audit.md). Triggers refuse every change of a row. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    /** Rowid, without gaps. */
    seq: integer("seq").primaryKey(),
    /** Epoch seconds by D1's clock. */
    at: integer("at").notNull(),
    authorKind: text("author_kind", { enum: AUTHOR_KINDS }).notNull(),
    /** User, also of an import or key; null for visitors and the system. */
    authorId: text("author_id"),
    /** Run of the import, or API key. */
    sourceId: text("source_id"),
    action: text("action").notNull(),
    object: text("object").notNull(),
    objectId: text("object_id").notNull(),
    /** JSON by field: `[before, after]`, or `true` where only the change itself is recorded. */
    changes: text("changes").notNull(),
  },
  (t) => [
    index("audit_log_at").on(t.at),
    index("audit_log_author_at").on(t.authorId, t.at).where(sql`author_id IS NOT NULL`),
    index("audit_log_kind_at").on(t.authorKind, t.at).where(sql`author_kind <> 'staff'`),
    index("audit_log_object").on(t.objectId, t.at),
    index("audit_log_objects").on(t.object, t.at),
    check(
      "audit_log_author",
      sql`author_kind IN ('staff', 'customer', 'visitor', 'system', 'import', 'key')`,
    ),
  ],
);

/** Hash chain of the audit log: SHA-256 over the hash before and the row with this number. */
export const auditSeals = sqliteTable("audit_seals", {
  seq: integer("seq").primaryKey(),
  hash: text("hash").notNull(),
});
