import { listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { press } from "../support/forms";
import { ok } from "../support/operator";
import { admin, manager, person } from "../support/people";
import { DAY, page, planned, requestDeletion } from "../support/personal-data";
import { json, sell, sold } from "../support/sales";
import { call } from "../support/shop";

const soon = () => Date.now() + 8 * DAY;
const rows = async (query: string) => (await env.DB.prepare(query).all()).results;
const line = { description: "Engraving", category: "OTHERS", quantity: 1, amount: 5 };
const PLANNED = /The data of .* will be deleted on \d+\w+ \w+ \d{4}/;
let boss: { token: string };
let seller: { token: string };

const customer = async (name: string, fields: object = {}) =>
  (await json<{ id: string }>(call("/api/customer", { token: seller.token, json: { name, ...fields } }))).id;

/** Plans the deletion of a customer or of a chat's visitor, as an admin. */
async function plan(subject: string) {
  const form = await page(`/admin/personal-data?${subject}`, boss.token);
  const answer = await press(form, /^Delete personal data$/, { confirmed: "on" }, boss);
  expect(answer.status).toBe(303);
}

async function refused(answer: Promise<Response>) {
  const { status, ...rest } = await answer.then(async (response) => ({
    status: response.status,
    body: (await response.json()) as { message: string },
  }));
  expect([status, rest.body.message]).toEqual([409, expect.stringMatching(PLANNED)]);
}

beforeAll(async () => {
  boss = await admin();
  seller = await manager();
});
beforeEach(async () => {
  await env.DB.exec("DELETE FROM erasures");
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

describe("while the deletion of a person's data is planned", () => {
  it("their record is merged with no other, in either direction, until it is cancelled", async () => {
    const [asked, other] = [await customer("Asked", { notes: "Walnut" }), await customer("Other")];
    await plan(`customer=${asked}`);
    const merge = (keep: string, drop: string) =>
      call(`/api/customer/${keep}/merge`, { ...seller, json: { id: drop } });
    await refused(merge(other, asked));
    await refused(merge(asked, other));
    const dialog = await page(`/admin/customers/${other}?merge=${asked}`, seller.token);
    const answer = await press(dialog, /^Merge both/, {}, seller);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringMatching(PLANNED)]);

    const form = await page(`/admin/personal-data?customer=${asked}`, boss.token);
    await press(form, /^Cancel the deletion$/, {}, boss);
    expect((await merge(other, asked)).status).toBe(200);
    // The page was opened before the merge.
    const late = await press(
      await page(`/admin/personal-data?customer=${other}`, boss.token).then((html) =>
        html.replaceAll(other, asked),
      ),
      /^Delete personal data$/,
      { confirmed: "on" },
      boss,
    );
    expect(late.status).toBe(404);
    expect(await planned()).toEqual([]);
  });

  it("a customer that is made of the chat goes with it, also one with a sale", async () => {
    const { chatId } = await startChat({ userName: "Ada Marker", initialMessage: "Hi" });
    await plan(`chat=${chatId}`);
    const made = await customer("Ada Marker", { email: "ada@mail.example", chatId });
    await sold(seller.token, { chatId, customerName: "Ada Marker", lines: [line] });
    expect(await page(`/admin/personal-data?customer=${made}`, boss.token)).toContain("Will be deleted on");
    expect(await eraseDue(env, soon())).toBe(1);
    expect(await rows(`SELECT name, email FROM customers WHERE id = '${made}'`)).toEqual([
      { name: "Deleted customer", email: "" },
    ]);
    expect(await rows(`SELECT customer_name AS name FROM documents WHERE chat_id = '${chatId}'`)).toEqual([
      { name: "Deleted customer" },
    ]);
  });

  it("a chat is linked to no customer whom the shop knows from elsewhere, also not by a sale", async () => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const known = await customer("Known");
    await plan(`chat=${chatId}`);
    await refused(sell(seller.token, { chatId, customerId: known, lines: [line] }));
    const column = await page(`/admin/chat?chat=${chatId}`, seller.token);
    expect(column).toContain(chatId);
    const body = new URLSearchParams({ intent: "linkCustomer", chatId, customerId: known });
    const answer = await call(`/admin/chat?chat=${chatId}`, { ...seller, body });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringMatching(PLANNED)]);
    expect((await sell(seller.token, { chatId, lines: [line] })).status).toBe(201);
    expect(await eraseDue(env, soon())).toBe(1);
    expect(await rows(`SELECT name FROM customers WHERE id = '${known}'`)).toEqual([{ name: "Known" }]);
  });

  it("covers what belonged to the person then: chats of a visitor who signs in, of an account that staff delete", async () => {
    const first = await startChat({ initialMessage: "First" });
    const second = await startChat({ initialMessage: "Second" }, { cookie: first.cookie });
    await plan(`chat=${first.chatId}`);
    const joined = await person();
    await env.CHAT_ROOM.getByName(first.chatId).attach({
      userId: joined.id,
      userName: "Ines",
      userEmail: joined.email,
    });
    const gone = await person();
    const own = await startChat({ initialMessage: "Mine" }, gone);
    await requestDeletion(gone);
    await ok(call(`/api/user/${gone.id}`, { method: "DELETE", ...boss }));
    expect(await eraseDue(env, soon())).toBe(2);
    const ids = [first, second, own].map(({ chatId }) => `'${chatId}'`).join();
    expect(await rows(`SELECT id FROM chats WHERE id IN (${ids})`)).toEqual([]);
  });
});

