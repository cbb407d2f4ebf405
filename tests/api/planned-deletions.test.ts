import { listDurableObjectIds, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { press } from "../support/forms";
import { justBefore } from "../support/just-before";
import { ok } from "../support/operator";
import { person } from "../support/people";
import {
  afterNotice,
  attach,
  deletionTests,
  page,
  plannedDeletions,
  requestDeletion,
  rows,
} from "../support/personal-data";
import { sell, sold } from "../support/sales";
import { call } from "../support/shop";

const line = { description: "Engraving", category: "OTHERS", quantity: 1, amount: 5 };
const PLANNED = /The data of .* will be deleted on \d+\w+ \w+ \d{4}/;
const { owner, seller, plan, customer } = deletionTests();

async function refused(answer: Promise<Response>) {
  const { status, ...rest } = await answer.then(async (response) => ({
    status: response.status,
    body: (await response.json()) as { message: string },
  }));
  expect([status, rest.body.message]).toEqual([409, expect.stringMatching(PLANNED)]);
}

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

    const form = await page(`/admin/personal-data?customer=${asked}`, owner.token);
    await press(form, /^Cancel the deletion$/, {}, owner);
    expect((await merge(other, asked)).status).toBe(200);
    // The page was opened before the merge.
    const late = await press(
      await page(`/admin/personal-data?customer=${other}`, owner.token).then((html) =>
        html.replaceAll(other, asked),
      ),
      /^Delete personal data$/,
      { confirmed: "on" },
      owner,
    );
    expect(late.status).toBe(404);
    expect(await plannedDeletions()).toEqual([]);
  });

  it("a customer that is made of the chat goes with it, also one with a sale", async () => {
    const { chatId } = await startChat({ userName: "Ada Marker", initialMessage: "Hi" });
    await plan(`chat=${chatId}`);
    const made = await customer("Ada Marker", { email: "ada@mail.example", chatId });
    await sold(seller.token, { chatId, customerName: "Ada Marker", lines: [line] });
    expect(await page(`/admin/personal-data?customer=${made}`, owner.token)).toContain("Will be deleted on");
    expect(await eraseDue(env, afterNotice())).toBe(1);
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
    expect(await eraseDue(env, afterNotice())).toBe(1);
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
    await ok(call(`/api/user/${gone.id}`, { method: "DELETE", ...owner }));
    expect(await eraseDue(env, afterNotice())).toBe(2);
    const ids = [first, second, own].map(({ chatId }) => `'${chatId}'`).join();
    expect(await rows(`SELECT id FROM chats WHERE id IN (${ids})`)).toEqual([]);
  });
});

