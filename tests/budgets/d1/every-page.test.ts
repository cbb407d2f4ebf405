import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { API_ROUTES } from "~/api/routes.server";
import { generateProducts } from "../../../scripts/seed/generated";
import { runTasks, startChat } from "../../support/chat";
import { costOf } from "../../support/cost";
import { fillShop, OF_ALL, OF_ONE, PERSONS, SAVED_SETTINGS, SUBJECT } from "../../support/large-subjects";
import { PARAMETER, pathOf } from "../../support/route-paths";
import { ROUTE_NAMES } from "../../support/routes";
import { addProduct, addUser, call, insert, openSession } from "../../support/shop";

const MAX_ROWS = 250;
const MAX_TRIPS = 3;
const MAX_SHOPPER_TRIPS = 2;

/** Answers that contain everything, and pages without a database. */
const WHOLE = /\/data$|\.csv$|\.zip$|\.xml$|\.txt$|\.pdf$|\/x$|^\/api$/;
let [token, customer, chatId] = ["", "", ""];

/** Replaces the parameters of a path of the API. */
const filled = (pattern: string) =>
  `/api/${pattern
    .replace(/^chat\/:id/, "chat/CHAT")
    .replace(":year", "2026")
    .replace(":category", "others")
    .replaceAll(/:\w+/g, SUBJECT)}`;

const PAGES = ROUTE_NAMES.map((name) => pathOf(name.replace("$chatId", "CHAT").replace("$id", SUBJECT)))
  .map((path) => path.replace(/\/_index$/, "/").replace(PARAMETER, SUBJECT))
  .filter(
    (path) => !WHOLE.test(path) || /^\/(?:products|receipts|admin\/(?:customers|documents))\/x$/.test(path),
  );
const CALLS = Object.entries(API_ROUTES)
  .filter(([, methods]) => methods.GET)
  .map(([pattern]) => `${filled(pattern)}?limit=10`);

beforeAll(async () => {
  await addUser({ id: "staff", email: "staff@mail.example", isAdmin: true });
  await addUser({ id: SUBJECT, email: "ines@mail.example" });
  token = await openSession("staff");
  customer = await openSession(SUBJECT);
  await addProduct({ id: SUBJECT, name: "Subject lamp" });
  await generateProducts(env.DB, 0, OF_ONE);
  await insert("customers", [
    {
      ...{ id: SUBJECT, name: "Ines", name_key: "ines", email: "ines@mail.example", user_id: SUBJECT },
      ...{ email_key: "ines@mail.example", last_seen: 1, request_hash: "", created_at: 1, updated_at: 1 },
    },
  ]);
  ({ chatId } = await startChat({ initialMessage: "Hello" }, { token: customer }));
  await fillShop();
  await insert("shop_settings", SAVED_SETTINGS);
  await env.DB.batch(
    [
      "INSERT INTO holds (id, until, request_hash, created_at, created_by) VALUES ('ended', unixepoch() + 60, '', 1, 'Pat')",
      "INSERT INTO hold_lines (hold_id, product_id, name, quantity, until) VALUES ('ended', 'x', 'Lamp', 1, unixepoch() + 60)",
      "UPDATE hold_lines SET until = unixepoch() - 1 WHERE hold_id = 'ended'",
      "UPDATE holds SET until = unixepoch() - 1 WHERE id = 'ended'",
    ].map((statement) => env.DB.prepare(statement)),
  );
  // The page of a chat marks it as read, once: the only page that writes.
  await (await call(`/admin/chat?chat=${chatId}`, { token })).text();
  await runTasks(chatId);
  await recordWrites();
}, 120_000);

afterEach(async () => {
  const { results } = await env.DB.prepare("SELECT DISTINCT name FROM written").all();
  await env.DB.prepare("DELETE FROM written").run();
  expect(results, "tables that a GET wrote to").toEqual([]);
});

/** Tables of the page Health, in which failed and slow requests are recorded. */
const OF_HEALTH = ["incidents", "error_hours", "slow_routes"];

/** Lets triggers record the tables that are written to. */
async function recordWrites(): Promise<void> {
  const { results } = await env.DB.prepare("PRAGMA table_list").all<{ name: string; type: string }>();
  const tables = results.filter(
    ({ name, type }) => type === "table" && !/^(?:sqlite|_cf|d1)_/.test(name) && !OF_HEALTH.includes(name),
  );
  expect(tables.length).toBeGreaterThan(30);
  const triggers = tables.flatMap(({ name }) =>
    ["INSERT", "UPDATE", "DELETE"].map(
      (write) => `CREATE TRIGGER written_${name}_${write} AFTER ${write} ON "${name}" BEGIN
        INSERT INTO written VALUES ('${name}'); END`,
    ),
  );
  await env.DB.batch(
    ["CREATE TABLE written (name text)", ...triggers].map((statement) => env.DB.prepare(statement)),
  );
}

