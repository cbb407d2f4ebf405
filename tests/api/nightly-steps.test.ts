import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS, epochSeconds } from "~/domain/durations";
import {
  folderOfDay,
  removeOrphanFiles,
  STEP_LIMITS as SWEEP_LIMITS,
} from "~/features/chat/operations/stored-files.server";
import { eraseDue, mailPlanned } from "~/features/privacy/deletion.server";
import { settleHolds } from "~/features/sales/operations/holds.server";
import type { NightlyJob } from "~/http/nightly-job.server";
import { measuredSteps } from "../support/nightly";
import { addChatRows, planErasures } from "../support/personal-data";
import { stockOf } from "../support/sales";
import { addProduct, addUser, insert } from "../support/shop";

/** Half of the queries that the platform permits in one invocation, which also counts 10,000 subrequests. */
const HALF = 500;

const count = (query: string) => env.DB.prepare(`SELECT count(*) AS n ${query}`).first<number>("n");

const accounts = async (length: number) =>
  (await Promise.all(Array.from({ length }, () => addUser()))).map(({ id }) => id);

beforeEach(async () => {
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  await env.DB.exec("DELETE FROM erasures");
});

describe("one step of a nightly job is bounded, and the next ones do the rest", () => {
  it("the sweep asks one room for each upload of its page", async () => {
    const chats = Array.from({ length: 20 }, (_, i) => `chat-${i}`);
    const folder = folderOfDay(Date.now() / 1000);
    const keyOf = (chat: string) => `${folder}${chat}/${"a".repeat(32)}-${"0".repeat(16)}`;
    for (const chat of chats) await env.BUCKET.put(keyOf(chat), "x");
    const now = Date.now() + DAY_MS + 60_000;
    const { result, steps } = await measuredSteps((bindings, cursor) =>
      removeOrphanFiles(bindings, cursor, now, { ...SWEEP_LIMITS, pageSize: 8 }),
    );
    expect(result).toBe(chats.length);
    expect(steps.map(({ rooms }) => rooms).filter(Boolean)).toEqual([8, 8, 4]);
    for (const { rooms, subrequests } of steps) expect(subrequests - rooms).toBeLessThanOrEqual(4);
    expect((await env.BUCKET.list({ prefix: folder })).objects).toEqual([]);
    expect(SWEEP_LIMITS.pageSize * SWEEP_LIMITS.maxPages).toBeLessThanOrEqual(HALF);
  });

  it("deletions of personal data: a few people, and of one person a few chats", async () => {
    const { id } = await addUser();
    await addChatRows(id, "of-one", 25);
    await planErasures([id, ...(await accounts(6))], 100);
    const { result, steps } = await measuredSteps((bindings, cursor) =>
      eraseDue(bindings, Date.now(), cursor, { people: 6, chats: 10 }),
    );
    expect(result).toBe(7);
    expect(await count("FROM chats WHERE id LIKE 'of-one-%'")).toBe(0);
    expect(await count("FROM erasures WHERE done_at IS NULL")).toBe(0);
    expect(steps.length).toBeGreaterThanOrEqual(4);
    for (const { rooms, queries } of steps) expect([rooms <= 10, queries <= HALF]).toEqual([true, true]);
  }, 60_000);

  it("goes on after a deletion that fails, and names it at the end", async () => {
    await env.DB.exec("UPDATE users SET is_admin = 0");
    const last = await addUser({ isAdmin: true });
    await planErasures([last.id], 1);
    await planErasures(await accounts(4), 100);
    const job: NightlyJob = (bindings, cursor) =>
      eraseDue(bindings, Date.now(), cursor, { people: 2, chats: 10 });
    await expect(measuredSteps(job)).rejects.toThrow(
      "1 not completed: Error: The account is the last admin.",
    );
    expect(await count("FROM erasures WHERE done_at IS NULL")).toBe(1);
  }, 60_000);

  it("mails about deletions: also after one that is refused", async () => {
    await planErasures(await accounts(7), epochSeconds() + 1000);
    vi.mocked(env.MAIL.send).mockRejectedValueOnce(new Error("refused"));
    const { result, steps } = await measuredSteps((bindings, cursor) => mailPlanned(bindings, cursor, 3));
    expect(result).toBe(7);
    expect(await count("FROM erasures WHERE mailed_at IS NULL")).toBe(1);
    expect(steps.map(({ mails }) => mails)).toEqual([3, 3, 1]);
    // Besides the mails, a step reads the shop's settings.
    for (const { subrequests, mails } of steps) expect(subrequests).toBeLessThanOrEqual(5 * mails + 1);
  }, 60_000);

  it("ended holds: 1,000 lines", async () => {
    const productId = await addProduct({ name: "Lamp", stock: 3000 });
    const line = { product_id: productId, name: "Lamp", quantity: 1, until: 1 };
    await insert(
      "hold_lines",
      Array.from({ length: 2100 }, (_, i) => ({ hold_id: `hold-${i}`, ...line })),
    );
    expect((await stockOf(productId)).held).toBe(2100);
    const { steps } = await measuredSteps(settleHolds);
    expect(steps).toHaveLength(3);
    expect((await stockOf(productId)).held).toBe(0);
  });
});
