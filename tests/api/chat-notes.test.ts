import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import type { ChatNote } from "~/features/chat/protocol";
import { eraseDue } from "~/features/privacy/deletion.server";
import { messagesOf, postMessage, rowWritten, runTasks, startChat } from "../support/chat";
import { everything, placesOf, searchesThatFind } from "../support/everything-stored";
import { formsIn, press } from "../support/forms";
import { connect } from "../support/live";
import { catchMails } from "../support/mails";
import { admin, manager, person, problems, seller } from "../support/people";
import { pressWith, requestDeletion, unzipped } from "../support/personal-data";
import { newBrowser } from "../support/push-service";
import { addUser, call, insert, openSession } from "../support/shop";

/** Word that no visitor may read. */
const SECRET = "zzsuspicious";
const TEXT = `Asked twice, ${SECRET}.`;

type By = { token?: string; cookie?: string };

let maren: { id: string; token: string };
let sent: ReturnType<typeof catchMails>;

beforeAll(async () => {
  const { id } = await addUser({ firstName: "Maren", isManager: true });
  maren = { id, token: await openSession(id) };
});
beforeEach(() => {
  sent = catchMails();
});

const write = (chatId: string, note: unknown, by: By = maren, more: object = {}) =>
  call(`/api/chat/${chatId}/notes`, { json: { note, ...more }, ...by });
const notesOf = async (chatId: string, query = "") => {
  const answer = await call(`/api/chat/${chatId}/notes${query}`, maren);
  return { notes: (await answer.json()) as ChatNote[], total: answer.headers.get("X-Total-Count") };
};
const textsOf = async (chatId: string, query = "") =>
  (await notesOf(chatId, query)).notes.map(({ note }) => note);

describe("a note of staff", () => {
  it("is stored with its writer, in order, for all staff", async () => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    const first = await write(chatId, "  Pays cash.\r\nKnows Ada. ");
    expect(first.status).toBe(201);
    expect(await first.json()).toEqual({
      ...{ id: expect.any(String), chatId, note: "Pays cash.\nKnows Ada." },
      ...{ staffId: maren.id, staffName: "Maren", timestamp: expect.any(Object), editedAt: null },
    });
    const theo = await seller();
    expect((await write(chatId, "Second", theo)).status).toBe(201);
    expect(await textsOf(chatId)).toEqual(["Pays cash.\nKnows Ada.", "Second"]);
    expect(await notesOf(chatId, "?limit=1&offset=1")).toMatchObject({
      ...{ notes: [{ note: "Second", staffId: theo.id }], total: "2" },
    });
    expect((await call(`/api/chat/${chatId}/notes`, theo)).status).toBe(200);
  });

  it("is stored once for its id, also when it is sent at once", async () => {
    const [one, other] = [await startChat({}), await startChat({})];
    const noteId = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => write(one.chatId, "Once", maren, { noteId })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await textsOf(one.chatId)).toEqual(["Once"]);
    const more = { noteId };
    for (const answer of [
      await write(one.chatId, "Other words", maren, more),
      await write(other.chatId, "Once", maren, more),
      await write(one.chatId, "Once", await manager(), more),
    ])
      expect(answer.status).toBe(409);
    expect(await textsOf(other.chatId)).toEqual([]);
  });

  it.each([
    ["nothing", "", "note: Write the note first"],
    ["spaces and marks without a width", " \u200b\u2800 ", "note: Write the note first"],
    ["no text", 7, "note: Write the note first"],
    ["2,001 characters", "x".repeat(2001), "note: Must be at most 2,000 characters"],
    ["a control character", "a\u0007b", "note: Contains characters that are not allowed"],
  ])("is refused with %s", async (_, note, problem) => {
    const { chatId } = await startChat({});
    const answer = await write(chatId, note);
    expect([answer.status, await problems(answer)]).toEqual([400, [problem]]);
    expect(await textsOf(chatId)).toEqual([]);
  });

  it("takes markup, quotes and emoji as they are", async () => {
    const { chatId } = await startChat({});
    const note = `<script>alert(1)</script> '"; DROP TABLE chat_notes; -- 🙂 ${"é".repeat(1900)}`;
    expect((await write(chatId, note)).status).toBe(201);
    expect(await textsOf(chatId)).toEqual([note]);
    const html = await (await call(`/admin/chat?chat=${chatId}`, maren)).text();
    expect(html).toContain("&lt;script&gt;alert(1)");
    expect(html).not.toContain("<script>alert(1)");
  });

  it("is refused for a chat that is missing or deleted, and for everybody but staff", async () => {
    expect((await write("missing", "Hello")).status).toBe(404);
    expect((await call("/api/chat/missing/notes", maren)).status).toBe(404);
    const ines = await person();
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" }, ines);
    const visitor = await startChat({ initialMessage: "Hello" });
    for (const [by, status] of [
      [{}, 401],
      [{ cookie }, 403],
      [{ cookie: visitor.cookie }, 403],
      [{ token: ines.token }, 403],
    ] as [By, number][]) {
      expect((await write(chatId, "Mine", by)).status, JSON.stringify(by)).toBe(status);
      expect((await call(`/api/chat/${chatId}/notes`, by)).status).toBe(status);
    }
    expect(await textsOf(chatId)).toEqual([]);
    await call(`/api/chat/${chatId}`, { method: "DELETE", ...maren });
    expect((await write(chatId, "Too late")).status).toBe(404);
  });

  it("reaches the consoles live", async () => {
    const { chatId } = await startChat({});
    const colleague = await connect("?room=admin", { Authorization: `Bearer ${(await seller()).token}` });
    await write(chatId, "Look at this");
    expect(await colleague.waitForEvent("new-note")).toMatchObject({ chatId, note: "Look at this" });
  });
});