describe("a planned deletion", () => {
  const details = {
    name: "Ada Zzmoved",
    email: "zzmoved@mail.example",
    phoneNumber: "+61400000001",
    notes: "x",
  };
  const anonymous = async (cookie?: string) =>
    startChat({ userName: "Ada Zzmoved", initialMessage: "Hi" }, cookie === undefined ? {} : { cookie });
  const link = (chatId: string, customerId: string) => {
    const body = new URLSearchParams({ intent: "linkCustomer", chatId, customerId });
    return call(`/admin/chat?chat=${chatId}`, { ...seller, body });
  };
  const left = async () => [
    ...(await rows("SELECT id FROM customers WHERE name LIKE '%Zzmoved%' OR email LIKE 'zzmoved%'")),
    ...(await rows("SELECT id FROM chats WHERE user_name LIKE '%Zzmoved%'")),
  ];

  it("follows a covered chat to every customer that staff make of it", async () => {
    const { chatId } = await anonymous();
    const asked = await customer("Ada Zzmoved");
    expect((await link(chatId, asked)).status).toBe(303);
    await plan(`customer=${asked}`);
    const first = await customer(details.name, { ...details, chatId });
    const second = await customer(details.name, { ...details, chatId });
    for (const id of [first, second]) {
      expect(await page(`/admin/personal-data?customer=${id}`, owner.token)).toContain("Will be deleted on");
      await refused(call(`/api/customer/${await customer("Other")}/merge`, { ...seller, json: { id } }));
    }
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await left()).toEqual([]);
  });

  it("follows a customer made of a covered chat whose visitor signs in", async () => {
    const { chatId, cookie } = await anonymous();
    await plan(`chat=${chatId}`);
    const later = await anonymous(cookie);
    const made = await customer(details.name, { ...details, chatId: later.chatId });
    const joined = await person();
    for (const id of [chatId, later.chatId]) await attach(id, joined);
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await rows(`SELECT id FROM customers WHERE id = '${made}'`)).toEqual([]);
    expect(await left()).toEqual([]);
    expect(await rows(`SELECT id FROM users WHERE id = '${joined.id}'`)).toHaveLength(1);
  });

  it("spares customers whom the shop knows from another account's chat", async () => {
    const [ines, other] = [await person(), await person()];
    const known = await customer("Shared");
    const [own, theirs] = [
      await startChat({ initialMessage: "Mine" }, ines),
      await startChat({ initialMessage: "Theirs" }, other),
    ];
    for (const { chatId } of [own, theirs]) expect((await link(chatId, known)).status).toBe(303);
    await requestDeletion(ines);
    // Both chats leave the customer, who belongs to nobody's plan.
    for (const { chatId } of [own, theirs]) await customer("Made", { chatId });
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await rows(`SELECT name FROM customers WHERE id = '${known}'`)).toEqual([{ name: "Shared" }]);
  });

  it("is shown and can be cancelled where it refuses: of a chat whose visitor has signed in", async () => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const known = await customer("Known");
    await plan(`chat=${chatId}`);
    await attach(chatId, await person());
    expect((await link(chatId, known)).status).toBe(409);
    const shown = await page(`/admin/personal-data?chat=${chatId}`, owner.token);
    expect(shown).toContain("Has a chat that will be deleted on");
    expect((await press(shown, /^Cancel the deletion$/, {}, owner)).status).toBe(303);
    expect(await plannedDeletions()).toEqual([]);
    expect((await link(chatId, known)).status).toBe(303);
  });

  it("is named on the page of the customer of an account that signed in to a planned chat, and leaves both", async () => {
    const joined = await person({ firstName: "Ines", lastName: "Zzowner" });
    const { chatId: own } = await startChat({ initialMessage: "Mine" }, joined);
    const record = await customer("Ines Zzowner", { chatId: own });
    const { chatId } = await startChat({ initialMessage: "From another browser" });
    await plan(`chat=${chatId}`);
    const path = `/admin/personal-data?customer=${record}`;
    expect(await page(path, owner.token)).not.toContain("will be deleted on");
    await attach(chatId, joined);
    const shown = await page(path, owner.token);
    expect(shown).toContain("Has a chat that will be deleted on");
    expect(await page(`/admin/personal-data?chat=${own}`, owner.token)).toContain(
      "Has a chat that will be deleted on",
    );
    // Nothing else of the person is refused.
    expect(
      (await call(`/api/customer/${await customer("Other")}/merge`, { ...seller, json: { id: record } }))
        .status,
    ).toBe(200);
    expect((await press(shown, /^Cancel the deletion$/, {}, owner)).status).toBe(303);
    expect(await plannedDeletions()).toEqual([]);
  });

  it.each(["customer", "chat"])(
    "of an account is shown and can be cancelled at its linked %s",
    async (kind) => {
      const ines = await person();
      const { chatId } = await startChat({ initialMessage: "Hi" }, ines);
      const linked = await customer("Linked");
      expect((await link(chatId, linked)).status).toBe(303);
      await requestDeletion(ines);
      await ok(call(`/api/user/${ines.id}`, { method: "DELETE", ...owner }));
      const merge = async () =>
        call(`/api/customer/${await customer("Other")}/merge`, { ...seller, json: { id: linked } });
      await refused(merge());
      const path = `/admin/personal-data?${kind}=${kind === "chat" ? chatId : linked}`;
      const shown = await page(path, owner.token);
      expect(shown).toContain("At the person&#x27;s own request.");
      expect((await press(shown, /^Cancel the deletion$/, {}, owner)).status).toBe(303);
      expect(await page(path, owner.token)).not.toContain("Will be deleted on");
      expect((await merge()).status).toBe(200);
    },
  );

  it("covers a browser's later chats, also when staff delete the chat that was planned", async () => {
    const first = await anonymous();
    await plan(`chat=${first.chatId}`);
    const later = await anonymous(first.cookie);
    await ok(call(`/api/chat/${first.chatId}`, { method: "DELETE", ...seller }));
    expect(await page(`/admin/personal-data?chat=${later.chatId}`, owner.token)).toContain(
      "Will be deleted on",
    );
    expect((await link(later.chatId, await customer("Known"))).status).toBe(409);
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await rows(`SELECT id FROM chats WHERE id = '${later.chatId}'`)).toEqual([]);
  });

  it("covers chats that the account begins later, also when staff end the account", async () => {
    const ines = await person();
    await requestDeletion(ines);
    const { chatId } = await startChat({ userName: "Ada Zzmoved", initialMessage: "Later" }, ines);
    const made = await customer(details.name, { ...details, chatId });
    await ok(call(`/api/user/${ines.id}`, { method: "DELETE", ...owner }));
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await rows(`SELECT id FROM chats WHERE id = '${chatId}'`)).toEqual([]);
    expect(await rows(`SELECT id FROM customers WHERE id = '${made}'`)).toEqual([]);
  });
});

