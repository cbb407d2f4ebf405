import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Category } from "../domain/categories";
import type { Plate } from "../domain/engraving-plate";
import { SHOP_LOW_STOCK } from "../domain/stock-levels";
import { IS_UNSORTED, lacksSearchForm, searchFormColumn, sortKeyColumn } from "./columns";
import { FEW_LEFT } from "./units.schema";

export * from "./chat.schema";
export * from "./drawers.schema";
export * from "./factors.schema";
export * from "./holds.schema";
export * from "./integrations.schema";
export * from "./invitations.schema";
export * from "./ledger.schema";
export * from "./mails.schema";
export * from "./records.schema";
export * from "./restock.schema";
export * from "./runs.schema";
export * from "./sales.schema";
export * from "./search-log.schema";
export * from "./settings.schema";
export * from "./units.schema";

// Times are epoch seconds (UTC), money is integer cents, ids are opaque strings.

const flag = (name: string) => integer(name, { mode: "boolean" }).notNull().default(false);
const strings = (name: string) => text(name, { mode: "json" }).$type<string[]>().notNull().default([]);

/** Named choice of a product, with its values in order. */
export interface ProductOption {
  name: string;
  values: string[];
}

/** Condition on a product that shoppers may see, spelled as in the indexes of the shop's orders. */
export const IS_SHOWN = sql.raw("is_hidden = 0") as SQL<boolean>;

/** Condition that pieces are left which are not on hold, as indexes of products spell it. */
const IN_STOCK = sql`(stock > held)`;

/** Condition of an own number of low stock. */
const HAS_OWN_LOW = sql.raw(`low_stock > ${SHOP_LOW_STOCK}`);

/** Products. `searchText` is the description without tags. */
export const products = sqliteTable(
  "products",
  {
    /** Explicit rowid, which VACUUM does not change: the search index refers to it. */
    row: integer("row").primaryKey(),
    id: text("id").notNull().unique(),
    name: text("name").notNull(),
    /** `identityKey` of the name (app/db/text.ts): identifies a product in an import. */
    nameKey: text("name_key").notNull(),
    description: text("description").notNull().default(""),
    searchText: text("search_text").notNull().default(""),
    priceCents: integer("price_cents").notNull(),
    stock: integer("stock").notNull().default(0),
    category: text("category").$type<Category>().notNull(),
    colors: strings("colors"),
    imageUrls: strings("image_urls"),
    /** Alternative texts in the order of imageUrls; may be shorter. */
    imageAlts: strings("image_alts"),
    /** Random number set on write: featured products start at a random position in this order. */
    shuffle: integer("shuffle").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Pieces in holds, those included that have ended since the last write (app/db/stock.ts). */
    held: integer("held").notNull().default(0),
    /** JSON of the latest change of stock: `{id, reason, actor, documentId}`; a trigger makes it a movement. */
    stockChange: text("stock_change"),
    /** Allows words to be engraved. */
    hasEngraving: flag("has_engraving"),
    /** Name of what `colors` lists, such as Size; "" for Colour. */
    optionLabel: text("option_label").notNull().default(""),
    /** Choices whose stock is counted each, at most three; none for a product of one unit. */
    options: text("options", { mode: "json" }).$type<ProductOption[]>().notNull().default([]),
    /** Price of the product whose units have prices of their own: `priceCents` is then the lowest one that can be bought. */
    baseCents: integer("base_cents"),
    /** JSON of the engraving plates by image entry (app/features/catalogue/engraving.ts). */
    plates: text("plates", { mode: "json" }).$type<Record<string, Plate>>().notNull().default({}),
    /** Shoppers find it nowhere; staff can sell it (docs/decisions/0071-hidden-products.md). */
    isHidden: flag("is_hidden"),
    /** Pieces up to which its units count as low; -1 for the number of the settings. */
    lowStock: integer("low_stock").notNull().default(SHOP_LOW_STOCK),
    sortKey: sortKeyColumn(),
    searchName: searchFormColumn("search_name"),
    searchDescription: searchFormColumn("search_description"),
    searchColors: searchFormColumn("search_colors"),
  },
  (t) => [
    index("products_unfolded")
      .on(t.row)
      .where(sql.raw(lacksSearchForm("products"))),
    index("products_default").on(t.createdAt, t.id),
    index("products_price").on(t.priceCents, t.id),
    index("products_sorted").on(t.sortKey, t.id),
    index("products_stock").on(t.stock, t.id),
    index("products_category_stock").on(t.category, t.stock, t.id),
    index("products_category_default").on(t.category, t.createdAt, t.id),
    index("products_category_price").on(t.category, t.priceCents, t.id),
    index("products_category_sorted").on(t.category, t.sortKey, t.id),
    // For the previous version; the inventory's filters have products_units_low and products_units_out (migrations/0086_unit_levels.sql).
    index("products_low_sorted").on(t.sortKey, t.id).where(FEW_LEFT),
    index("products_out_sorted").on(t.sortKey, t.id).where(sql`stock = 0`),
    index("products_unsorted").on(t.id).where(sql.raw(IS_UNSORTED)),
    // The shop's orders, of what is not hidden; migrations/0084_product_hidden.sql has those of its price bands too.
    index("products_shown_default").on(IN_STOCK, t.createdAt, t.id).where(IS_SHOWN),
    index("products_shown_category_default").on(t.category, IN_STOCK, t.createdAt, t.id).where(IS_SHOWN),
    index("products_shown_category_newest").on(t.category, t.createdAt, t.id).where(IS_SHOWN),
    index("products_shown_price").on(t.priceCents, t.id).where(IS_SHOWN),
    index("products_shown_category_price").on(t.category, t.priceCents, t.id).where(IS_SHOWN),
    index("products_shown_available_price").on(IN_STOCK, t.priceCents, t.id).where(IS_SHOWN),
    index("products_shown_category_available_price")
      .on(t.category, IN_STOCK, t.priceCents, t.id)
      .where(IS_SHOWN),
    index("products_shown_sorted").on(t.sortKey, t.id).where(IS_SHOWN),
    index("products_shown_category_sorted").on(t.category, t.sortKey, t.id).where(IS_SHOWN),
    index("products_shown_shuffle").on(IN_STOCK, t.shuffle).where(IS_SHOWN),
    // Products with a number of their own, which a change of the settings leaves as they are.
    index("products_own_low").on(t.id).where(HAS_OWN_LOW),
    // An import identifies products by these columns.
    index("products_name").on(t.nameKey, t.id),
    // For the previous version, which still runs during a deployment; its price bands too.
    index("products_available_default").on(IN_STOCK, t.createdAt, t.id),
    index("products_category_available_default").on(t.category, IN_STOCK, t.createdAt, t.id),
    index("products_available_price").on(IN_STOCK, t.priceCents, t.id),
    index("products_category_available_price").on(t.category, IN_STOCK, t.priceCents, t.id),
    index("products_available_shuffle").on(IN_STOCK, t.shuffle),
  ],
);

