import { env } from "cloudflare:workers";
import { afterEach, expect, inject, it, vi } from "vitest";
import { shopTables } from "~/features/backup/snapshot.queries.server";
import { backUp } from "../support/operator";
import { fillShop } from "./fill";
import { recordWrites } from "./writes";

declare module "vitest" {
  interface ProvidedContext {
    recorder: string;
  }
}

/** Passwords are hashed as in the shop, which takes a busy machine seconds. */
const TIMEOUT_MS = 180_000;

afterEach(() => vi.restoreAllMocks());

/** Tables that may be empty: seals of the night, rows that end with the work they serve, and remembered choices. */
const EMPTY = [
  "audit_seals",
  "chat_imports",
  "import_mappings",
  "page_changes",
  "push_preferences",
  "sale_outbox",
];

async function emptyTables(): Promise<string[]> {
  const names = (await shopTables(env.DB)).map(({ name }) => name);
  const first = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT 1 FROM "${name}" LIMIT 1`)));
  return names.filter((_, i) => first[i]?.results.length === 0);
}

/** Hands a file to scripts/release.mjs: workerd has no disk. */
async function store(name: string, content: BodyInit): Promise<void> {
  const { ok } = await fetch(`${inject("recorder")}/${name}`, { method: "PUT", body: content });
  expect(ok).toBe(true);
}

it(
  "records a filled shop and the writes that filled it",
  async () => {
    const receiver = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null));
    const { batches, stop } = recordWrites();
    const facts = await fillShop();
    stop();
    receiver.mockRestore();
    expect(await emptyTables(), "Fill them in tests/releases/fill.ts").toEqual(EMPTY);
    const { bytes } = await backUp();
    await store("shop.tar", bytes);
    await store("writes.json", JSON.stringify({ facts, batches }));
  },
  TIMEOUT_MS,
);
