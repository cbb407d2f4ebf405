import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, type MockInstance, vi } from "vitest";
import { notifyRestocked } from "~/features/restock/delivery.server";
import { admin, from } from "./people";
import { addProduct, call, insert } from "./shop";

let owner = "";
export let sent: MockInstance;
let count = 0;

/** Prepares the tests of a file: an admin, an empty line, and mails that arrive nowhere. */
export function prepareRestock(): void {
  beforeAll(async () => {
    owner = (await admin()).token;
  });
  beforeEach(async () => {
    await env.DB.exec("DELETE FROM restock_requests; DELETE FROM restocks; DELETE FROM proven_addresses");
    sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
  });
}

export const ownerToken = () => owner;

export const address = () => from(`10.9.${Math.floor(++count / 200)}.${count % 200}`);
export const newAddress = () => `waiting${++count}@mail.example`;
export const ask = (id: string, json: object, by: { token?: string } = {}) =>
  call(`/api/product/${id}/restock`, { json, headers: address(), ...by });
export const messageOf = async (answer: Response) => ((await answer.json()) as { message: string }).message;
const rawOf = (mail: unknown) =>
  String((mail as { "EmailMessage::raw": string })["EmailMessage::raw"]).replaceAll("=\r\n", "");
export const mails = () => sent.mock.calls.map(([mail]) => rawOf(mail));
export const recipients = () => sent.mock.calls.map(([mail]) => String((mail as { to: string }).to));
export const linkIn = (raw = "") => {
  const [, path = ""] = /http:\/\/localhost:8787(\/unsubscribe\?restock=[\w-]+&key=[\w.-]+)/.exec(raw) ?? [];
  return path;
};
export const lastLink = async () => {
  await vi.waitFor(() => expect(sent).toHaveBeenCalled());
  return linkIn(mails().at(-1));
};
export const rows = async () =>
  (
    await env.DB.prepare("SELECT * FROM restock_requests WHERE id NOT LIKE '%~' ORDER BY seq").all<
      Record<string, unknown>
    >()
  ).results;
export const soldOut = () => addProduct({ stock: 0 });
export const restock = (id: string, stock: number) =>
  call(`/api/product/${id}`, { method: "PUT", json: { stock }, token: owner });

/** Stores people who wait, in order. */
export const line = (id: string, names: string[], unitId = id) =>
  insert(
    "restock_requests",
    names.map((name) => ({
      ...{ id: crypto.randomUUID(), product_id: id, unit_id: unitId, email: `${name}@mail.example` },
      ...{ party: `${name}@mail.example`, created_at: 1, expires_at: 4_000_000_000, confirmed_at: 1 },
    })),
  );

/** Runs the deliveries until nobody is due. */
export async function deliverAll(): Promise<number> {
  let runs = 0;
  for (; (await notifyRestocked(env)) !== null && runs < 600; runs++);
  return runs;
}
