import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { LOW_STOCK } from "./low-stock";

export * from "./ledger.schema";
export * from "./stock.schema";

/** Times are epoch seconds (UTC), money is integer cents, ids are opaque strings. */

const flag = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);
const strings = (name: string) => text(name, { mode: "json" }).$type<string[]>().notNull().default([]);

/** The catalogue (spec 3, Product). `searchText` is the description without its tags. */
export const products = sqliteTable(
  "products",
  {
    /** The rowid by name, so that it stays through a VACUUM: the search index refers to it. */
    row: integer("row").primaryKey(),
    id: text("id").notNull().unique(),
    name: text("name").notNull(),
    /** Trimmed, NFC, lower case: two products of the same name are one in a bulk upload, and A-Z sorts by it. */
    nameKey: text("name_key").notNull(),
    description: text("description").notNull().default(""),
    searchText: text("search_text").notNull().default(""),
    priceCents: integer("price_cents").notNull(),
    stock: integer("stock").notNull().default(0),
    category: text("category").notNull(),
    colors: strings("colors"),
    imageUrls: strings("image_urls"),
    /** What the pictures show, in the order of imageUrls; may be shorter. */
    imageAlts: strings("image_alts"),
    /** A random number drawn when the row is written: featured products are read from a random place in this order. */
    shuffle: integer("shuffle").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("products_default").on(t.createdAt, t.id),
    index("products_price").on(t.priceCents, t.id),
    index("products_name").on(t.nameKey, t.id),
    index("products_stock").on(t.stock, t.id),
    index("products_category_stock").on(t.category, t.stock, t.id),
    index("products_category_default").on(t.category, t.createdAt, t.id),
    index("products_category_price").on(t.category, t.priceCents, t.id),
    index("products_category_name").on(t.category, t.nameKey, t.id),
    // The inventory's two filters, in the order of its names.
    index("products_low")
      .on(t.nameKey, t.id)
      .where(sql.raw(`stock BETWEEN 1 AND ${LOW_STOCK}`)),
    index("products_out").on(t.nameKey, t.id).where(sql`stock = 0`),
    index("products_shuffle").on(sql`(stock > 0)`, t.shuffle),
  ],
);

/** Which products name which stored objects, kept by triggers: what nobody names is swept (contract: Deleting a product). */
export const productImages = sqliteTable(
  "product_images",
  {
    /** Without `minio:`. */
    key: text("key").notNull(),
    product: integer("product").notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.product] }), index("product_images_product").on(t.product)],
);

