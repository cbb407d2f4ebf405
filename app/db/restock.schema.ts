import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./schema";

/**
 * People who wait for a sold-out unit, in the order in which they asked; triggers delete those of units that are deleted and of
 * products that are deleted or hidden (docs/decisions/0093-back-in-stock.md). A row of no unit keeps that the owner of an address
 * has ended its mails: its id is the hash.
 */
export const restockRequests = sqliteTable(
  "restock_requests",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    /** Hash of the address, and a random part; mailed links are signed for it. */
    id: text("id").notNull().unique(),
    productId: text("product_id").notNull(),
    unitId: text("unit_id").notNull(),
    /** Address as it was typed; "" for a browser. */
    email: text("email").notNull().default(""),
    /** Key of the address (`emailKey` in app/http/email-address.ts), or the browser's endpoint. */
    party: text("party").notNull(),
    /** Account that asked; null for a stranger. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Keys of a browser's subscription, and the shop's key that it was made with; "" for an address. */
    p256dh: text("p256dh").notNull().default(""),
    auth: text("auth").notNull().default(""),
    publicKey: text("public_key").notNull().default(""),
    createdAt: integer("created_at").notNull(),
    /** Time at which the row is deleted: soon where it is not confirmed or was notified, else after a year. */
    expiresAt: integer("expires_at").notNull(),
    /** Null until the owner of the address has confirmed it. */
    confirmedAt: integer("confirmed_at"),
    /** Time of the next attempt to send the message; null while the unit is sold out. */
    dueAt: integer("due_at"),
    attempts: integer("attempts").notNull().default(0),
    /** Time at which the message was sent, which ends the request; its link goes on to work for a while. */
    notifiedAt: integer("notified_at"),
  },
  (t) => [
    uniqueIndex("restock_requests_party").on(t.party, t.unitId),
    index("restock_requests_waiting")
      .on(t.unitId, t.seq)
      .where(sql`confirmed_at IS NOT NULL AND due_at IS NULL AND notified_at IS NULL`),
    index("restock_requests_due").on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index("restock_requests_product").on(t.productId, t.unitId, t.confirmedAt, t.notifiedAt),
    index("restock_requests_expires").on(t.expiresAt),
    index("restock_requests_user").on(t.userId).where(sql`user_id IS NOT NULL`),
    check("restock_requests_kind", sql`(email = '') = (p256dh <> '')`),
  ],
);

/** Units that people wait for and that have become available since, with the number of people to be notified; a trigger notes them. */
export const restocks = sqliteTable("restocks", {
  unitId: text("unit_id").primaryKey(),
  /** Three for each piece that came. */
  people: integer("people").notNull(),
  notedAt: integer("noted_at").notNull(),
});

/** Addresses of accounts whose owner has opened a link that was mailed there; another address of the account is not proven. */
export const provenAddresses = sqliteTable("proven_addresses", {
  userId: text("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  emailKey: text("email_key").notNull(),
  provenAt: integer("proven_at").notNull(),
});
