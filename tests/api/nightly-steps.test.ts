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
import { countedCalls } from "../support/counted-calls";
import { measuredD1 } from "../support/measured-d1";
import { allSteps } from "../support/nightly";
import { stockOf } from "../support/sales";
import { addProduct, addUser, insert } from "../support/shop";

/** Half of the queries that the platform permits in one invocation, which also counts 10,000 subrequests. */
const HALF = 500;

/** Calls of a step: to chat rooms, to the bucket, mails, queries of D1, and all of these. */
interface Asked {
  rooms: number;
  objects: number;
  mails: number;
  queries: number;
  subrequests: number;
}

/** Runs all steps of a job. @returns its result, and what each step asked */
async function measured(job: NightlyJob) {
  const steps: Asked[] = [];
  const result = await allSteps(job, () => {
    const { database, most } = measuredD1(env.DB);
    const counts = { rooms: 0, objects: 0, mails: 0 };
    steps.push({
      get rooms() {
        return counts.rooms;
      },
      get objects() {
        return counts.objects;
      },
      get mails() {
        return counts.mails;
      },
      get queries() {
        return most.queries;
      },
      get subrequests() {
        return counts.rooms + counts.objects + counts.mails + most.queries;
      },
    });
    const room = (name: string) => {
      counts.rooms++;
      return env.CHAT_ROOM.getByName(name);
    };
    const send = (message: Parameters<typeof env.MAIL.send>[0]) => {
      counts.mails++;
      return env.MAIL.send(message);
    };
    const bucket = countedCalls(env.BUCKET, () => counts.objects++);
    const services = { DB: database, BUCKET: bucket, CHAT_ROOM: { getByName: room }, MAIL: { send } };
    return { ...env, ...services } as unknown as Env;
  });
  return { result, steps };
}

const count = (query: string) => env.DB.prepare(`SELECT count(*) AS n ${query}`).first<number>("n");

/** Plans the deletion of subjects. @param subject column that names them */
const plan = (subject: "user_id" | "chat_id" | "customer_id", ids: string[], dueAt: number) =>
  insert(
    "erasures",
    ids.map((id, i) => ({
      id: `erasure-${subject}-${id}`,
      [subject]: id,
      requested_by: "staff",
      requested_at: 1,
      due_at: dueAt + i,
    })),
  );

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
    const { result, steps } = await measured((bindings, cursor) =>
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
    const chat = {
      user_id: id,
      user_name: "Ann",
      user_email: "",
      last_message: "",
      last_message_at: 1,
      unread_count: 0,
      visitor_unread: 0,
      revision: 1,
      created_at: 1,
      month: "2026-01",
    };
    await insert(
      "chats",
      Array.from({ length: 25 }, (_, i) => ({ id: `of-one-${i}`, ...chat })),
    );
    await plan("user_id", [id, ...(await accounts(6))], 100);
    const { result, steps } = await measured((bindings, cursor) =>
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
    await plan("user_id", [last.id], 1);
    await plan("user_id", await accounts(4), 100);
    const job: NightlyJob = (bindings, cursor) =>
      eraseDue(bindings, Date.now(), cursor, { people: 2, chats: 10 });
    await expect(measured(job)).rejects.toThrow("1 not completed: Error: The account is the last admin.");
    expect(await count("FROM erasures WHERE done_at IS NULL")).toBe(1);
  }, 60_000);

  it("mails about deletions: also after one that is refused", async () => {
    await plan("user_id", await accounts(7), epochSeconds() + 1000);
    vi.mocked(env.MAIL.send).mockRejectedValueOnce(new Error("refused"));
    const { result, steps } = await measured((bindings, cursor) => mailPlanned(bindings, cursor, 3));
    expect(result).toBe(7);
    expect(await count("FROM erasures WHERE mailed_at IS NULL")).toBe(1);
    expect(steps.map(({ mails }) => mails)).toEqual([3, 3, 1]);
    for (const { subrequests, mails } of steps) expect(subrequests).toBeLessThanOrEqual(5 * mails);
  }, 60_000);

  it("ended holds: 1,000 lines", async () => {
    const productId = await addProduct({ name: "Lamp", stock: 3000 });
    const line = { product_id: productId, name: "Lamp", quantity: 1, until: 1 };
    await insert(
      "hold_lines",
      Array.from({ length: 2100 }, (_, i) => ({ hold_id: `hold-${i}`, ...line })),
    );
    expect((await stockOf(productId)).held).toBe(2100);
    const { steps } = await measured(settleHolds);
    expect(steps).toHaveLength(3);
    expect((await stockOf(productId)).held).toBe(0);
  });
});
