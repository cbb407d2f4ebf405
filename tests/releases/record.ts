import { afterEach, expect, inject, it, vi } from "vitest";
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

/** Hands a file to scripts/record-release.mjs: workerd has no disk. */
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
    const { bytes } = await backUp();
    await store("shop.tar", bytes);
    await store("writes.json", JSON.stringify({ facts, batches }));
  },
  TIMEOUT_MS,
);
