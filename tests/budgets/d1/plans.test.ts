import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { JOBS } from "../../../workers/nightly";
import { allSteps } from "../../support/nightly";
import { type RecordedStatement, recordedD1 } from "../../support/recorded-d1";
import { addProduct, addUser, call, signIn } from "../../support/shop";

const ORIGIN = "http://localhost:8787";
/** Scans that a plan may contain: a table of two or nine rows, of a few that staff write or of one a night, the partial index of few units, or rows that a limit or an index has reduced. */
const SMALL =
  /^SCAN (?:CONSTANT ROW|category_counts|stock_counts|predefined_responses|shop_settings|business_settings|webhooks|nightly_runs|d1_migrations|(?:ended|found|hit|latest|merged|open|own|page|named|recorded|subject|talks|theirs)\b|u USING INDEX units_short|\(subquery|\S+ VIRTUAL TABLE)/;
let token: string;

beforeAll(async () => {
  await addProduct({ id: "lamp", name: "Walnut lamp" });
  await env.DB.prepare(
    "UPDATE units SET sku = 'LAMP-7781', barcode = '4006381333931' WHERE id = 'lamp'",
  ).run();
  const { email, password } = await addUser({ id: "staff", email: "staff@mail.example", isAdmin: true });
  token = await signIn(email, password);
  await call("/api/customer", { token, json: { id: "ines", name: "Ines Carvalho", email } });
});

/** Every statement that a request runs, and how it was answered. */
async function statementsOf(path: string, init: RequestInit = {}): Promise<RecordedStatement[]> {
  const { database, statements } = recordedD1(env.DB);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const context = createExecutionContext();
  const answer = await worker.fetch(
    new Request(ORIGIN + path, { headers, redirect: "manual", ...init }) as Request<
      unknown,
      IncomingRequestCfProperties
    >,
    { ...env, DB: database },
    context,
  );
  await answer.text();
  await waitOnExecutionContext(context);
  expect(answer.status, path).toBeLessThan(400);
  return statements;
}

/**
 * Lists the faults of a statement's plan: scans of a table that no index orders and no limit ends.
 * A list without a limit may read everything.
 */
async function flaws({ sql, values }: RecordedStatement): Promise<string[]> {
  const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  const limited = /\blimit \?/i.test(sql) && !values.includes(-1);
  return results
    .map(({ detail }) => detail)
    .filter((detail) => detail.startsWith("SCAN ") && !SMALL.test(detail))
    .filter((detail) => !(limited && /USING (?:COVERING )?INDEX/.test(detail)))
    .map((detail) => `${detail}: ${sql}`);
}

describe("no request walks through a table that grows", () => {
  it.each([
    ["/"],
    ["/shop"],
    ["/shop?sort=price-desc&category=OTHERS&page=1"],
    ["/shop?sort=name-asc"],
    ["/shop?search=walnut+lamp"],
    ["/shop?search=lamp+mug+under+150"],
    ["/shop?search=wallnutty&min=5"],
    ["/shop?search=keych+under+30"],
    ["/shop?search=wooden+keychians"],
    ["/shop?search=xyzzy+under+30&category=OTHERS"],
    ["/shop?search=LAMP-7781&category=OTHERS"],
    ["/api/product/suggest?q=4006381333931"],
    ["/api/product/suggest?q=waterproff"],
    ["/shop?search=lmap&sort=price-asc&category=OTHERS"],
    ["/products/lamp"],
    ["/account"],
    ["/sitemap.xml?page=1"],
    ["/api/product/all?limit=24&sort=name-desc"],
    ["/api/product/all?search=lamp"],
    ["/api/product/random"],
    ["/api/product/code?code=0012345678905"],
    ["/api/product/code?code=U0b1e9a52c04b"],
    ["/api/product/categories"],
    ["/api/product/category/others?limit=24"],
    ["/api/product/id/lamp"],
    ["/admin/inventory-management"],
    ["/admin/inventory-management?sort=stock&dir=desc"],
    ["/admin/inventory-management?level=low&category=OTHERS"],
    ["/admin/inventory-management?q=lamp&level=out"],
    ["/admin/inventory-management?movements=lamp"],
    ["/admin/documents"],
    ["/admin/documents?page=2&sort=createdAt&dir=asc"],
    ["/admin/documents?business=LASER"],
    ["/admin/documents?from=2026-01-15&to=2026-03-10&kind=credit"],
    ["/admin/documents?q=lamp&business=LASER"],
    ["/admin/documents?q=la"],
    ["/admin/documents?q=62"],
    ["/admin/invoices-management?document=E-2026-000001"],
    ["/admin/invoices-management?document=E-2026-000001&q=lamp&sort=amount"],
    ["/admin/customers"],
    ["/admin/customers?sort=name&dir=desc"],
    ["/admin/customers?q=carvalho"],
    ["/admin/customers?q=ca"],
    ["/admin/customers?open=held"],
    ["/admin/customers?open=quote&q=carvalho"],
    ["/admin/customers?open=unlinked"],
    ["/admin/customers?open=unlinked&q=lamp"],
    ["/admin/today"],
    ["/api/today"],
    ["/admin/holds"],
    ["/admin/holds?state=active"],
    ["/admin/holds?state=released&page=2"],
    ["/admin/holds?state=ended&q=carvalho"],
    ["/admin/holds?q=ca"],
    ["/admin/quotes"],
    ["/admin/quotes?state=expired"],
    ["/admin/quotes?state=sent&q=62"],
    ["/api/hold?limit=10&state=sold"],
    ["/api/quote?limit=10&state=accepted&q=carvalho"],
    ["/admin/search"],
    ["/admin/search?q=lamp"],
    ["/admin/search?q=la"],
    ["/admin/search?q=62.00"],
    ["/api/search?q=LAMP-7781"],
    ["/admin/customers/ines?merge=&q=carvalho"],
    ["/admin/customers/ines?merge=staff"],
    ["/admin/personal-data?customer=ines"],
    ["/admin/inventory-management.csv?sort=price"],
    ["/admin/users-management"],
    ["/admin/users-management?sort=name&dir=desc"],
    ["/admin/users-management?sort=email"],
    ["/admin/users-management?sort=phoneNumber"],
    ["/admin/users-management?sort=role&dir=desc"],
    ["/admin/users-management?sort=isUser"],
    ["/admin/users-management?q=pat&sort=name"],
    ["/admin/users-management?q=pa"],
    ["/admin/users-management?edit=staff"],
    ["/admin/chat"],
    ["/admin/chat?filter=unanswered"],
    ["/admin/chat?filter=mine&q=lamp"],
    ["/admin/chat?filter=open&q=la"],
    ["/admin/audit"],
    ["/admin/audit?person=system&kind=products"],
    ["/admin/audit?person=user-staff&from=2026-01-15"],
    ["/admin/audit?kind=ledger&to=2090-01-15"],
    ["/admin/audit?q=lamp&row=1"],
    ["/admin/audit?id=lamp&older=2000000000.7"],
    ["/admin/audit.csv"],
    ["/admin/unread"],
    ["/api/auth/me"],
    ["/api/auth/login", { email: "staff@mail.example", password: "Password1!" }],
    ["/api/auth/forgot-password", { email: "staff@mail.example" }],
  ])("%s", async (path, body?: unknown) => {
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const statements = await statementsOf(path, init);
    expect(statements.length).toBeGreaterThan(0);
    expect((await Promise.all(statements.map(flaws))).flat()).toEqual([]);
  });

  it("the nightly purge; only the ledger's check walks through the ledger, which is what it is for", async () => {
    const { database, statements } = recordedD1(env.DB);
    for (const job of Object.values(JOBS)) await allSteps(job, () => ({ ...env, DB: database }));
    expect(statements.length).toBeGreaterThan(0);
    const others = statements.filter(({ sql }) => !LEDGER_CHECKS.includes(sql));
    expect(others.length).toBe(statements.length - LEDGER_CHECKS.length);
    expect((await Promise.all(others.map(flaws))).flat()).toEqual([]);
  });
});
