import { DatabaseSync } from "node:sqlite";
import { getTableColumns } from "drizzle-orm";
import { products } from "~/db/schema";
import { PRODUCT } from "~/features/catalogue/product";
import { firstMigrations } from "./migration-files.mjs";

const columns = getTableColumns(products);
const names = (fields: typeof PRODUCT.columns) =>
  fields.map(({ column }) => columns[column as keyof typeof columns].name);
const differ = (of: string[]) => of.map((name) => `old.${name} <> new.${name}`).join(" OR ");

/** Columns that the search reads by others: folded, and a description without its tags. */
const FOLDED = ["name", "description", "category", "colors"];
const searched = names(PRODUCT.columns.filter(({ field }) => field.isSearched));
const others = searched.filter((name) => !FOLDED.includes(name));
/** Values of a product's options, such as sizes. */
const values = (of: string) =>
  `coalesce((SELECT group_concat(v.value, ' ') FROM json_each(${of}options) AS o, json_each(o.value, '$.values') AS v), '')`;
const words = ["new.folded_text", ...others.map((name) => `new.${name}`), values("new.")].join(" || ' ' || ");
const read = ["folded_text", ...others, values("")].join(" || ' ' || ");
const written = ["name", "category", "search_text", "colors", "options", "is_hidden", ...others];
const forms = ["search_name", "search_description", "search_colors"];
/** Index of the shop's search, and that of hidden products. */
const INDEXES = ["product_search", "hidden_search"];
const index = (row: string) => `${INDEXES.map(
  (table, isHidden) => `INSERT INTO ${table} (rowid, name, category, search_text)
  ${row} AND new.is_hidden = ${isHidden};`,
).join("\n  ")}
  INSERT INTO product_inbox (rowid, text) VALUES (1, new.folded_name || ' ' || new.category || ' ' || ${words});
  INSERT INTO product_words (word)
  SELECT term FROM product_inbox_words
  WHERE length(term) BETWEEN 3 AND 40 AND NOT EXISTS (SELECT 1 FROM product_words WHERE word = term);
  INSERT INTO product_inbox (product_inbox) VALUES ('delete-all');
END`;

/** Columns of the record's fields, and those that its units share. */
const FIELDS = [...names(PRODUCT.columns), "options"];
const OWN_PRICE = "old.base_cents IS NOT new.base_cents";
/** Columns that pages show and no field of the record writes. */
const SHOWN = [...FIELDS, "image_alts", "held"];

/** Triggers that list the fields of a product, by their names. */
const TRIGGERS = {
  pages_product_changed: `CREATE TRIGGER pages_product_changed AFTER UPDATE ON products
WHEN ${differ(SHOWN)} OR ${OWN_PRICE} BEGIN
  INSERT INTO page_changes (product_id, category, is_everywhere)
  VALUES (new.id, new.category, ${differ(["category", "image_urls", "is_hidden"])});
END`,
  product_search_insert: `CREATE TRIGGER product_search_insert AFTER INSERT ON products BEGIN
  ${index(`SELECT new.row, new.folded_name, new.category, ${words} WHERE true`)}`,
  product_search_update: `CREATE TRIGGER product_search_update AFTER UPDATE OF ${[...written, ...forms].join(", ")} ON products
WHEN ${differ(written)} OR ${forms.map((name) => `old.${name} IS NOT new.${name}`).join(" OR ")} BEGIN
  ${INDEXES.map((table) => `DELETE FROM ${table} WHERE rowid = old.rowid;`).join("\n  ")}
  ${index(`SELECT row, folded_name, category, ${read} FROM products WHERE row = new.row`)}`,
  webhooks_product_changed: `CREATE TRIGGER webhooks_product_changed AFTER UPDATE ON products
WHEN ${differ(FIELDS)} OR ${OWN_PRICE} BEGIN
  INSERT INTO webhook_deliveries (id, webhook_id, event, subject, due_at, created_at)
  SELECT 'msg_' || lower(hex(randomblob(16))), webhooks.id, 'product.changed', new.id, unixepoch(), unixepoch()
  FROM webhooks WHERE disabled_at IS NULL AND instr(events, '"product.changed"') > 0
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS unsent WHERE unsent.data IS NULL
      AND unsent.subject = new.id AND unsent.webhook_id = webhooks.id AND unsent.event = 'product.changed');
END`,
};

const squeezed = (sql: string) => sql.replace(/\s+/g, " ");

/** Returns the statements by which a migration replaces the triggers that don't list the fields that the records have. */
export function triggerChanges(): string[] {
  const database = new DatabaseSync(":memory:");
  for (const { sql } of firstMigrations()) database.exec(sql);
  const live = database.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?");
  return Object.entries(TRIGGERS)
    .filter(([name, sql]) => squeezed(String(live.get(name)?.sql)) !== squeezed(sql))
    .flatMap(([name, sql]) => [...(live.get(name) ? [`DROP TRIGGER ${name};`] : []), `${sql};`]);
}
