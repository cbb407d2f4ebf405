/** Builds a query of the sums of chats that differ from their rows (docs/decisions/0036-chat-sums.md). */
const sumsThatDiffer = (names: string, rows: string) =>
  `SELECT period || ' ' || name AS id FROM (
    SELECT period, name, total FROM chat_sums WHERE ${names}
    UNION ALL SELECT period, name, -sum(one) FROM (${rows}) GROUP BY period, name
  ) GROUP BY period, name HAVING sum(total) <> 0`;

/** Business of a quote's deposits: that of the first one, whatever the documents have towards which they count. */
const depositBusiness = (quoteId: string) =>
  `(SELECT f.business_type FROM payments AS f WHERE f.quote_id = ${quoteId} ORDER BY f."row" LIMIT 1)`;

/**
 * Queries that find violated invariants of stock, sales and chat sums (docs/decisions/0025-sales.md, 0036-chat-sums.md);
 * each returns no row in a consistent database. Used by tests and by scripts/check-ledger.mjs, not by the nightly job:
 * most of them read every document or movement.
 */
export const SALE_CHECKS: Record<string, string> = {
  "stock is the sum of the movements": `SELECT u.id FROM units AS u
    LEFT JOIN (SELECT coalesce(unit_id, product_id) AS id, sum(quantity) AS moved FROM stock_movements GROUP BY 1) AS m ON m.id = u.id
    WHERE u.stock <> coalesce(m.moved, 0) OR u.stock < 0`,
  "movements of a deleted unit add up to 0": `SELECT coalesce(unit_id, product_id) AS id FROM stock_movements
    WHERE coalesce(unit_id, product_id) NOT IN (SELECT id FROM units) GROUP BY 1 HAVING sum(quantity) <> 0`,
  "a product has the stock and the holds of its units": `SELECT p.id FROM products AS p
    LEFT JOIN (SELECT product_id, sum(stock) AS stock, sum(held) AS held, count(*) AS units, min(id) AS only FROM units
      GROUP BY product_id) AS u ON u.product_id = p.id
    WHERE u.product_id IS NULL OR p.stock <> u.stock OR p.held <> u.held
      OR (p.options = '[]' AND (u.units <> 1 OR u.only <> p.id))`,
  "units belong to a product": `SELECT id FROM units WHERE product_id NOT IN (SELECT id FROM products)`,
  "the price of a product with own prices is the lowest of its units": `SELECT p.id FROM products AS p WHERE p.base_cents IS NOT NULL AND p.price_cents <> (
    SELECT coalesce(min(iif(stock > held, coalesce(price_cents, p.base_cents), NULL)), min(coalesce(price_cents, p.base_cents)))
    FROM units WHERE product_id = p.id)`,
  "movements are numbered from 1": `SELECT product_id AS id FROM stock_movements
    GROUP BY product_id HAVING min(ordinal) <> 1 OR max(ordinal) <> count(*) OR count(DISTINCT ordinal) <> count(*)`,
  "pieces on hold are those of the counted lines": `SELECT u.id FROM units AS u
    LEFT JOIN (SELECT unit_id, sum(quantity) AS held FROM hold_lines WHERE counted = 1 GROUP BY unit_id) AS h ON h.unit_id = u.id
    WHERE u.held <> coalesce(h.held, 0)`,
  "people who wait are those of the open requests": `SELECT u.id FROM units AS u
    LEFT JOIN (SELECT unit_id, count(*) AS people FROM restock_requests WHERE confirmed_at IS NOT NULL AND notified_at IS NULL
      GROUP BY unit_id) AS r ON r.unit_id = u.id
    WHERE u.waiting <> coalesce(r.people, 0)`,
  "holds and quotes are counted by state": `SELECT kind || ' ' || state AS id FROM (
    SELECT kind, state, total FROM hold_quote_counts
    UNION ALL SELECT 'hold', state, -count(*) FROM holds GROUP BY state
    UNION ALL SELECT 'quote', state, -count(*) FROM quotes GROUP BY state
  ) GROUP BY kind, state HAVING sum(total) <> 0`,
  "a document is the sum of its lines and its rounding": `SELECT d.number AS id FROM documents AS d
    WHERE d.total_cents <> d.rounding_cents + (SELECT sum(amount_cents) FROM document_lines WHERE document_id = d.id)
      OR d.tax_cents <> (SELECT sum(tax_cents) FROM document_lines WHERE document_id = d.id)`,
  "a document is the sum of its ledger rows": `SELECT d.number AS id FROM documents AS d
    LEFT JOIN (SELECT document_id, sum(amount_cents) AS amount, sum(tax_cents) AS tax FROM invoices
      WHERE document_id IS NOT NULL GROUP BY document_id) AS i ON i.document_id = d.id
    WHERE d.total_cents <> coalesce(i.amount, 0) OR d.tax_cents <> coalesce(i.tax, 0)`,
  "what is returned is what the credit notes took back": `SELECT s.document_id || ' ' || s.line AS id FROM document_lines AS s
    JOIN documents AS o ON o.id = s.document_id AND o.kind = 'sale'
    WHERE s.returned <> coalesce((SELECT -sum(c.quantity) FROM documents AS d
      JOIN document_lines AS c ON c.document_id = d.id AND c.line = s.line WHERE d.original_id = o.id), 0)`,
  "a line taken back completely leaves no cent": `SELECT s.document_id || ' ' || s.line AS id FROM document_lines AS s
    JOIN documents AS o ON o.id = s.document_id AND o.kind = 'sale'
    WHERE s.returned = s.quantity AND s.amount_cents <> (SELECT -sum(c.amount_cents) FROM documents AS d
      JOIN document_lines AS c ON c.document_id = d.id AND c.line = s.line WHERE d.original_id = o.id)`,
  "sums of products are those of their lines": `SELECT unit || ' ' || period || ' ' || product_id AS id FROM (
      SELECT unit, period, business_type, product_id, pieces, amount_cents FROM product_sales
      UNION ALL SELECT u.key, u.value, d.business_type, l.product_id, -l.quantity, -l.amount_cents
      FROM document_lines AS l JOIN documents AS d ON d.id = l.document_id,
        json_each(json_object('month', substr(d.day, 1, 7), 'year', substr(d.day, 1, 4))) AS u WHERE l.product_id IS NOT NULL
    ) GROUP BY unit, period, business_type, product_id HAVING sum(pieces) <> 0 OR sum(amount_cents) <> 0`,
  "what is credited is what the credit notes took back": `SELECT s.document_id || ' ' || s.line AS id FROM document_lines AS s
    JOIN documents AS o ON o.id = s.document_id AND o.kind = 'sale'
    LEFT JOIN (SELECT d.original_id, c.line, -sum(c.amount_cents) AS cents, -sum(c.tax_cents) AS tax FROM documents AS d
      JOIN document_lines AS c ON c.document_id = d.id WHERE d.kind = 'credit' GROUP BY 1, 2) AS t
      ON t.original_id = o.id AND t.line = s.line
    WHERE s.credited_cents <> coalesce(t.cents, 0) OR s.credited_tax_cents <> coalesce(t.tax, 0)
      OR s.credited_cents NOT BETWEEN 0 AND s.amount_cents`,
  "the discount of a document is that of its lines": `SELECT d.number AS id FROM documents AS d
    WHERE d.discount_cents <> (SELECT sum(discount_cents) FROM document_lines WHERE document_id = d.id)`,
  "numbers have no gaps": `SELECT s.series AS id FROM document_series AS s
    WHERE s.last <> (SELECT count(*) FROM documents WHERE number LIKE s.series || '-%')
      + (SELECT count(*) FROM payments WHERE number LIKE s.series || '-%')`,
  "a document is paid in full": `SELECT d.number AS id FROM documents AS d
    LEFT JOIN (SELECT document_id, sum(amount_cents) AS paid FROM payments WHERE document_id IS NOT NULL GROUP BY 1) AS p
      ON p.document_id = d.id WHERE d.total_cents <> coalesce(p.paid, 0)`,
  "a document that is not paid in parts has one payment in its mode": `SELECT p.id FROM documents AS d
    JOIN payments AS p ON p.document_id = d.id WHERE NOT d.is_paid_in_parts
      AND (p.mode <> d.payment_mode OR p.amount_cents <> d.total_cents OR p.quote_id IS NOT NULL)`,
  "sums of payments are those that moved money": `SELECT day || ' ' || business_type || ' ' || mode AS id FROM (
      SELECT day, business_type, mode, payments, amount_cents FROM payment_sums
      UNION ALL SELECT day, business_type, mode, -1, -amount_cents FROM payments WHERE quote_id IS NULL OR document_id IS NULL
    ) GROUP BY day, business_type, mode HAVING sum(payments) <> 0 OR sum(amount_cents) <> 0`,
  "payments pay documents": `SELECT id FROM payments
    WHERE document_id IS NOT NULL AND document_id NOT IN (SELECT id FROM documents)`,
  "the ledger has the modes of the payments": `SELECT id || ' ' || mode AS id FROM (
      SELECT document_id AS id, mode, amount_cents AS cents FROM payments WHERE document_id IS NOT NULL
      UNION ALL SELECT document_id, payment_mode, -amount_cents FROM invoices WHERE document_id IS NOT NULL
    ) GROUP BY id, mode HAVING sum(cents) <> 0`,
  "the deposits of a quote are what is left of them, or nothing once it is sold or withdrawn": `SELECT q.id FROM quotes AS q
    JOIN (SELECT quote_id, sum(iif(document_id IS NULL, amount_cents, -amount_cents)) AS kept FROM payments
      WHERE quote_id IS NOT NULL GROUP BY 1) AS p ON p.quote_id = q.id
    WHERE p.kept NOT BETWEEN 0 AND iif(q.state = 'accepted' AND q.document_id IS NULL, q.total_cents, 0)`,
  "quotes know the deposits that are held": `SELECT q.id FROM quotes AS q WHERE q.deposit_cents <> coalesce((SELECT
    sum(iif(document_id IS NULL, amount_cents, -amount_cents)) FROM payments WHERE quote_id = q.id), 0)`,
  "sums of discounts are those of the documents": `SELECT unit || ' ' || period || ' ' || business_type AS id FROM (
      SELECT unit, period, business_type, amount_cents FROM discount_sums
      UNION ALL SELECT u.key, u.value, d.business_type, -d.discount_cents FROM documents AS d,
        json_each(json_object('day', d.day, 'month', substr(d.day, 1, 7), 'year', substr(d.day, 1, 4), 'all', 'all')) AS u
    ) GROUP BY unit, period, business_type HAVING sum(amount_cents) <> 0`,
  "sums of deposits are those of the payments": `SELECT unit || ' ' || period || ' ' || business_type AS id FROM (
      SELECT unit, period, business_type, amount_cents FROM deposit_sums
      UNION ALL SELECT u.key, u.value, ${depositBusiness("p.quote_id")}, iif(p.document_id IS NULL, -p.amount_cents, p.amount_cents)
      FROM payments AS p,
        json_each(json_object('day', p.day, 'month', substr(p.day, 1, 7), 'year', substr(p.day, 1, 4), 'all', 'all')) AS u
      WHERE p.quote_id IS NOT NULL
    ) GROUP BY unit, period, business_type HAVING sum(amount_cents) <> 0`,
  "each business holds the deposits of its quotes": `SELECT business_type AS id FROM (
      SELECT business_type, amount_cents FROM deposit_sums WHERE unit = 'all'
      UNION ALL SELECT ${depositBusiness("q.id")}, -q.deposit_cents FROM quotes AS q WHERE q.deposit_cents <> 0
    ) GROUP BY business_type HAVING sum(amount_cents) <> 0`,
  "a deleted quote left no deposit": `SELECT quote_id AS id FROM payments
    WHERE quote_id IS NOT NULL AND quote_id NOT IN (SELECT id FROM quotes)
    GROUP BY quote_id HAVING sum(iif(document_id IS NULL, amount_cents, -amount_cents)) <> 0`,
  "a quote without a sale pays no document, but where its deposit was kept": `SELECT DISTINCT q.id FROM quotes AS q
    JOIN payments AS p ON p.quote_id = q.id AND p.document_id IS NOT NULL
    WHERE q.document_id IS NULL AND q.state <> 'withdrawn'`,
  "customers have the sums of their documents": `SELECT c.id FROM customers AS c
    LEFT JOIN (SELECT customer_id, sum(kind = 'sale') AS sales, sum(total_cents) AS total FROM documents GROUP BY customer_id) AS d
      ON d.customer_id = c.id
    WHERE c.sales <> coalesce(d.sales, 0) OR c.total_cents <> coalesce(d.total, 0)
      OR c.chats <> (SELECT count(*) FROM chat_customers WHERE customer_id = c.id)`,
  "customers count their credit notes, holds and quotes": `SELECT c.id FROM customers AS c
    WHERE c.credits <> (SELECT count(*) FROM documents WHERE customer_id = c.id AND kind = 'credit')
      OR c.credits_cents <> (SELECT coalesce(sum(total_cents), 0) FROM documents WHERE customer_id = c.id AND kind = 'credit')
      OR c.holds <> (SELECT count(*) FROM holds WHERE customer_id = c.id)
      OR c.quotes <> (SELECT count(*) FROM quotes WHERE customer_id = c.id)`,
  "customers know what is open longest": `SELECT c.id FROM customers AS c
    WHERE c.held_until IS NOT (SELECT max(until) FROM holds WHERE customer_id = c.id AND state = 'active')
      OR c.quoted_until IS NOT iif(EXISTS (SELECT 1 FROM quotes WHERE customer_id = c.id AND state = 'accepted'
        AND document_id IS NULL), 253402300799, (SELECT max(valid_until) FROM quotes WHERE customer_id = c.id AND state = 'sent'))`,
  "addresses count their customers": `SELECT 'customer_emails' AS id FROM (
    SELECT email_key, customers FROM customer_emails
    UNION ALL SELECT email_key, -count(*) FROM customers WHERE email_key <> '' GROUP BY email_key
  ) GROUP BY email_key HAVING sum(customers) <> 0`,
  "quotes have the customer of their chat": `SELECT q.id FROM quotes AS q
    WHERE q.customer_id IS NOT (SELECT customer_id FROM chat_customers WHERE chat_id = q.chat_id)`,
  "linked chats know their last message": `SELECT l.chat_id AS id FROM chat_customers AS l
    JOIN chats AS c ON c.id = l.chat_id WHERE l.active_at <> c.last_message_at / 1000`,
  "sums of documents equal the documents": `SELECT 'all' AS id WHERE
    (SELECT coalesce(sum(total_cents), 0) FROM document_sums WHERE period = 'all')
      <> (SELECT coalesce(sum(total_cents), 0) FROM documents)
    OR (SELECT coalesce(sum(discount_cents), 0) FROM document_sums WHERE period = 'all')
      <> (SELECT coalesce(sum(discount_cents), 0) FROM documents)
    OR (SELECT coalesce(sum(documents), 0) FROM document_sums WHERE length(period) = 7)
      <> (SELECT count(*) FROM documents)`,
  "chats are counted by period": sumsThatDiffer(
    "name = 'begun'",
    "SELECT period, 'begun' AS name, 1 AS one FROM chat_periods",
  ),
  "chats that became sales are counted by period": sumsThatDiffer(
    "name LIKE 'sold%'",
    "SELECT p.period, s.name, 1 AS one FROM chat_sales AS s JOIN chat_periods AS p ON p.chat_id = s.chat_id",
  ),
  "revenue from chats is that of the documents": sumsThatDiffer(
    "name LIKE 'cents:%'",
    "SELECT period, name, total_cents AS one FROM chat_revenue",
  ),
  "first answers are listed by period": `SELECT period || ' ' || chat_id AS id FROM (
      SELECT period, ms, chat_id, 1 AS n FROM chat_answers
      UNION ALL SELECT p.period, a.answered_at - a.asked_at, p.chat_id, -1 FROM chat_first_answers AS a
        JOIN chat_periods AS p ON p.chat_id = a.chat_id
    ) GROUP BY period, ms, chat_id HAVING sum(n) <> 0`,
  "medians are the answers in the middle": `SELECT period AS id FROM (
      SELECT period, answers, ms, chat_id, 1 AS n FROM chat_medians
      UNION ALL SELECT period, answers, ms, chat_id, -1 FROM (
        SELECT *, row_number() OVER (PARTITION BY period ORDER BY ms, chat_id) AS place,
          count(*) OVER (PARTITION BY period) AS answers FROM chat_answers) WHERE place = (answers + 1) / 2
    ) GROUP BY period, answers, ms, chat_id HAVING sum(n) <> 0`,
};

/** Queries that name the violated invariant beside each id. */
export const NAMED_SALE_CHECKS: string[] = Object.entries(SALE_CHECKS).map(
  ([invariant, check]) => `SELECT '${invariant}' AS invariant, id FROM (${check})`,
);
