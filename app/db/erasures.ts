import { type SQL, sql } from "drizzle-orm";

/**
 * Selects the ids of planned deletions of personal data that cover one of these customers, or a chat: by the account,
 * the customer, the chat or its browser (docs/decisions/0030-personal-data.md).
 */
export function plansFor(customerIds: string[], chatId: string | null = null): SQL {
  const customers = sql`(SELECT value FROM json_each(${JSON.stringify(customerIds)}))`;
  const chats = sql`(SELECT ${chatId} UNION SELECT chat_id FROM chat_customers WHERE customer_id IN ${customers})`;
  return sql`(SELECT plans.id FROM erasures AS plans INDEXED BY erasures_due WHERE plans.done_at IS NULL AND (
    plans.customer_id IN ${customers} OR plans.chat_id IN ${chats}
    OR plans.user_id IN (SELECT user_id FROM customers WHERE id IN ${customers}
      UNION SELECT user_id FROM chats WHERE id IN ${chats})
    OR plans.chat_id IN (SELECT same_browser.id FROM chats JOIN chats AS same_browser
      ON same_browser.visitor_id = chats.visitor_id WHERE chats.id IN ${chats})
    OR EXISTS (SELECT 1 FROM json_each(plans.chats) WHERE value IN ${chats})
    OR EXISTS (SELECT 1 FROM json_each(plans.customers) WHERE value IN ${customers})))`;
}

/** Statement that aborts its batch while such a deletion is planned: invalid JSON raises an error. */
export const refuseWhilePlanned = (customerIds: string[], chatId: string | null = null): SQL =>
  sql`SELECT json(iif(EXISTS ${plansFor(customerIds, chatId)}, 'planned', '1'))`;
