import { env } from "cloudflare:workers";

/** Rows of each list of a subject, and rows of the shop's own lists. */
export const OF_ONE = 1000;
export const OF_ALL = 10_000;

/** Id of the product, customer and account of every page. */
export const SUBJECT = "x";

const numbers = (count: number) =>
  `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${count})`;
const START = 1_767_268_800;

/** Statements that fill the shop's own lists: accounts, chats, errors, the audit log. */
const LISTS = [
  `INSERT INTO users (id, email, email_key, first_name, last_name, password_hash, created_at, updated_at)
   ${numbers(OF_ALL)} SELECT 'many-' || n, 'many' || n || '@mail.example', 'many' || n || '@mail.example',
     'Many' || (n % 97), 'Person' || n, '', 1700000000 + n, 1700000000 FROM many`,
  `INSERT INTO chats (id, user_name, user_email, last_message, last_message_at, unread_count, visitor_unread, revision,
     created_at, month, state, waiting_since, assignee_id)
   ${numbers(OF_ALL)} SELECT 'many-' || n, 'Visitor ' || n, '', 'Question ' || n, 1700000000000 + n, n % 2, 0, 1,
     unixepoch() - n, strftime('%Y-%m'), iif(n % 3, 'open', 'closed'), iif(n % 5, NULL, 1700000000000), 'staff' FROM many`,
  `INSERT INTO incidents (kind, place, reference, at, message, times)
   ${numbers(OF_ALL)} SELECT iif(n % 2, 'error', 'mail'), 'GET /', 'r' || n, unixepoch() - n, 'HTTP 500', 2 FROM many`,
  `INSERT INTO error_hours (hour, errors)
   ${numbers(700)} SELECT unixepoch() / 3600 * 3600 - n * 3600, 20 FROM many`,
  `INSERT INTO slow_routes (hour, route, requests, total_ms, longest_ms, rows_read, rows_written)
   ${numbers(OF_ONE)} SELECT unixepoch() / 86400 * 86400 - (n % 2) * 86400, 'GET /' || n, 2, 5000, 4000, 20, 0 FROM many`,
  `INSERT INTO backups (id, kind, state, started_at, active_at, finished_at, bytes)
   ${numbers(OF_ONE)} SELECT strftime('%FT%TZ', 1700000000 + n * 60, 'unixepoch'), 'manual', 'done', 1700000000 + n * 60,
     1700000000, 1700000000, 1 FROM many`,
  `INSERT INTO import_runs (id, user_name, file_name, source, state, started_at)
   ${numbers(OF_ONE)} SELECT 'run-' || n, 'Pat', 'goods.csv', 'other', 'done', 1700000000 + n FROM many`,
  `INSERT INTO audit_log (at, author_kind, author_id, action, object, object_id, changes)
   ${numbers(OF_ALL)} SELECT 1700000000 + n, 'staff', 'staff', 'changed', iif(n % 2, 'product', 'customer'), '${SUBJECT}',
     '{"name":["a","b"]}' FROM many`,
];

/** Chat of the subject that exists before the shop is filled. */
const CHAT = `(SELECT id FROM chats WHERE id NOT LIKE 'many-%' LIMIT 1)`;
const MONTH = 30 * 86_400;

