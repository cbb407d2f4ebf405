import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { costOf } from "../../support/cost";
import { admin } from "../../support/people";
import { addProduct, call } from "../../support/shop";

const MANY = 5000;
const MAX_ROWS = 250;
const NUMBERS = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)";
let token: string;

/** Runs a statement whose `?` is the number of rows. */
const fill = (statement: string) => env.DB.prepare(statement).bind(MANY).run();

beforeAll(async () => {
  ({ token } = await admin());
  await addProduct({ id: "moved", name: "Moved lamp", stock: 0 });
  await fill(`INSERT INTO customers (id, name, name_key, email, email_key, last_seen, request_hash, created_at, updated_at)
    ${NUMBERS} SELECT 'customer-' || n, 'Person ' || n, 'person ' || n, 'person' || n || '@mail.example',
      'person' || n || '@mail.example', 1700000000 + n, '', 1700000000, 1700000000 FROM many`);
  await fill(`INSERT INTO documents (id, kind, number, business_type, customer_id, customer_name, source, payment_mode, tax_name,
      tax_rate, tax_cents, tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day,
      search_text, created_by)
    ${NUMBERS} SELECT 'document-' || n, 'sale', format('E-2026-%06d', n), iif(n % 3, 'EMPORIA', 'LASER'),
      'customer-' || n, 'Person ' || n, 'counter', 'CARD', '', 0, 0, 1, '', 0, 1000, 'document-' || n, '',
      1767268800 + n * 6000, date(1767268800 + n * 6000, 'unixepoch'), format('e-2026-%06d person ', n) || n || ' lamp', 'Pat'
    FROM many`);
  for (const line of [1, 2, 3])
    await fill(`INSERT INTO document_lines (document_id, line, invoice_id, description, category, quantity, amount_cents, tax_cents)
      ${NUMBERS} SELECT 'document-' || n, ${line}, 'invoice-${line}-' || n, 'Lamp ${line}', 'OTHERS', 1, 300, 0 FROM many`);
  await fill(`INSERT INTO invoices (id, description, description_key, business_type, amount_cents, created_at, day, version,
      updated_at, category, quantity, payment_mode, document_id)
    ${NUMBERS} SELECT 'invoice-1-' || n, 'Lamp', 'lamp', 'EMPORIA', 300, 1767268800 + n * 6000,
      date(1767268800 + n * 6000, 'unixepoch'), 1, 0, 'OTHERS', 1, 'CARD', 'document-' || n FROM many`);
  await fill(`INSERT INTO stock_movements (id, product_id, quantity, reason, actor, document_id, stock_after, created_at)
    ${NUMBERS} SELECT 'movement-' || n, 'moved', 1, 'adjustment', 'Pat', 'document-' || n, n, 1767268800 FROM many`);
});

describe(`sales screens with ${MANY} documents, customers and movements (budgets: D1)`, () => {
  it.each([
    ["/admin/documents", "E-2026-005000"],
    ["/admin/documents?page=2", "E-2026-004990"],
    ["/admin/documents?page=500", "E-2026-000001"],
    ["/admin/documents?business=LASER", "E-2026-004998"],
    ["/admin/documents?from=2026-12-01&to=2026-12-05", "All 72 documents"],
    ["/admin/documents?q=005000", "1 document"],
    ["/admin/documents/document-4711", "Person 4711"],
    ["/admin/invoices-management", "E-2026-005000"],
    ["/admin/customers", "Person 5000"],
    ["/admin/customers?sort=name", "Person 1"],
    ["/admin/customers?q=person4711@", "Person 4711"],
    ["/admin/customers/customer-4711", "E-2026-004711"],
    ["/admin/inventory-management?movements=moved", "The 20 movements and the 4,980 before them"],
    ["/api/product/moved/movements?limit=20", "movement-5000"],
    ["/api/sale?limit=10", "E-2026-005000"],
    ["/api/customer?limit=10", "Person 5000"],
  ])("%s reads 250 rows at most in 4 round trips", async (path, text) => {
    const answer = await call(path, { token });
    expect(await answer.text()).toContain(text);
    const { rowsRead, roundTrips } = costOf(answer);
    expect(rowsRead).toBeLessThanOrEqual(MAX_ROWS);
    expect(roundTrips).toBeLessThanOrEqual(4);
  });

  it("a search of documents computes the rows of its page alone", async () => {
    const answer = await call("/admin/documents?q=lamp", { token });
    expect(await answer.text()).toContain("All 5,000 documents");
    // Each match is read twice, for its order and for the sums; never its lines.
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(7 * MANY);
  });
});
