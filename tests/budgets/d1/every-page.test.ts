import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { API_ROUTES } from "~/features/api-reference/routes.server";
import { generateProducts } from "../../../scripts/seed/generated";
import { startChat } from "../../support/chat";
import { costOf } from "../../support/cost";
import { fillShop, OF_ALL, OF_ONE, SUBJECT } from "../../support/large-subjects";
import { PARAMETER, pathOf, ROUTE_NAMES } from "../../support/routes";
import { addProduct, addUser, call, insert, openSession } from "../../support/shop";

const MAX_ROWS = 250;

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
}, 120_000);

async function expectFewRows(path: string, by: { token?: string }) {
  const answer = await call(path.replace("CHAT", chatId), by);
  await answer.arrayBuffer();
  expect(answer.status, path).toBeLessThan(500);
  if (!answer.headers.get("Server-Timing")?.includes("rows read")) return;
  expect(costOf(answer).rowsRead, path).toBeLessThanOrEqual(MAX_ROWS);
}

describe(`with ${OF_ALL} accounts, chats and errors, and ${OF_ONE} sessions, chats and movements of a subject (budgets: D1)`, () => {
  it.each([...new Set(PAGES)])(
    "%s reads 250 rows at most, for staff, a customer and a stranger",
    async (path) => {
      await expectFewRows(path, { token });
      await expectFewRows(path, { token: customer });
      await expectFewRows(path, {});
    },
  );

  it.each([...new Set(CALLS)])("%s reads 250 rows at most, for staff and a customer", async (path) => {
    await expectFewRows(path, { token });
    await expectFewRows(path, { token: customer });
  });

  it.each([
    "/admin/chat?chat=CHAT",
    "/admin/inventory-management?movements=x",
    "/admin/products-management?edit=x",
    "/admin/users-management?edit=x",
    "/admin/personal-data?user=x",
    "/admin/audit?id=x",
    "/admin/audit?row=5000",
  ])("%s reads 250 rows at most", (path) => expectFewRows(path, { token }));
});