/** Holds rows read and, of a page, round trips. */
async function expectFewRows(path: string, by: { token?: string }) {
  const answer = await call(path.replace("CHAT", chatId), by);
  await answer.arrayBuffer();
  expect(answer.status, path).toBeLessThan(500);
  if (!answer.headers.get("Server-Timing")?.includes("rows read")) return;
  const { rowsRead, roundTrips } = costOf(answer);
  expect(rowsRead, path).toBeLessThanOrEqual(MAX_ROWS);
  const isShoppers = by.token !== token && !path.startsWith("/admin");
  const most = isShoppers ? MAX_SHOPPER_TRIPS : MAX_TRIPS;
  if (!path.startsWith("/api/")) expect(roundTrips, path).toBeLessThanOrEqual(most);
}

describe(`with ${OF_ALL} accounts, chats and errors, and ${OF_ONE} sessions, chats and movements of a subject`, () => {
  it.each([...new Set(PAGES)])(
    "%s reads 250 rows at most in 3 round trips, 2 of a shopper, and writes none",
    async (path) => {
      await expectFewRows(path, { token });
      await expectFewRows(path, { token: customer });
      await expectFewRows(path, {});
    },
  );

  it.each([...new Set(CALLS)])(
    "%s reads 250 rows at most, for staff and a customer, and writes none",
    async (path) => {
      await expectFewRows(path, { token });
      await expectFewRows(path, { token: customer });
    },
  );

  it.each([
    "/admin/chat?chat=CHAT",
    "/admin/customers?open=duplicate",
    "/admin/customers?open=held",
    "/admin/customers?open=quote",
    "/admin/sales/new?chat=CHAT",
    "/admin/sales/new?hold=hold-1",
    "/admin/sales/hold?chat=CHAT",
    "/admin/sales/quote?chat=CHAT",
    "/admin/sales/deposit?quote=x",
    "/admin/sales/withdraw?quote=x",
    "/admin/documents/x?credit",
    "/api/customer/x/timeline?limit=20&offset=20",
    "/admin/inventory-management?movements=x",
    "/admin/products-management?edit=x",
    "/admin/users-management?edit=x",
    "/admin/personal-data?customer=many-7",
    "/admin/personal-data?customer=x",
    "/admin/personal-data?chat=CHAT",
    ...["many-8", "many-10", "many-12", "many-150"].map((id) => `/admin/personal-data?customer=${id}`),
    ...Object.values(PERSONS).map((chat) => `/admin/personal-data?chat=many-${chat}`),
    "/admin/personal-data?chat=many-5000",
    "/admin/chat?chat=many-5000",
    "/admin/customers/many-8",
    "/admin/customers/many-12",
    "/admin/customers/many-12?merge=many-8",
    "/admin/audit?id=x",
    "/admin/audit?row=5000",
    "/shop?stock=in",
    "/shop?stock=in&sort=name-asc&min=5",
    "/api/product/all?stock=in&limit=10",
  ])("%s reads 250 rows at most in 3 round trips and writes none", (path) => expectFewRows(path, { token }));

  it("planning, changing, linking and cancelling a deletion reads 250 rows at most, however many chats the shop has", async () => {
    const write = async (statement: string) => (await env.DB.prepare(statement).run()).meta.rows_read;
    for (const statement of [
      `INSERT INTO erasures (id, chat_id, requested_by, requested_at, due_at, chats)
       VALUES ('late', 'many-9500', 'staff', 1, unixepoch() + 9000, '["many-9500"]')`,
      `UPDATE erasures SET chats = '["many-9500", "many-9501"]' WHERE id = 'late'`,
      "INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES ('many-9500', 'many-3', 1)",
      "UPDATE chat_customers SET customer_id = 'many-4' WHERE chat_id = 'many-9500'",
      "DELETE FROM chat_customers WHERE chat_id = 'many-9500'",
      "DELETE FROM erasures WHERE id = 'late'",
    ])
      expect(await write(statement), statement).toBeLessThanOrEqual(MAX_ROWS);
    await env.DB.prepare("DELETE FROM written").run();
  });

  it.each([
    ["/api/customer/many-8/merge", { id: "many-7" }],
    ["/api/customer/many-7/merge", { id: "many-12" }],
    [`/api/customer/${SUBJECT}/merge`, { id: "many-7" }],
  ])("%s, refused while a deletion is planned, reads 250 rows at most", async (path, fields) => {
    const answer = await call(path, { token, json: fields });
    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining("will be deleted on"),
    ]);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(MAX_ROWS);
  });
});