/** Statements that give the subject's customer and chat holds, quotes, documents, mails and linked chats. */
const SALES = [
  `INSERT INTO customers (id, name, name_key, email, email_key, last_seen, request_hash, created_at, updated_at)
   ${numbers(OF_ALL)} SELECT 'many-' || n, 'Many ' || n, 'many ' || n, 'many' || n || '@mail.example',
     'many' || n || '@mail.example', 1700000000 + n, '', 1700000000, 1700000000 FROM many`,
  `INSERT INTO chat_customers (chat_id, customer_id, linked_at) SELECT ${CHAT}, '${SUBJECT}', 1700000000`,
  `INSERT INTO chat_customers (chat_id, customer_id, linked_at)
   ${numbers(OF_ONE)} SELECT 'many-' || n, '${SUBJECT}', 1700000000 + n FROM many`,
  `INSERT INTO holds (id, chat_id, customer_id, until, request_hash, created_at, created_by)
   ${numbers(OF_ONE)} SELECT 'hold-' || n, ${CHAT}, '${SUBJECT}', unixepoch() + ${MONTH} + n, '', 1700000000 + n, 'Pat' FROM many`,
  `INSERT INTO holds (id, chat_id, customer_id, until, state, request_hash, created_at, created_by)
   ${numbers(OF_ONE)} SELECT 'ended-' || n, ${CHAT}, '${SUBJECT}', 1700000000 + n, 'active', '', 1700000000 + n, 'Pat' FROM many`,
  `INSERT INTO holds (id, chat_id, customer_id, until, state, document_id, request_hash, created_at, created_by)
   ${numbers(OF_ONE)} SELECT 'sold-' || n, ${CHAT}, '${SUBJECT}', 1700000000 + n, 'sold', 'sale-' || n, '', 1700000000 + n, 'Pat' FROM many`,
  `UPDATE products SET stock = 5000, stock_change = '{"id":"plenty","reason":"adjustment","actor":"Pat"}' WHERE id = '${SUBJECT}'`,
  `INSERT INTO hold_lines (hold_id, product_id, name, quantity, until)
   ${numbers(OF_ONE)} SELECT 'hold-' || n, '${SUBJECT}', 'Lamp', 1, unixepoch() + ${MONTH} + n FROM many`,
  ...["sent", "accepted"].map(
    (
      state,
    ) => `INSERT INTO quotes (id, chat_id, title, lines, files, ready_by, valid_until, note, state, total_cents,
     request_hash, created_at, created_by)
   ${numbers(OF_ONE)} SELECT '${state}-' || n, ${CHAT}, 'Sign', '[]', '[]', '', unixepoch() + ${MONTH} + n, '', '${state}', 100,
     '', 1700000000 + n, 'Pat' FROM many`,
  ),
  `INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, chat_id, source, payment_mode, tax_name,
     tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day,
     recorded_at, search_text, created_by)
   ${numbers(OF_ONE)} SELECT iif(n = 1, '${SUBJECT}', 'sale-' || n), 'sale', 'E-' || n, 'EMPORIA', '${SUBJECT}', 'Ines', ${CHAT}, 'chat', 'CASH', '',
     0, 0, 1, '', 0, 100, 'request-' || n, '', 1700000000 + n, '2023-11-14', 1700000000 + n, 'e-' || n, 'Pat' FROM many`,
  `INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, chat_id, source, payment_mode, tax_name,
     tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, original_id, request_id, request_hash,
     created_at, day, recorded_at, search_text, created_by)
   ${numbers(OF_ONE)} SELECT 'credit-' || n, 'credit', 'EC-' || n, 'EMPORIA', '${SUBJECT}', 'Ines', ${CHAT}, 'chat', 'CASH', '',
     0, 0, 1, '', 0, 0, iif(n = 1, '${SUBJECT}', 'sale-' || n), 'credit-' || n, '', 1699990000 + n, '2023-11-14', 1700000000 + n, 'ec-' || n, 'Pat' FROM many`,
  `INSERT INTO document_lines (document_id, line, invoice_id, product_id, description, category, quantity, amount_cents, tax_cents)
   SELECT id, 1, 'invoice-' || id, '${SUBJECT}', 'Lamp', 'OTHERS', 1, 100, 0 FROM documents WHERE kind = 'sale'`,
  `INSERT INTO sale_outbox (id, kind, recipient, document_id, due_at, done_at, created_at, created_by)
   ${numbers(OF_ONE)} SELECT 'mail-' || n, 'mail', 'ines@mail.example', '${SUBJECT}', 1, 1, 1700000000 + n, 'Pat' FROM many`,
];

/** Statements of API keys, webhooks and the account's favourites: as many as the shop allows. */
const ALLOWED = [
  `INSERT INTO api_keys (id, user_id, name, scope, token_hash, created_at)
   ${numbers(OF_ONE)} SELECT 'key-' || n, iif(n <= 20, 'staff', 'many-' || n), 'Till', 'read', 'token-' || n, 1700000000 + n FROM many`,
  `INSERT INTO webhooks (id, url, events, low_stock, secret, created_at)
   ${numbers(20)} SELECT 'hook-' || n, 'https://hook.example/' || n, '[]', 2, '', 1700000000 + n FROM many`,
  `INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, state, due_at, created_at)
   ${numbers(OF_ALL)} SELECT 'delivery-' || n, 'hook-' || (n % 20 + 1), 'sale.recorded', '${SUBJECT}', '{}', 'delivered',
     1700000000 + n, 1700000000 + n FROM many`,
  `INSERT INTO favourites (user_id, product_id, created_at)
   SELECT '${SUBJECT}', id, 1700000000 + "row" FROM products WHERE id <> '${SUBJECT}' LIMIT 200`,
];