describe("a visitor", () => {
  /** Everything that a visitor and their mail program can read of their conversation. */
  async function readable(chatId: string, by: By): Promise<string> {
    const pages = [
      ...["/chat", `/chat/${chatId}`, "/purchases", `/chat/${chatId}/cart`, `/chat/${chatId}/cards`],
      ...["/chat/latest", `/api/chat/${chatId}/messages`, `/api/chat/${chatId}/messages?after=0`],
      ...["/api/chat/mine", `/api/chat/${chatId}/cards`, `/api/chat/${chatId}/notes`, "/", "/account"],
      ...[`/api/chat?q=${SECRET}`, `/api/search?q=${SECRET}`, `/shop?search=${SECRET}`],
    ];
    const texts = await Promise.all(pages.map(async (path) => (await call(path, by)).text()));
    const forged = await call(`/chat/${chatId}`, {
      ...by,
      body: new URLSearchParams({ intent: "note", id: chatId, note: "x" }),
    });
    return [...texts, await forged.text(), JSON.stringify(sent.mock.calls)].join("\n");
  }

  it("reads no note on any page, in any list and in no mail", async () => {
    const ines = await person({ firstName: "Ines" });
    const own = await startChat({ initialMessage: "Hello", userEmail: "ines@mail.example" });
    const signedIn = await startChat({ initialMessage: "Hello" }, ines);
    for (const [{ chatId }, by] of [
      [own, { cookie: own.cookie }],
      [signedIn, { token: ines.token }],
    ] as const) {
      await postMessage(chatId, "A moment, please.", maren);
      await write(chatId, TEXT);
      await runTasks(chatId);
      const read = await readable(chatId, by);
      expect(read).toContain("A moment, please.");
      expect(read).not.toContain("Asked twice");
      expect(JSON.stringify(await messagesOf(chatId, by, 0))).not.toContain(SECRET);
    }
    const { length } = sent.mock.calls;
    await write(own.chatId, TEXT);
    await runTasks(own.chatId);
    expect(sent.mock.calls.length, "no mail follows").toBe(length);
  });

  it("receives no note live, nor after a reconnect, with frames and with Socket.IO", async () => {
    const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
    const headers = { Cookie: cookie };
    const socketIo = await connect("?EIO=4&transport=websocket", headers);
    socketIo.socket.send("40");
    await socketIo.waitForFrame((frame) => frame.startsWith("40"));
    for (const event of [`["join-chat","${chatId}"]`, '["join-admin"]']) socketIo.socket.send(`42${event}`);
    const before = [await connect(`?chat=${chatId}`, headers), await connect("", headers), socketIo];
    await write(chatId, TEXT);
    await postMessage(chatId, "The answer", maren);
    const after = await connect(`?chat=${chatId}&after=0`, headers);
    after.send("join-chat", { chatId, after: 0 });
    await after.waitForFrame((frame) => frame.includes("The answer"));
    await socketIo.waitForFrame((frame) => frame.includes("The answer"));
    await before[0]?.waitForFrame((frame) => frame.includes("The answer"));
    await expect(connect("?room=admin", headers)).rejects.toThrow("403");
    for (const { frames } of [...before, after]) expect(frames.join()).not.toContain("note");
  });

  it("has nothing changed by a note: unread, last message, waiting, webhooks, notifications", async () => {
    vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response());
    await insert("webhooks", [
      {
        ...{ id: "till", url: "https://till.example.com/", events: '["chat.message"]', low_stock: 5 },
        ...{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", created_at: 1 },
      },
    ]);
    const { chatId, cookie } = await startChat({ initialMessage: "Anybody?" });
    await call("/api/push", { json: { ...newBrowser().subscription, chatId }, cookie });
    await rowWritten(chatId);
    const state = async () => ({
      row: await env.DB.prepare("SELECT * FROM chats WHERE id = ?").bind(chatId).first(),
      events: (await env.DB.prepare("SELECT id, data FROM webhook_deliveries").all()).results,
      room: await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
        JSON.stringify([
          storage.sql.exec("SELECT * FROM chat").toArray(),
          storage.sql.exec("SELECT * FROM messages").toArray(),
        ]),
      ),
      own: await (await call("/api/chat/mine", { cookie })).text(),
    });
    const tasks = () =>
      runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
        storage.sql
          .exec("SELECT kind FROM duties")
          .toArray()
          .map(({ kind }) => String(kind)),
      );
    const [before, planned] = [await state(), await tasks()];
    expect(before.row).toMatchObject({ unread_count: 1, last_message: "Anybody?" });
    expect(before.row?.waiting_since).not.toBeNull();
    await write(chatId, TEXT);
    await rowWritten(chatId);
    expect(await state()).toEqual(before);
    expect(planned).toEqual(expect.arrayContaining(await tasks()));
  });

  it("has no note in the personal download, nor has the one that staff take for them", async () => {
    const ines = await person();
    const { chatId } = await startChat({ initialMessage: "Hello" }, ines);
    await write(chatId, TEXT);
    const own = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    const owner = await admin();
    for (const [path, by] of [
      [own, ines],
      [`/admin/personal-data.zip?chat=${chatId}`, owner],
    ] as const) {
      const files = await unzipped(await call(path, by));
      expect(Object.keys(files).join()).toContain(chatId);
      expect(Object.values(files).join()).not.toContain(SECRET);
    }
  });
});