describe("the deletion", () => {
  it("leaves no chat that is begun while the account is deleted", async () => {
    const ines = await person({ firstName: "Zzracer", email: "zzracer@mail.example" });
    for (let i = 0; i < 3; i++) await startChat({ initialMessage: "Before" }, ines);
    await requestDeletion(ines);
    // Each request is authenticated before its chat is stored; the deletion runs in between.
    const starts = Array.from({ length: 60 }, async (_, i) => {
      await scheduler.wait(i * 10);
      return startChat({ initialMessage: `Racing ${i}` }, ines);
    });
    const erased = scheduler.wait(150).then(() => eraseDue(env, soon()));
    const answers = await Promise.all(starts);
    expect(await erased).toBe(1);
    const begun = answers.flatMap(({ chatId, answer }) => (answer.status === 201 ? [chatId] : []));
    expect(begun.length).toBeGreaterThan(0);
    const left = () =>
      rows(`SELECT id FROM chats WHERE user_id = '${ines.id}' OR user_email LIKE 'zzracer%'`);
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    // Requests after the end of the session begin anonymous chats.
    const anonymous = new Set((await rows("SELECT id FROM chats WHERE user_id IS NULL")).map(({ id }) => id));
    // Also those of requests that were answered 401.
    for (const id of await listDurableObjectIds(env.CHAT_ROOM))
      await runDurableObjectAlarm(env.CHAT_ROOM.get(id));
    for (const id of begun.filter((chatId) => !anonymous.has(chatId)))
      await expect
        .poll(() => env.CHAT_ROOM.getByName(id).history(0, "staff"), { timeout: 10_000 })
        .toBeNull();
    for (const table of ["chat_texts", "customers"])
      expect(JSON.stringify(await rows(`SELECT * FROM ${table}`)), table).not.toMatch(/zzracer/i);
  }, 60_000);

  it("deletes a chat that an authenticated request begins after it, and says that the account is gone", async () => {
    const ines = await person();
    await requestDeletion(ines);
    expect(await eraseDue(env, soon())).toBe(1);
    const chat = { id: "late", userName: "Ines", userEmail: ines.email, userId: ines.id, isAnonymous: false };
    const settings = { welcomeMessage: "", offlineMessage: "", isOnline: true, autoResponseEnabled: false };
    const room = env.CHAT_ROOM.getByName("late");
    const opened = room.open({ ...chat, lines: [] }, { message: "Hi", cards: [] }, {
      settings,
      responses: [],
      pickup: "",
    } as never);
    expect(await opened).toBe("erased");
    await expect.poll(() => rows("SELECT id FROM chats WHERE id = 'late'"), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => room.history(0, "staff"), { timeout: 10_000 }).toBeNull();
  }, 30_000);

  it("of several persons continues with the others when one breaks off, and with that one the next night", async () => {
    const people = [await person(), await person(), await person()];
    const chats = [];
    for (const who of people) {
      chats.push(await startChat({ initialMessage: "Hello" }, who));
      await requestDeletion(who);
    }
    const room = vi.spyOn(env.CHAT_ROOM, "getByName").mockImplementationOnce(() => {
      throw new Error("broken off");
    });
    await expect(eraseDue(env, soon())).rejects.toThrow("1 not completed");
    room.mockRestore();
    expect(await planned()).toHaveLength(1);
    expect(await eraseDue(env, soon())).toBe(1);
    const users = people.map(({ id }) => `'${id}'`).join();
    expect(await rows(`SELECT id FROM users WHERE id IN (${users})`)).toEqual([]);
    const ids = chats.map(({ chatId }) => `'${chatId}'`).join();
    expect(await rows(`SELECT id FROM chats WHERE id IN (${ids})`)).toEqual([]);
  });
});

describe("a download of a person's data", () => {
  it("by an admin is recorded in the audit log, with the person", async () => {
    const id = await customer("Downloaded");
    const answer = await call(`/admin/personal-data.zip?customer=${id}`, boss);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    expect(
      await rows(`SELECT action, object, author_kind AS author FROM audit_log
      WHERE object_id = '${id}' AND action = 'downloaded'`),
    ).toEqual([{ action: "downloaded", object: "customer", author: "staff" }]);
    expect(await page(`/admin/customers/${id}`, boss.token)).toContain("downloaded all data of");
  });
});
