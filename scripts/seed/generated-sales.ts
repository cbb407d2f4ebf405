/** Rows of one statement, which bounds the memory of the local database. */
const ROWS_A_STATEMENT = 5000;
const LINES = 3;
/** Seconds between two generated documents, the first at the beginning of 2026. */
const START = 1_767_268_800;

const NUMBERS =
  "WITH RECURSIVE many(n) AS (SELECT cast(? AS INTEGER) UNION ALL SELECT n + 1 FROM many WHERE n < ?)";

/** Statements that insert rows n of a range: a customer and a sale of three lines with a ledger row and a movement each. */
const saleStatements = (pace: number) => [
  `INSERT INTO customers (id, name, name_key, email, email_key, last_seen, request_hash, created_at, updated_at)
   ${NUMBERS} SELECT 'customer-' || n, 'Person ' || n, 'person ' || n, 'person' || n || '@mail.example',
     'person' || n || '@mail.example', 1700000000 + n, '', 1700000000, 1700000000 FROM many`,
  `INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, source, payment_mode, tax_name,
     tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day,
     recorded_at, search_text, created_by)
   ${NUMBERS} SELECT 'document-' || n, 'sale', format('G-2026-%06d', n), iif(n % 3, 'EMPORIA', 'LASER'),
     'customer-' || n, 'Person ' || n, 'counter', 'CARD', '', 0, 0, 1, '', 0, 1000, 'document-' || n, '',
     ${START} + n * ${pace}, date(${START} + n * ${pace}, 'unixepoch'),
     ${START} + n * ${pace}, format('g-2026-%06d person ', n) || n || ' lamp', 'Pat' FROM many`,
  ...Array.from(
    { length: LINES },
    (_, i) =>
      `INSERT INTO document_lines (document_id, line, invoice_id, description, category, quantity, amount_cents, tax_cents)
       ${NUMBERS} SELECT 'document-' || n, ${i + 1}, 'generated-${i + 1}-' || n, 'Lamp ${i + 1}', 'OTHERS', 1, 300, 0 FROM many`,
  ),
  `INSERT INTO invoices (id, description, description_key, business_type, amount_cents, created_at, day, version,
     updated_at, category, quantity, payment_mode, document_id)
   ${NUMBERS} SELECT 'generated-1-' || n, 'Lamp', 'lamp', 'EMPORIA', 300, ${START} + n * ${pace},
     date(${START} + n * ${pace}, 'unixepoch'), 1, 0, 'OTHERS', 1, 'CARD', 'document-' || n FROM many`,
  `INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at,
     ordinal)
   ${NUMBERS} SELECT 'movement-' || n, 'moved', 1, 'adjustment', 'Pat', 'document-' || n, n, ${START}, n FROM many`,
];

/**
 * Adds sales with their customers, lines, ledger rows and movements of the product `moved`, which must exist.
 *
 * @param database migrated D1
 * @param pace seconds between two sales
 */
export async function generateSales(database: D1Database, many: number, pace: number): Promise<void> {
  for (const statement of saleStatements(pace)) await fill(database, statement, many);
}

/** A month: a shop that is kept is measured again on later days, and holds that ended are read one by one until they are settled. */
const HELD_SECONDS = 30 * 86_400;

/** Sets single pieces of the shop's products aside, as many as there are in stock. */
export async function generateHolds(database: D1Database, many: number): Promise<void> {
  await database
    .prepare(
      "UPDATE products SET stock = stock + ?, stock_change = json_object('id', 'generated-' || id, 'reason', 'adjustment', 'actor', '')",
    )
    .bind(many)
    .run();
  await fill(
    database,
    `INSERT INTO holds (id, until, request_hash, created_at, created_by)
     ${NUMBERS} SELECT 'generated-' || n, unixepoch() + ${HELD_SECONDS}, '', unixepoch(), 'Pat' FROM many`,
    many,
  );
  await fill(
    database,
    `INSERT INTO hold_lines (hold_id, product_id, name, quantity, until)
     ${NUMBERS}, goods(id, n, total) AS (SELECT id, row_number() OVER () - 1, count(*) OVER () FROM products)
     SELECT 'generated-' || many.n, goods.id, 'Lamp', 1, unixepoch() + ${HELD_SECONDS} FROM many
     JOIN goods ON goods.n = many.n % goods.total`,
    many,
  );
}

async function fill(database: D1Database, statement: string, many: number): Promise<void> {
  for (let from = 1; from <= many; from += ROWS_A_STATEMENT)
    await database
      .prepare(statement)
      .bind(from, Math.min(many, from + ROWS_A_STATEMENT - 1))
      .run();
}