/** Keys by which other systems know products; a trigger removes those of deleted products. */
export const productKeys = sqliteTable(
  "product_keys",
  {
    /** The system, or the kind of key where several share it, such as `handle`. */
    system: text("system").notNull(),
    key: text("key").notNull(),
    productId: text("product_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.system, t.key] }),
    uniqueIndex("product_keys_product").on(t.productId, t.system),
  ],
);

/** Words that a search may replace (migrations/0042_search_synonyms.sql, migrations/0070_search_meanings.sql). */
export const searchSynonyms = sqliteTable(
  "search_synonyms",
  {
    /** Lower case, without diacritics; several words are separated by one space. */
    word: text("word").notNull(),
    meaning: text("meaning").notNull(),
    /** True for the same meaning; false where the meaning is one kind of the word: `wooden` finds walnut, not the reverse. */
    bothWays: integer("both_ways", { mode: "boolean" }).notNull().default(true),
  },
  (t) => [
    primaryKey({ columns: [t.word, t.meaning] }),
    index("search_synonyms_meaning").on(t.meaning, t.word),
  ],
);

/**
 * Changes that cached pages do not show yet; triggers add them, and who has purged the pages removes them
 * (docs/decisions/0067-shared-cache.md).
 */
export const pageChanges = sqliteTable("page_changes", {
  seq: integer("seq").primaryKey({ autoIncrement: true }),
  productId: text("product_id").notNull(),
  category: text("category").notNull(),
  /** Every page shows it: the number of a category's products, its picture, a word of the search. */
  isEverywhere: integer("is_everywhere", { mode: "boolean" }).notNull(),
});

/** Products by price, in all ('') and by category; triggers maintain it (docs/decisions/0028-shop-filters.md). */
export const priceCounts = sqliteTable(
  "price_counts",
  {
    category: text("category").notNull(),
    level: integer("level").notNull(),
    bucket: integer("bucket").notNull(),
    products: integer("products").notNull(),
    /** Those in stock. */
    available: integer("available").notNull(),
  },
  (t) => [primaryKey({ columns: [t.category, t.level, t.bucket] })],
);

/** Products by price and category, for each bucket of `priceCounts` in one row; triggers maintain it. */
export const priceCategories = sqliteTable(
  "price_categories",
  {
    level: integer("level").notNull(),
    bucket: integer("bucket").notNull(),
    /** JSON by category: the products, and those in stock. */
    counts: text("counts", { mode: "json" }).$type<Record<string, [number, number]>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.level, t.bucket] })],
);

