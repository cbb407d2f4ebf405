import { type SQL, sql } from "drizzle-orm";
import { IS_ACTIVE_STAFF } from "./schema";

/**
 * Selects the ids of planned deletions of personal data that cover one of these customers, or a chat: by the account,
 * the customer, the chat or its browser (docs/decisions/0030-personal-data.md). Of several it selects the first that are
 * due. What is refused and shown is decided by it alone.
 *
 * @param max plans, also read for each account, customer, chat and browser
 * @param userId account whose plans of a single chat are selected too: they are shown, and refuse nothing
 */
export function plansFor(
  customerIds: string[],
  chatId: string | null = null,
  max = 1,
  userId: string | null = null,
): SQL {
  const customers = sql`json_each(${JSON.stringify(customerIds)})`;
  return sql`(WITH subject(kind, id) AS (
    SELECT ways.value, named.value FROM json_each('["customer", "linked"]') AS ways, ${customers} AS named
    UNION ALL SELECT 'user', user_id FROM customers WHERE id IN (SELECT value FROM ${customers})
    UNION ALL SELECT 'linked', ${userId}
    UNION ALL SELECT 'chat', ${chatId}
    UNION ALL SELECT iif(user_id IS NULL, 'visitor', 'user'), ifnull(user_id, visitor_id) FROM chats WHERE id = ${chatId})
    SELECT DISTINCT plan.value ->> 1 AS id FROM subject, json_each((SELECT json_group_array(json_array(due_at, erasure_id))
      FROM (SELECT due_at, erasure_id FROM erasure_subjects AS covered
        WHERE covered.kind = subject.kind AND covered.subject_id = subject.id
        ORDER BY due_at, erasure_id LIMIT ${max}))) AS plan
    ORDER BY plan.value ->> 0, id LIMIT ${max})`;
}

/** Statement that aborts its batch while such a deletion is planned: invalid JSON raises an error. */
export const refuseWhilePlanned = (customerIds: string[], chatId: string | null = null): SQL =>
  sql`SELECT json(iif((SELECT count(id) FROM ${plansFor(customerIds, chatId)}) > 0, 'planned', '1'))`;

/** Selects the ids of the active admins. @param exceptPlanned without those whose deletion is planned */
const activeAdmins = (exceptPlanned: boolean): SQL =>
  sql.raw(
    `(SELECT id FROM users INDEXED BY users_team WHERE ${IS_ACTIVE_STAFF} AND is_admin = 1${
      exceptPlanned
        ? " AND NOT EXISTS (SELECT 1 FROM erasure_subjects WHERE kind = 'user' AND subject_id = users.id)"
        : ""
    })`,
  );

/** Condition that an account is the last admin. @param exceptPlanned ignores admins whose deletion is planned */
export const isLastAdmin = (userId: string | null, { exceptPlanned = false } = {}): SQL =>
  sql`(EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND is_admin = 1)
    AND NOT EXISTS (SELECT 1 FROM ${activeAdmins(exceptPlanned)} WHERE id <> ${userId}))`;
