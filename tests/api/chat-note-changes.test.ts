import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { ChatNote } from "~/features/chat/protocol";
import { startChat } from "../support/chat";
import { formWith, press } from "../support/forms";
import { connect, type LiveEvent } from "../support/live";
import { manager, person, problems, seller } from "../support/people";
import { call } from "../support/shop";

type By = { token?: string; cookie?: string };

let maren: { id: string; token: string };
let theo: { id: string; token: string };
beforeAll(async () => {
  [maren, theo] = [await manager(), await seller()];
});

/** Begins a chat with a note of Maren. */
async function noted(note: string, by: By = maren) {
  const { chatId, cookie } = await startChat({ initialMessage: "Hello" });
  const answer = await call(`/api/chat/${chatId}/notes`, { json: { note }, ...by });
  return { chatId, cookie, id: ((await answer.json()) as ChatNote).id };
}
const send = (method: string, chatId: string, json: object, by: By = maren) =>
  call(`/api/chat/${chatId}/notes`, { method, json, ...by });
const notesOf = async (chatId: string) =>
  (await (await call(`/api/chat/${chatId}/notes`, maren)).json()) as ChatNote[];
const found = async (q: string) =>
  ((await (await call(`/api/chat?q=${q}`, maren)).json()) as { id: string }[]).map(({ id }) => id);
const logged = async (chatId: string) =>
  (
    await env.DB.prepare(
      "SELECT action, author_id AS author, changes FROM audit_log WHERE object_id = ? AND action LIKE 'note%' ORDER BY seq",
    )
      .bind(chatId)
      .all()
  ).results;

describe("a note of one's own", () => {
  it("is changed, found by its new words alone, and says so", async () => {
    const { chatId, id } = await noted("Wants a xylophone");
    const answer = await send("PATCH", chatId, { noteId: id, note: " Wants a zither. " });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ id, note: "Wants a zither.", editedAt: expect.any(Object) }),
    ]);
    expect(await notesOf(chatId)).toMatchObject([{ id, note: "Wants a zither.", staffId: maren.id }]);
    expect([await found("zither"), await found("xylophone")]).toEqual([[chatId], []]);
    expect(await (await call(`/admin/chat?chat=${chatId}`, maren)).text()).toContain(
      "Note, for staff only, changed",
    );
  });

  it("is taken back for good, also twice and at once", async () => {
    const { chatId, id } = await noted("Owes 20 from the accordion");
    const answers = await Promise.all([1, 2, 3].map(() => send("DELETE", chatId, { noteId: id })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([await notesOf(chatId), await found("accordion")]).toEqual([[], []]);
    expect((await send("PATCH", chatId, { noteId: id, note: "Back" })).status).toBe(404);
    expect((await send("DELETE", chatId, { noteId: id })).status).toBe(200);
  });

  it("stays taken back when its POST arrives again, which is answered as the first one", async () => {
    const { chatId } = await noted("Another one");
    const json = { note: "Owes 20 from the bassoon", noteId: crypto.randomUUID() };
    const { timestamp: _, ...first } = (await (await send("POST", chatId, json)).json()) as ChatNote;
    await send("DELETE", chatId, { noteId: json.noteId });
    const again = await send("POST", chatId, json);
    expect([again.status, await again.json()]).toEqual([201, expect.objectContaining(first)]);
    expect((await send("POST", chatId, json, theo)).status).toBe(409);
    expect([(await notesOf(chatId)).length, await found("bassoon")]).toEqual([1, []]);
    expect(await logged(chatId)).toHaveLength(3);
    expect((await send("POST", chatId, { note: "Owes nothing" })).status).toBe(201);
  });

  it("is in the audit log with who did what, without its text", async () => {
    const { chatId, id } = await noted("Secret of the trombone");
    await send("PATCH", chatId, { noteId: id, note: "Secret of the tuba" });
    await send("PATCH", chatId, { noteId: id, note: "Secret of the tuba" });
    await send("DELETE", chatId, { noteId: id });
    await send("DELETE", chatId, { noteId: id });
    const by = { author: maren.id, changes: "{}" };
    expect(await logged(chatId)).toEqual([
      { action: "noteWritten", ...by },
      { action: "noteChanged", ...by },
      { action: "noteTakenBack", ...by, changes: JSON.stringify({ noteId: [id, null] }) },
    ]);
  });

  it("reaches the consoles as it is now", async () => {
    const { chatId, id } = await noted("First");
    const console = await connect("?room=admin", { Authorization: `Bearer ${theo.token}` });
    await send("PATCH", chatId, { noteId: id, note: "Second" });
    expect(await console.waitForEvent("new-note")).toMatchObject({ id, chatId, note: "Second" });
    await send("DELETE", chatId, { noteId: id });
    expect(await console.waitForEvent("note-removed")).toEqual({ id, chatId });
  });

  it("that is of another chat or was never there is not taken back, and no console is told so", async () => {
    const { chatId, id } = await noted("Stays open");
    const other = await noted("Elsewhere");
    const console = await connect("?room=admin", { Authorization: `Bearer ${theo.token}` });
    for (const by of [maren, theo]) {
      expect((await send("DELETE", other.chatId, { noteId: id }, by)).status).toBe(404);
      expect((await send("DELETE", chatId, { noteId: crypto.randomUUID() }, by)).status).toBe(404);
      expect((await send("PATCH", other.chatId, { noteId: id, note: "Moved" }, by)).status).toBe(404);
    }
    expect((await send("DELETE", chatId, { noteId: id }, theo)).status).toBe(403);
    for (const _ of [1, 2]) expect((await send("DELETE", chatId, { noteId: id })).status).toBe(200);
    expect((await send("DELETE", chatId, { noteId: other.id })).status).toBe(404);
    await send("PATCH", other.chatId, { noteId: other.id, note: "Last" });
    await console.waitForEvent("new-note", ({ note }) => note === "Last");
    const isTold = ({ event, data }: LiveEvent) => event === "note-removed" || data.note === "Moved";
    expect(console.events().filter(isTold)).toEqual([{ event: "note-removed", data: { chatId, id } }]);
  });

  it.each([
    ["nothing", "", "note: Write the note first"],
    ["2,001 characters", "x".repeat(2001), "note: Must be at most 2,000 characters"],
    ["a control character", "a\u0007b", "note: Contains characters that are not allowed"],
  ])("is not changed to %s", async (_, note, problem) => {
    const { chatId, id } = await noted("As it was");
    const answer = await send("PATCH", chatId, { noteId: id, note });
    expect([answer.status, await problems(answer)]).toEqual([400, [problem]]);
    expect(await notesOf(chatId)).toMatchObject([{ note: "As it was", editedAt: null }]);
  });
});