/** Favourites of accounts; a trigger removes those of deleted products. */
export const favourites = sqliteTable(
  "favourites",
  {
    userId: text("user_id").notNull(),
    productId: text("product_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.productId] }),
    index("favourites_product").on(t.productId),
    index("favourites_latest").on(t.userId, sql`created_at DESC`, t.productId),
  ],
);

/** Favourites of visitors, by the SHA-256 of a key in their cookies; a trigger removes those of deleted products. */
export const visitorFavourites = sqliteTable(
  "visitor_favourites",
  {
    /** Order of adding. */
    row: integer("row").primaryKey({ autoIncrement: true }),
    visitor: text("visitor").notNull(),
    productId: text("product_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("visitor_favourites_product").on(t.visitor, t.productId),
    index("visitor_favourites_of").on(t.productId),
    index("visitor_favourites_created").on(t.createdAt),
  ],
);

/** Products of the favourites of an account or a visitor in one row, which every page of the shop reads; triggers maintain it. */
export const favouriteLists = sqliteTable("favourite_lists", {
  /** Account, or hash of a visitor's key. */
  owner: text("owner").primaryKey(),
  /** In the order of adding. */
  ids: text("ids", { mode: "json" }).$type<string[]>().notNull(),
});

/** Stored images in use, maintained by triggers; the nightly clean-up removes unused ones. */
export const productImages = sqliteTable(
  "product_images",
  {
    /** Without `minio:`. */
    key: text("key").notNull(),
    product: integer("product").notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.product] }), index("product_images_product").on(t.product)],
);

/** Products per category, maintained by triggers so that no page counts rows. */
export const categoryCounts = sqliteTable("category_counts", {
  category: text("category").primaryKey(),
  products: integer("products").notNull(),
});

/** Condition of the index of active staff, which their queries repeat, without parameters. */
export const IS_ACTIVE_STAFF = "(is_admin = 1 OR is_manager = 1 OR is_seller = 1) AND is_user = 1";

/** Roles in ascending order, as the index of users spells them. */
export const ROLE_RANK =
  "(is_admin * 3 + (is_manager AND NOT is_admin) * 2 + (is_seller AND NOT is_manager AND NOT is_admin))";

/** User accounts. Passwords are scrypt hashes with their parameters. */
export const users = sqliteTable(
  "users",
  {
    id: text("id").primaryKey(),
    email: text("email").notNull(),
    /** Key by which addresses are compared (app/http/email-address.ts). */
    emailKey: text("email_key").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    username: text("username").notNull().default(""),
    phoneNumber: text("phone_number").notNull().default(""),
    photoUrl: text("photo_url").notNull().default(""),
    passwordHash: text("password_hash").notNull(),
    isAdmin: flag("is_admin"),
    isManager: flag("is_manager"),
    /** Works at the till, without the books (docs/decisions/0079-colleagues.md). */
    isSeller: flag("is_seller"),
    isUser: integer("is_user", { mode: "boolean" }).notNull().default(true),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    sortKey: sortKeyColumn(),
    searchName: searchFormColumn("search_name"),
  },
  (t) => [
    uniqueIndex("users_email_key").on(t.emailKey),
    index("users_unfolded")
      .on(t.id)
      .where(sql.raw(lacksSearchForm("users"))),
    index("users_created").on(t.createdAt, t.id),
    index("users_sorted").on(t.sortKey, t.id),
    index("users_unsorted").on(t.id).where(sql.raw(IS_UNSORTED)),
    // For the previous version, which still runs during a deployment.
    index("users_name").on(sql`lower(first_name)`, sql`lower(last_name)`, t.id),
    index("users_phone").on(t.phoneNumber, t.id),
    // For the previous version, as users_staff.
    index("users_role").on(sql`(is_admin * 2 + (is_manager and not is_admin))`, t.createdAt, t.id),
    index("users_rank").on(sql.raw(ROLE_RANK), t.createdAt, t.id),
    index("users_active").on(t.isUser, t.createdAt, t.id),
    index("users_staff").on(t.createdAt).where(sql.raw("(is_admin = 1 OR is_manager = 1) AND is_user = 1")),
    index("users_team").on(t.createdAt).where(sql.raw(IS_ACTIVE_STAFF)),
  ],
);

/** Account that rows are compared with: its id, or an expression for it. */
export type AccountRef = SQL | string;

/** Row numbers of users in the search index (migrations/0006_users.sql), maintained by triggers. */
export const userRows = sqliteTable("user_rows", {
  row: integer("row").primaryKey(),
  userId: text("user_id").notNull().unique(),
});

/** Number of users in a single row, maintained by triggers. */
export const userCounts = sqliteTable("user_counts", {
  one: integer("one").primaryKey(),
  users: integer("users").notNull(),
});

/** Sessions. Only the token's SHA-256 is stored. */
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
