import { beforeAll, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { manager } from "../support/people";
import { json, type Refusal, registerForTax, sell } from "../support/sales";
import { call } from "../support/shop";

let token: string;
beforeAll(async () => {
  ({ token } = await manager());
});

const LIMIT = "99999999.99";
const line = (amount: string, more = {}) => ({ description: "Bronze door", quantity: 1, amount, ...more });
const detailsOf = async (answer: Response) => (await json<Refusal>(answer)).details;

it("a sale's total is at most the limit of amounts, for each document and with its tax", async () => {
  const refused = await sell(token, { lines: [line(LIMIT), line(LIMIT)] });
  expect(refused.status).toBe(400);
  expect(await detailsOf(refused)).toEqual([
    { path: "lines", message: "The total, $199,999,999.98, is above $99,999,999.99. Divide the lines." },
  ]);
  const [own, laser] = [line(LIMIT), line(LIMIT, { businessType: "LASER" })];
  expect((await sell(token, { lines: [own, laser], paymentMode: "CARD" })).status).toBe(201);
  await registerForTax("LASER", false);
  const taxed = await sell(token, { lines: [laser], paymentMode: "CARD" });
  expect(taxed.status).toBe(400);
});

it("a quote's total is at most the limit of amounts", async () => {
  const { chatId } = await startChat({ initialMessage: "A door?" });
  const quote = (lines: object[]) => call("/api/quote", { token, json: { chatId, title: "Doors", lines } });
  const refused = await quote([line(LIMIT), line("0.01")]);
  expect(refused.status).toBe(400);
  expect(await detailsOf(refused)).toEqual([
    { path: "lines", message: "The total, $100,000,000.00, is above $99,999,999.99. Divide the lines." },
  ]);
  expect((await quote([line("99999999.98"), line("0.01")])).status).toBe(201);
});

it("a manager on a page of admins is told so in the back office", async () => {
  for (const path of ["/admin/health", "/admin/audit"]) {
    const answer = await call(path, { token });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(await answer.text()).toContain("open this page. Ask an admin.");
  }
});