/** Runs of the product import, with their results. */
export const importRuns = sqliteTable(
  "import_runs",
  {
    id: text("id").primaryKey(),
    /** Kept when the account is deleted. */
    userName: text("user_name").notNull(),
    fileName: text("file_name").notNull(),
    /** SHA-256 of the person, the file's name and its content, while the run is planned. */
    fingerprint: text("fingerprint"),
    source: text("source", { enum: ["template", "shopify", "woocommerce", "other"] }).notNull(),
    state: text("state", { enum: ["planned", "running", "done", "failed"] }).notNull(),
    rows: integer("rows").notNull().default(0),
    created: integer("created").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    unchanged: integer("unchanged").notNull().default(0),
    rejected: integer("refused").notNull().default(0),
    /** JSON: the first rejected rows, `{row, product, error}`; R2 has all of them. */
    errorDetails: text("error_details", { mode: "json" }).$type<unknown[]>().notNull().default([]),
    /** JSON: the first rows that were skipped or guessed, `{row, product, note}`. */
    notes: text("notes", { mode: "json" }).$type<unknown[]>().notNull().default([]),
    startedAt: integer("started_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (t) => [
    index("import_runs_started").on(t.startedAt, t.id),
    uniqueIndex("import_runs_fingerprint").on(t.fingerprint),
    check("import_runs_source", sql`${t.source} IN ('template', 'shopify', 'woocommerce', 'other')`),
    check("import_runs_state", sql`${t.state} IN ('planned', 'running', 'done', 'failed')`),
  ],
);

/** Fields that staff chose for the columns of files with the same headers. */
export const importMappings = sqliteTable("import_mappings", {
  /** SHA-256 of the headers, hex. */
  headers: text("headers").primaryKey(),
  mapping: text("mapping", { mode: "json" }).$type<Record<string, string>>().notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/** How many products each category holds, kept by triggers so that no page counts rows. */
export const categoryCounts = sqliteTable("category_counts", {
  category: text("category").primaryKey(),
  products: integer("products").notNull(),
});

/** People with an account (spec 3, User). Passwords are scrypt hashes with their parameters. */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull(),
    /** Key by which addresses are compared (app/http/email-key.ts). */
    emailKey: text("email_key").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    username: text("username").notNull().default(""),
    phoneNumber: text("phone_number").notNull().default(""),
    photoUrl: text("photo_url").notNull().default(""),
    passwordHash: text("password_hash").notNull(),
    isAdmin: flag("is_admin"),
    isManager: flag("is_manager"),
    isUser: integer("is_user", { mode: "boolean" }).notNull().default(true),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    uniqueIndex("users_email_key").on(t.emailKey),
    index("users_created").on(t.createdAt, t.id),
    index("users_name").on(sql`lower(first_name)`, sql`lower(last_name)`, t.id),
    index("users_phone").on(t.phoneNumber, t.id),
    index("users_role").on(sql`(is_admin * 2 + (is_manager and not is_admin))`, t.createdAt, t.id),
    index("users_active").on(t.isUser, t.createdAt, t.id),
  ],
);

/** A number for each user, under which the search (migration 0006) knows them. Kept by triggers. */
export const userRows = sqliteTable("user_rows", {
  row: integer("row").primaryKey(),
  userId: text("user_id").notNull().unique(),
});

/** How many users there are, in its one row, kept by triggers so that no page counts them. */
export const userCounts = sqliteTable("user_counts", {
  one: integer("one").primaryKey(),
  users: integer("users").notNull(),
});

/** Who is signed in. Only the token's SHA-256 is stored. */
export const sessions = sqliteTable(
  "sessions",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expires").on(t.expiresAt)],
);

/** Links sent by forgot-password: single use, one hour. Only the token's SHA-256 is stored. */
export const passwordResets = sqliteTable(
  "password_resets",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (t) => [index("password_resets_user").on(t.userId), index("password_resets_expires").on(t.expiresAt)],
);

/**
 * The list of chats as the console shows it: each row is a projection of its room, which owns the chat and writes
 * the row anew whenever it changes (architecture: Live chat).
 */
export const chats = sqliteTable(
  "chats",
  {
    id: text("id").primaryKey(),
    userName: text("user_name").notNull(),
    userEmail: text("user_email").notNull().default(""),
    /** The signed-in customer who began it. No reference: a room must be able to write its row at any time. */
    userId: text("user_id"),
    isAnonymous: flag("is_anonymous"),
    /** Shortened. */
    lastMessage: text("last_message").notNull().default(""),
    /** Epoch milliseconds: of two chats in the same second the later one still stands first. */
    lastMessageAt: integer("last_message_at").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    /** Grows with every change of the room, so that a late write never undoes a newer one. */
    revision: integer("revision").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("chats_latest").on(t.lastMessageAt, t.id), index("chats_user").on(t.userId, t.lastMessageAt)],
);

/** Whole chats waiting for their rooms: the demo's, and those of a back-up. A room without a chat takes its own from here. */
export const chatImports = sqliteTable("chat_imports", {
  chatId: text("chat_id").primaryKey(),
  /** JSON: what the room is filled with. */
  content: text("content", { mode: "json" }).$type<unknown>().notNull(),
});

/** What the seller answers again and again (back office 3, Predefined response). */
export const predefinedResponses = sqliteTable(
  "predefined_responses",
  {
    id: text("id").primaryKey(),
    trigger: text("trigger").notNull(),
    response: text("response").notNull(),
    category: text("category").notNull().default("General"),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("predefined_responses_created").on(t.createdAt, t.id)],
);

/** Back office 3, Chat settings: one row, or none before they are first saved. */
export const chatSettings = sqliteTable("chat_settings", {
  one: integer("one").primaryKey(),
  welcomeMessage: text("welcome_message").notNull(),
  offlineMessage: text("offline_message").notNull(),
  isOnline: integer("is_online", { mode: "boolean" }).notNull(),
  autoResponseEnabled: integer("auto_response_enabled", { mode: "boolean" }).notNull(),
  /** Grows with every change: of two announcements of isOnline the later one counts, in whatever order they arrive. */
  version: integer("version").notNull(),
});
