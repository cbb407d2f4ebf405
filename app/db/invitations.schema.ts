import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

const flag = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);

/** Invitations that are open or have expired, until the nightly run; one that is accepted or revoked is deleted. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the mailed token, hex. */
    tokenHash: text("token_hash").notNull().unique(),
    email: text("email").notNull(),
    /** One invitation for an address (`emailKey` in app/http/email-address.ts). */
    emailKey: text("email_key").notNull().unique(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    isAdmin: flag("is_admin"),
    isManager: flag("is_manager"),
    isSeller: flag("is_seller"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** Admin who sent it last; it ends with their role. Null in rows of an earlier version. */
    invitedBy: text("invited_by"),
  },
  (t) => [index("invitations_expires").on(t.expiresAt)],
);