/** Statements that give the subject and the account `staff` many rows. */
const SUBJECTS = [
  `INSERT INTO sessions (token_hash, user_id, created_at, expires_at)
   ${numbers(OF_ONE)} SELECT account.id || n, account.id, 1700000000, unixepoch() + 86400 FROM many
   JOIN users AS account ON account.id IN ('${SUBJECT}', 'staff')`,
  `INSERT INTO push_subscriptions (endpoint, p256dh, auth, chat_id, token_hash, created_at)
   ${numbers(OF_ONE)} SELECT 'https://push.example/' || n, '', '', '', 'staff' || n, 1700000000 FROM many`,
  `INSERT INTO stock_movements (id, product_id, quantity, reason, actor, stock_after, created_at, ordinal)
   ${numbers(OF_ONE)} SELECT 'movement-' || n, '${SUBJECT}', 1, 'adjustment', 'Pat', n, ${START}, n + 2 FROM many`,
  `INSERT INTO favourites (user_id, product_id, created_at)
   ${numbers(OF_ONE)} SELECT 'many-' || n, '${SUBJECT}', 1700000000 FROM many`,
  `UPDATE chats SET user_id = '${SUBJECT}', visitor_unread = 1 WHERE id IN (${numbers(OF_ONE)} SELECT 'many-' || n FROM many)`,
];

/** Planned deletions of the shop. */
const PLANS = 1200;

/** Chats of one person, whom the shop knows as that person in different ways: by the id of the first. */
export const PERSONS = {
  /** One browser, linked to a customer without an account: many-8. */
  browser: 2001,
  /** An account, and all but the first linked to a customer without an account. */
  account: 3001,
  /** Account's chats in a browser in which the last one was anonymous. */
  signedIn: 4001,
  /** One browser, linked to nobody. */
  stranger: 6001,
  /** Different accounts' chats that are linked to one customer: many-12. */
  together: 7001,
} as const;
const chatsFrom = (first: number) =>
  `id IN (${numbers(OF_ONE)} SELECT 'many-' || (n + ${first - 1}) FROM many)`;
const linkFrom = (first: number, customer: string) =>
  `INSERT INTO chat_customers (chat_id, customer_id, linked_at) SELECT id, '${customer}', 1700000000 FROM chats
   WHERE ${chatsFrom(first)} AND id <> 'many-${PERSONS.account}'`;

/** Statements that give persons many chats, and plan deletions: of them, of the subject's chats, and of others. */
const PLANNED = [
  ...Object.entries(PERSONS).map(
    ([name, first]) => `UPDATE chats SET visitor_id = '${name}' WHERE ${chatsFrom(first)}`,
  ),
  `UPDATE chats SET user_id = 'many-9' WHERE ${chatsFrom(PERSONS.account)}`,
  `UPDATE chats SET user_id = 'many-11' WHERE ${chatsFrom(PERSONS.signedIn)} AND id <> 'many-5000'`,
  `UPDATE chats SET user_id = id WHERE ${chatsFrom(PERSONS.together)}`,
  linkFrom(PERSONS.browser, "many-8"),
  linkFrom(PERSONS.account, "many-10"),
  linkFrom(PERSONS.together, "many-12"),
  // A third each of accounts, of customers and of chats; of all, some list chats or customers of others as their own.
  `INSERT INTO erasures (id, user_id, customer_id, chat_id, requested_by, requested_at, due_at, chats, customers)
   ${numbers(PLANS)} SELECT 'plan-' || n, iif(n % 3 = 0, 'many-' || (n + 7000), NULL), iif(n % 3 = 1, 'many-' || (n + 100), NULL),
     iif(n % 3 = 2, 'many-' || (n + 1800), NULL), 'staff', 1700000000, unixepoch() + 600 + n,
     json_array('many-' || n, 'many-' || (n + 1), 'many-' || (n + 2000)),
     iif(n % 5, '[]', json_array('many-' || (n + 100), '${SUBJECT}')) FROM many`,
];

/** Fills a shop's lists, and gives its subject and the account `staff`, which exist, many rows. */
export async function fillShop(): Promise<void> {
  for (const statement of [...LISTS, ...SUBJECTS, ...SALES, ...ALLOWED, ...PLANNED])
    await env.DB.prepare(statement).run();
}

/** Rows of all groups of settings, as an owner has saved each. */
export const SAVED_SETTINGS = ["shop", "hours", "home", "sales"].map((name) => ({
  ...{ name, content: "{}", version: 1, saved_by: "Pat Owner", saved_at: 1 },
}));
