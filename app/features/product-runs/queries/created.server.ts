import { type SQL, sql } from "drizzle-orm";
import { HELD } from "~/db/stock";
import { CHANGES_CHOICES } from "~/features/audit/queries.server";
import { jsonObject, KEPT_FIELDS, ownValue, type ProductColumn } from "./changes.server";

/** Uses of a product by others, each null without any. */
const USES = {
  sold: sql`iif(EXISTS (SELECT 1 FROM document_lines AS sold WHERE sold.product_id = products.id), 1, NULL)`,
  held: sql`iif(${HELD} > 0, 1, NULL)`,
  asked: sql`iif(EXISTS (SELECT 1 FROM chats AS asked WHERE asked.product_id = products.id)
    OR EXISTS (SELECT 1 FROM chats AS asked WHERE asked.subject_id = products.id), 1, NULL)`,
  waiting: sql`(SELECT nullif(sum(units.waiting), 0) FROM units WHERE units.product_id = products.id)`,
  divided: sql`iif(products.options IS NOT coalesce(c.after ->> 'options', '[]'), 1, NULL)`,
};

/** Pieces that came and went by sales and returns since the change. */
export const SOLD = sql`coalesce((SELECT sum(m.quantity) FROM stock_movements AS m
  WHERE m.product_id = products.id AND m."row" > c.movement AND m.reason IN ('sale', 'return')), 0)`;

/** Value of a field as it would be if nobody but shoppers had changed it, and the one that the run wrote. */
function compared(column: ProductColumn): [now: SQL, wrote: SQL] {
  const wrote = sql.raw(`c.after ->> '${column}'`);
  if (column === "stock") return [sql`products.stock - ${SOLD}`, wrote];
  return [
    ownValue(column),
    column === "priceCents" ? sql`coalesce(c.after ->> 'baseCents', ${wrote})` : wrote,
  ];
}

/** Fields of a product that somebody has changed since, with their values. */
const EDITS = Object.fromEntries(
  KEPT_FIELDS.map(({ column }) => {
    const [now, wrote] = compared(column);
    return [
      column,
      sql`CASE WHEN ${now} IS NOT ${wrote} AND ${wrote} IS NOT NULL THEN ${ownValue(column)} END`,
    ];
  }),
);

/** Condition that somebody has changed choices or codes since; the log has the run's own entries, too. */
const CHOICES_EDITED = sql`EXISTS (SELECT 1 FROM audit_log AS log INDEXED BY audit_log_object
  WHERE log.object_id = products.id AND log.at >= c.created_at AND log.action = 'changed' AND log.source_id IS NOT c.run_id
    AND log.seq > coalesce((SELECT max(own.seq) FROM audit_log AS own INDEXED BY audit_log_object
      WHERE own.object_id = products.id AND own.source_id = c.run_id), 0)
    AND ${CHANGES_CHOICES})`;

/**
 * Reasons for which an undo hides a product that its run `c` has created instead of removing it, as JSON: its uses, and what
 * somebody has changed of it. `{}` without any.
 */
export const KEPT_BY = jsonObject({ ...USES, ...EDITS, choices: sql`iif(${CHOICES_EDITED}, 1, NULL)` });