describe("a deletion that is planned at the same moment", () => {
  afterEach(() => void vi.mocked(env.DB.withSession).mockRestore());
  const store = (chatId: string) =>
    env.DB.prepare(
      `INSERT INTO erasures (id, chat_id, requested_by, requested_at, due_at, chats)
      VALUES (?, ?, 'staff', unixepoch(), unixepoch() + 600, ?)`,
    )
      .bind(crypto.randomUUID(), chatId, JSON.stringify([chatId]))
      .run();

  it("refuses a link with its date", async () => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const customerId = await customer("Known");
    justBefore(/INSERT INTO chat_customers/, () => store(chatId));
    const body = new URLSearchParams({ intent: "linkCustomer", chatId, customerId });
    const answer = await call(`/admin/chat?chat=${chatId}`, { ...seller, body });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringMatching(PLANNED)]);
    expect(await rows(`SELECT 1 FROM chat_customers WHERE chat_id = '${chatId}'`)).toEqual([]);
  });

  it("refuses a sale that would link its chat", async () => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const customerId = await customer("Known");
    justBefore(/INSERT INTO chat_customers/, () => store(chatId));
    await refused(sell(seller.token, { chatId, customerId, lines: [line] }));
    expect(await rows(`SELECT 1 FROM documents WHERE chat_id = '${chatId}'`)).toEqual([]);
  });

  it.each(["kept", "merged"])("refuses a merge whose %s customer it covers", async (side) => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const [covered, other] = [await customer("Covered", { chatId }), await customer("Other")];
    const [kept, merged] = side === "kept" ? [covered, other] : [other, covered];
    justBefore(/DELETE FROM customers/, () => store(chatId));
    await refused(call(`/api/customer/${kept}/merge`, { ...seller, json: { id: merged } }));
    expect(await rows(`SELECT id FROM customers WHERE id IN ('${kept}', '${merged}')`)).toHaveLength(2);
  });

  it("is of nobody but the person of the page: a chat that was moved just before is refused, with its new name", async () => {
    const { chatId } = await startChat({ initialMessage: "Hi" });
    await customer("First", { chatId });
    const path = `/admin/personal-data?chat=${chatId}`;
    justBefore(/INSERT INTO erasures/, () => customer("Second", { chatId }));
    const answer = await press(
      await page(path, owner.token),
      /^Delete personal data$/,
      { confirmed: "on" },
      owner,
    );
    const shown = await answer.text();
    expect([answer.status, shown]).toEqual([409, expect.stringContaining("this is Second by now")]);
    expect(await plannedDeletions()).toEqual([]);
    expect((await press(shown, /^Delete personal data$/, { confirmed: "on" }, owner)).status).toBe(303);
    expect(await rows("SELECT c.name FROM erasures JOIN customers AS c ON c.id = customer_id")).toEqual([
      { name: "Second" },
    ]);
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
    const erased = Promise.race(starts).then(() => eraseDue(env, afterNotice()));
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
    expect(await eraseDue(env, afterNotice())).toBe(1);
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
    await expect(eraseDue(env, afterNotice())).rejects.toThrow("1 not completed");
    room.mockRestore();
    expect(await plannedDeletions()).toHaveLength(1);
    expect(await eraseDue(env, afterNotice())).toBe(1);
    const users = people.map(({ id }) => `'${id}'`).join();
    expect(await rows(`SELECT id FROM users WHERE id IN (${users})`)).toEqual([]);
    const ids = chats.map(({ chatId }) => `'${chatId}'`).join();
    expect(await rows(`SELECT id FROM chats WHERE id IN (${ids})`)).toEqual([]);
  });
});

describe("a download of a person's data", () => {
  it("by an admin is recorded in the audit log, with the person", async () => {
    const id = await customer("Downloaded");
    const answer = await call(`/admin/personal-data.zip?customer=${id}`, owner);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    expect(
      await rows(`SELECT action, object, author_kind AS author FROM audit_log
      WHERE object_id = '${id}' AND action = 'downloaded'`),
    ).toEqual([{ action: "downloaded", object: "customer", author: "staff" }]);
    expect(await page(`/admin/customers/${id}`, owner.token)).toContain("downloaded all data of");
  });
});