describe("a note of somebody else", () => {
  it("is neither changed nor taken back, by a colleague, a visitor or by way of another chat", async () => {
    const { chatId, id, cookie } = await noted("Stays");
    const other = await noted("Other", theo);
    const json = { noteId: id, note: "Mine" };
    for (const [by, status] of [
      [theo, 403],
      [{ cookie }, 403],
      [{ token: (await person()).token }, 403],
      [{}, 401],
    ] as [By, number][]) {
      expect((await send("PATCH", chatId, json, by)).status).toBe(status);
      expect((await send("DELETE", chatId, { noteId: id }, by)).status).toBe(status);
    }
    expect((await send("PATCH", other.chatId, json)).status).toBe(404);
    expect((await send("DELETE", other.chatId, { noteId: id })).status).toBe(404);
    expect(await notesOf(chatId)).toMatchObject([{ note: "Stays" }]);
    expect(await logged(chatId)).toHaveLength(1);
  });

  it("has no form in the console", async () => {
    const { chatId } = await noted("Theo's", theo);
    const path = `/admin/chat?chat=${chatId}`;
    expect(await (await call(path, maren)).text()).not.toContain("Save change");
    expect(await (await call(path, theo)).text()).toContain("Save change");
  });
});

describe("the console without JavaScript", () => {
  const page = async (path: string) => (await call(path, maren)).text();
  const save = async (path: string, note: string) =>
    press(await page(path), /^Save change$/, { note }, maren);

  it("changes notes and takes them back, in the list as it was", async () => {
    const { chatId } = await noted("Before");
    const path = `/admin/chat?chat=${chatId}&q=Hello&filter=open&show=80`;
    const refused = await save(path, " ");
    const text = await refused.text();
    expect([refused.status, text]).toEqual([400, expect.stringContaining("Write the note first")]);
    expect(formWith(text, /^Save change$/).fields.list).toBe(new URL(path, "https://shop").search);
    const changed = await save(path, "After");
    expect([changed.status, changed.headers.get("Location")]).toEqual([303, path]);
    expect(await page(path)).toContain("<p>After</p>");
    const takenBack = await press(await page(path), /^Take back$/, {}, maren);
    expect(takenBack.headers.get("Location")).toBe(path);
    expect(await notesOf(chatId)).toEqual([]);
  });

  it("keeps the words of a change whose note was taken back, for a new note", async () => {
    const { chatId, id } = await noted("Before");
    const opened = await page(`/admin/chat?chat=${chatId}`);
    await send("DELETE", chatId, { noteId: id });
    const refused = await press(opened, /^Save change$/, { note: "Wants two boxes" }, maren);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([404, expect.stringContaining("The note was taken back")]);
    expect(formWith(html, /^Save note$/).fields.note).toBe("Wants two boxes");
    expect(html).not.toContain("Save change");
    expect((await press(html, /^Save note$/, {}, maren)).status).toBe(303);
    expect(await notesOf(chatId)).toMatchObject([{ note: "Wants two boxes" }]);
  });

  it("keeps a refused change in its own form, which is open, and in no other", async () => {
    const { chatId } = await noted("As it was");
    await call(`/api/chat/${chatId}/notes`, { json: { note: "Another" }, ...maren });
    const long = "y".repeat(2001);
    const refused = await (await save(`/admin/chat?chat=${chatId}&note=1`, long)).text();
    const details = [...refused.matchAll(/<details class="own-note"[^>]*>.*?<\/details>/gs)].map(
      ([one]) => one,
    );
    expect(details.map((one) => /^<details [^>]*open/.test(one))).toEqual([true, false]);
    expect(details[0]).toContain("Must be at most 2,000 characters");
    expect(details.map((one) => formWith(one, /^Save change$/).fields.note)).toEqual([long, "Another"]);
    expect(formWith(refused, /^Save note$/).fields.note).toBe("");
  });
});
