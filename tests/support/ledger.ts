import { env } from "cloudflare:workers";
import { openDb } from "~/db/client.server";
import type { StaffContext } from "~/http/operation.server";
import { initialSettings } from "~/http/shop-settings.server";
import { call } from "./shop";

/** Builds the part of a request context that ledger reads use, with an admin as caller. */
export function ledgerContext(
  now = Math.floor(Date.now() / 1000),
  timezone = "America/Toronto",
): StaffContext {
  const settings = { ...initialSettings(env as Env), timezone };
  const user = { id: "staff", isAdmin: true };
  const caller = { user: async () => user, key: async () => null };
  const request = new Request("http://localhost:8787/");
  const asker = { request, cookies: { session: null }, caller, user };
  return { db: openDb(env.DB).db, env, settings, now, ...asker } as unknown as StaffContext;
}

/** Entry in an API response. */
export interface Entry {
  id: string;
  description: string;
  amount: number;
  quantity: number;
  businessType: string;
  category: string;
  paymentMode: string;
  expenseType: string;
  createdAt: { seconds: number; nanoseconds: number };
}

export const INVOICE = {
  description: "Key fob",
  category: "ENGRAVING",
  quantity: 2,
  paymentMode: "CARD",
  businessType: "LASER",
  amount: 36,
  createdAt: { seconds: 1_790_000_000, nanoseconds: 0 },
};

export const EXPENSE = {
  description: "Parcels",
  expenseType: "SHIPPING",
  businessType: "EMPORIA",
  amount: 18.5,
  createdAt: { seconds: 1_790_000_000, nanoseconds: 0 },
};

export const KINDS = [
  { kind: "invoice" as const, base: INVOICE, title: "Invoice" },
  { kind: "expense" as const, base: EXPENSE, title: "Expense" },
];

/** Adds an entry through the API with the defaults above. */
export async function addEntry(
  kind: "invoice" | "expense",
  fields: Record<string, unknown>,
  token: string,
): Promise<Entry> {
  const json = { ...(kind === "invoice" ? INVOICE : EXPENSE), ...fields };
  const answer = await call(`/api/${kind}`, { json, token });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Entry;
}
