import { type SQL, sql } from "drizzle-orm";
import { textSearch } from "~/db/search";
import { searchedForms, searchKey } from "~/db/text";

/** Matches of each kind, and of all kinds, whose changes a search lists: the newest. */
const MAX_FOUND = 20;
/** Deleted products among them: each has its name read from the log. */
const MAX_DELETED = 10;

/**
 * Kinds that a search finds by full text: index, columns that it searches, and the ids of its rows. Of products those that are
 * shown, hidden and deleted are indexed apart.
 */
const INDEXES = [
  { kind: "product", columns: "{name} : ", ids: "id FROM products WHERE rowid" },
  { kind: "hidden", columns: "{name} : ", ids: "id FROM products WHERE rowid" },
  { kind: "deleted", columns: "", ids: "object_id FROM audit_log WHERE seq" },
  { kind: "customer", columns: "", ids: "id FROM customers WHERE row" },
  { kind: "user", columns: "", ids: "user_id FROM user_rows WHERE row" },
  { kind: "chat", columns: "{name email} : ", ids: "chat_id FROM chat_texts WHERE row" },
  { kind: "invoice", columns: "", ids: "id FROM invoices WHERE row" },
  { kind: "expense", columns: "", ids: "id FROM expenses WHERE row" },
];
const PRODUCTS = ["product", "hidden", "deleted"];

const newest = (rows: SQL, most = MAX_FOUND) =>
  sql`(SELECT json_group_array(id) FROM (${rows} DESC LIMIT ${most}))`;

/** Selects the newest rows of an index: three or more characters match anywhere, fewer and products by the beginnings of words. */
function matches({ kind, columns }: (typeof INDEXES)[number], q: string): SQL {
  const { index, match: phrases } = textSearch(q);
  const isProduct = PRODUCTS.includes(kind);
  const isShort = index === "starts" && !isProduct;
  const table = sql.raw(`${kind}_${isShort ? "starts" : "search"}`);
  const beginnings = searchedForms(q).map((form) => `"${form.replaceAll('"', '""')}"*`);
  const expression = isProduct ? beginnings.join(" OR ") || '""' : phrases;
  const match = isShort ? phrases : `${columns}(${expression})`;
  const rows = sql`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ${match} ORDER BY rowid`;
  return newest(rows, kind === "deleted" ? MAX_DELETED : MAX_FOUND);
}

/** Selects the ids of the objects that a search names: by id, number or text, with the holds and quotes of persons. */
export function idsNamedBy(q: string): SQL {
  const when = (kind: string, then: SQL) => sql` WHEN ${sql.raw(`'${kind}'`)} THEN ${then}`;
  const rows = sql.join(INDEXES.map((index) => when(index.kind, matches(index, q))));
  const ids = sql.join(
    INDEXES.map((index) => when(index.kind, sql`(SELECT ${sql.raw(index.ids)} = hit.at)`)),
  );
  return sql`WITH named AS MATERIALIZED (
      SELECT hit.kind, CASE hit.kind ${ids} END AS id
      FROM (SELECT kind.value AS kind, match.value AS at FROM json_each(${JSON.stringify(INDEXES.map(({ kind }) => kind))}) AS kind
        CROSS JOIN json_each(CASE kind.value ${rows} END) AS match
        ORDER BY match.key LIMIT ${MAX_FOUND}) AS hit)
    SELECT ${q} AS id UNION SELECT id FROM documents WHERE number = ${searchKey(q).toUpperCase()} UNION SELECT id FROM named
    UNION SELECT id FROM (SELECT part.value AS id FROM named CROSS JOIN json_each(CASE named.kind
      WHEN 'customer' THEN ${newest(sql`SELECT id FROM holds WHERE customer_id = named.id ORDER BY created_at`)}
      WHEN 'chat' THEN ${newest(sql`SELECT id, created_at FROM holds WHERE chat_id = named.id
        UNION ALL SELECT id, created_at FROM quotes WHERE chat_id = named.id ORDER BY created_at`)}
      END) AS part ORDER BY part.key LIMIT ${MAX_FOUND})`;
}