describe("staff", () => {
  it("find a chat by its notes, in the list and by Find anything", async () => {
    const { chatId } = await startChat({ userName: "Quentin", initialMessage: "Hello" });
    await startChat({ userName: "Other", initialMessage: "Hello" });
    await write(chatId, "Prefers the Crème brûlée torch 名前入り");
    await rowWritten(chatId);
    const found = async (q: string) =>
      (await (await call(`/api/chat?q=${encodeURIComponent(q)}`, maren)).json()) as { id: string }[];
    for (const q of ["creme brulee", "TORCH", "名前"])
      expect(await found(q), q).toMatchObject([{ id: chatId }]);
    expect(await found("torchlight")).toEqual([]);
    const list = await (await call("/admin/chat?q=torch", maren)).text();
    expect(list).toContain("<b>Note: </b>");
    expect(await (await call("/api/search?q=torch", maren)).text()).toContain("Note: “");
    const closed = await call("/api/chat?q=torch&filter=closed", maren);
    expect(await closed.json()).toEqual([]);
  });

  it("find a chat once that has the words in its messages and in notes", async () => {
    const { chatId } = await startChat({ initialMessage: "A xylophone?" });
    for (let i = 0; i < 3; i++) await write(chatId, `xylophone ${i}`);
    await rowWritten(chatId);
    const answer = await call("/api/chat?q=xylophone", maren);
    expect([answer.headers.get("X-Total-Count"), await answer.json()]).toMatchObject(["1", [{ id: chatId }]]);
  });

  it("read and write notes in the console without JavaScript", async () => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    const at = `/admin/chat?chat=${chatId}`;
    const opened = await (await call(`${at}&note=1`, maren)).text();
    expect(formsIn(opened).some(({ fields }) => fields.note === "")).toBe(true);
    const refused = await press(opened, /^Save note$/, { note: " " }, maren);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("Write the note first"),
    ]);
    const saved = await press(opened, /^Save note$/, { note: TEXT }, maren);
    expect([saved.status, saved.headers.get("Location")]).toEqual([303, at]);
    const html = await (await call(at, maren)).text();
    expect(html).toMatch(
      new RegExp(`class="message note".*?<b>Maren</b>.*?Note, for staff only.*?${TEXT}`, "s"),
    );
    // Sent again, as by Back and a press.
    await press(opened, /^Save note$/, { note: TEXT }, maren);
    expect(await textsOf(chatId)).toEqual([TEXT]);
  });

  it("see the latest 50 notes on the page, all by the API", async () => {
    const { chatId } = await startChat({ initialMessage: "Hello" });
    for (let i = 1; i <= 51; i++) await write(chatId, `Number ${i}.`);
    const html = await (await call(`/admin/chat?chat=${chatId}`, maren)).text();
    expect(html).not.toContain("<p>Number 1.</p>");
    expect(html).toContain("<p>Number 2.</p>");
    expect(html).toContain("<p>Number 51.</p>");
    expect(await textsOf(chatId)).toHaveLength(51);
  });
});

describe("the deletion", () => {
  /** Places with the text; what visitors searched for without a result is kept without them. */
  const left = async () =>
    [...placesOf(await everything([]), SECRET), ...(await searchesThatFind(SECRET))].filter(
      (place) => !place.startsWith("missed_search"),
    );

  it("of a chat takes its notes along", async () => {
    await env.DB.exec("DELETE FROM chat_notes");
    const { chatId } = await startChat({ initialMessage: "Hello" });
    await write(chatId, TEXT);
    expect(await left()).toContain("note_search");
    expect((await call(`/api/chat/${chatId}`, { method: "DELETE", ...maren })).status).toBe(200);
    expect(await left()).not.toContain("note_search");
    expect(await env.DB.prepare("SELECT count(*) AS n FROM chat_notes").first("n")).toBe(0);
  });

  it("of personal data leaves no note", async () => {
    const ines = await person();
    const { chatId } = await startChat({ initialMessage: "Hello" }, ines);
    await write(chatId, TEXT);
    await requestDeletion(ines);
    vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(1);
    expect(await left()).toEqual([]);
  });
});
