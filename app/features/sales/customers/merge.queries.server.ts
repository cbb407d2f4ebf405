import { type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { added, difference, recorded } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import { refuseWhilePlanned } from "~/db/erasures";
import { MAX_NOTES_LENGTH } from "../customer";
import { CONTENT_COLUMNS, refuseErased } from "../customers.queries.server";
import type { MergeFields } from "../schema";

/**
 * Side of a merge from which each field comes. Without a choice the other side fills an empty field, and the notes are
 * joined, as by `both`.
 */
type MergeChoices = z.infer<typeof MergeFields>;

/**
 * Moves everything of one customer to another and deletes it.
 *
 * @param userId account of the deleted one
 * @throws when one of them is gone or erased, both have accounts, the deletion of one is planned, or joined notes are too
 * long, which changes nothing
 */
export async function mergeCustomers(
  db: Db,
  { keptId, mergedId, userId }: { keptId: string; mergedId: string; userId: string | null },
  choices: MergeChoices,
  now: number,
): Promise<void> {
  const move = (table: string) =>
    sql`UPDATE ${sql.identifier(table)} SET customer_id = ${keptId} WHERE customer_id = ${mergedId}`;
  const pair = sql`(SELECT count(*) = 2 AND count(users.id) < 2
    FROM customers LEFT JOIN users ON users.id = customers.user_id WHERE customers.id IN (${keptId}, ${mergedId}))`;
  await runBatch(db, [
    // D1 has no conditional rollback: invalid JSON raises an error, which rolls the batch back.
    sql`SELECT json(iif(${pair}, '1', 'not mergeable'))`,
    refuseWhilePlanned([keptId, mergedId]),
    refuseErased([keptId, mergedId]),
    ...(joinsNotes(choices) ? [refuseLongNotes(keptId, mergedId)] : []),
    recorded(db, {
      object: "customer",
      action: "merged",
      id: keptId,
      changes: {
        merged: added(mergedId),
        chats: difference(sql`k.chats`, sql`k.chats + m.chats`),
        sales: difference(sql`k.sales`, sql`k.sales + m.sales`),
        totalCents: difference(sql`k.total_cents`, sql`k.total_cents + m.total_cents`),
      },
      rows: sql`FROM customers AS k, customers AS m WHERE k.id = ${keptId} AND m.id = ${mergedId}`,
    }),
    move("documents"),
    move("holds"),
    move("chat_customers"),
    sql`UPDATE customers SET ${mergedFields(mergedId, choices)}, updated_at = ${now} WHERE id = ${keptId}`,
    sql`DELETE FROM customers WHERE id = ${mergedId}`,
    // After the row that had the account is gone, since an account has one customer. One that is gone gives way.
    sql`UPDATE customers SET user_id = coalesce((SELECT id FROM users WHERE id = customers.user_id), ${userId}, user_id)
      WHERE id = ${keptId}`,
  ]);
}

/** Tells whether the notes of both sides are kept. */
export const joinsNotes = ({ notes }: MergeChoices): boolean => notes !== "own" && notes !== "other";

const joined = (notes: SQL, others: SQL): SQL => sql`trim(${notes} || char(10) || ${others}, char(10))`;

/** Statement that aborts its batch for notes with which the customer could not be saved: another merge may have added some. */
const refuseLongNotes = (keptId: string, mergedId: string): SQL =>
  sql`SELECT json(iif(length(${joined(sql`k.notes`, sql`m.notes`)}) > ${MAX_NOTES_LENGTH}, 'too long', '1'))
    FROM customers AS k, customers AS m WHERE k.id = ${keptId} AND m.id = ${mergedId}`;

/** Assigns each field of a merged customer from the chosen side. */
function mergedFields(mergedId: string, choices: MergeChoices): SQL {
  const other = (column: string) =>
    sql`(SELECT o.${sql.identifier(column)} FROM customers AS o WHERE o.id = ${mergedId})`;
  // Keys follow the column that they are computed from.
  const chosen = (column: string, choice: MergeChoices["name"], from = column) => {
    const own = sql.identifier(column);
    const isOther =
      choice === undefined ? sql`${sql.identifier(from)} = ''` : choice === "other" ? sql`1` : sql`0`;
    return sql`${own} = CASE WHEN ${isOther} THEN ${other(column)} ELSE ${own} END`;
  };
  const notes = joinsNotes(choices)
    ? sql`notes = ${joined(sql`notes`, other("notes"))}`
    : chosen("notes", choices.notes === "other" ? "other" : "own");
  const plain = Object.entries(CONTENT_COLUMNS).filter(([name]) => name !== "notes");
  const fields = [
    chosen("name_key", choices.name, "name"),
    chosen("sort_key", choices.name, "name"),
    chosen("email_key", choices.email, "email"),
    ...plain.map(([name, column]) => chosen(column, choices[name as "name"])),
    notes,
  ];
  return sql.join(fields, sql`, `);
}
