import { env } from "cloudflare:workers";
import { unzipSync } from "fflate";
import { beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { press } from "../support/forms";
import { admin } from "../support/people";
import { page } from "../support/personal-data";
import { json, violations } from "../support/sales";
import { call } from "../support/shop";

beforeEach(async () => {
  await env.DB.exec("DELETE FROM erasures");
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

it("a person's download lists deposits, and the deletion waits until they are settled", async () => {
  const boss = await admin();
  const { chatId } = await startChat({ userName: "Ada", initialMessage: "Hi" });
  const lines = [{ description: "Pen", quantity: 1, amount: 70 }];
  const { id } = await json<{ id: string }>(
    call("/api/quote", { ...boss, json: { chatId, title: "Pen for Ada", lines } }),
  );
  const payment = { amount: 30, mode: "EMT", accept: true, note: "Ada’s EMT" };
  const ofAda = { name: "Ada Lane", chatId };
  expect((await call("/api/customer", { ...boss, json: ofAda })).status).toBe(201);
  const { number } = await json<{ number: string }>(
    call(`/api/quote/${id}/payment`, { ...boss, json: payment }),
  );
  const file = await call(`/admin/personal-data.zip?chat=${chatId}`, boss);
  const files = unzipSync(new Uint8Array(await file.arrayBuffer()));
  const [quote] = JSON.parse(new TextDecoder().decode(files["quotes.json"])) as { deposits: object[] }[];
  expect(quote?.deposits).toMatchObject([{ number, mode: "EMT", amountCents: 3000, note: "Ada’s EMT" }]);
  await press(
    await page(`/admin/personal-data?chat=${chatId}`, boss.token),
    /^Delete personal data$/,
    { confirmed: "on" },
    boss,
  );
  await expect(eraseDue(env, Date.now() + 7.1 * DAY_MS)).rejects.toThrow(
    "A deposit of $30.00 on the quote “Pen for Ada” is not settled: record its sale, or withdraw it.",
  );
  const erase = env.DB.prepare("DELETE FROM quotes WHERE id = ?").bind(id);
  await expect(erase.run()).rejects.toThrow("quotes: deposit");
  const change = { state: "withdrawn", deposit: "paidBack" };
  expect((await call(`/api/quote/${id}`, { ...boss, method: "PATCH", json: change })).status).toBe(200);
  expect(await eraseDue(env, Date.now() + 7.1 * DAY_MS)).toBe(1);
  const { results } = await env.DB.prepare(
    "SELECT note, customer_name AS name, amount_cents AS cents FROM payments WHERE quote_id = ?",
  )
    .bind(id)
    .all();
  expect(results).toEqual([
    { note: "", name: "", cents: 3000 },
    { note: "", name: "", cents: -3000 },
  ]);
  expect(await violations()).toEqual([]);
});
