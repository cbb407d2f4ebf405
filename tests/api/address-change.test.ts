import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { postMessage, rowWritten, startChat } from "../support/chat";
import { from, manager, person, problems, readAnswer, signIn } from "../support/people";
import { call, cookiesOf, insert, withinOneMinute } from "../support/shop";

const put = (id: string, json: unknown, token: string) =>
  call(`/api/user/${id}`, { method: "PUT", json, token });
const stored = (id: string) => env.DB.prepare("SELECT email FROM users WHERE id = ?").bind(id).first("email");

let sent: MockInstance;
/** Sent mails: recipient and text. */
const mails = () =>
  sent.mock.calls.map(([message]) => {
    const { to, "EmailMessage::raw": raw } = message as { to: string; "EmailMessage::raw": string };
    return { to, raw };
  });

beforeEach(() => {
  sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
});

/** Sends the profile's form without JavaScript. */
async function sendProfile(owner: { email: string; password: string }, fields: Record<string, string>) {
  const json = { email: owner.email, password: owner.password };
  const cookie = cookiesOf(await call("/api/auth/login", { json, headers: from("10.8.8.8") }));
  const all = { intent: "profile", firstName: "Pat", lastName: "Example", phoneNumber: "", ...fields };
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return call("/account?edit=1", { body: new URLSearchParams(all), headers, cookie });
}

describe("change of the own e-mail address", () => {
  const email = "thief@mail.example";

  it("requires the current password: a missing or wrong one is a 400 at its field and changes nothing", async () => {
    const owner = await person();
    const attempts: [Record<string, unknown>, string][] = [
      [{ email }, "currentPassword: Current password is required"],
      [{ email, currentPassword: "" }, "currentPassword: Current password is required"],
      [{ email, currentPassword: null }, "currentPassword: Current password is required"],
      [{ email, currentPassword: 5 }, "currentPassword: Must be text"],
      [
        { email, firstName: "Eve", currentPassword: "wrong" },
        "currentPassword: Current password is incorrect",
      ],
    ];
    for (const [json, problem] of attempts) {
      const answer = await put(owner.id, json, owner.token);
      expect([answer.status, await problems(answer)], JSON.stringify(json)).toEqual([400, [problem]]);
    }
    expect(await stored(owner.id)).toBe(owner.email);
    expect(await signIn(owner.email, owner.password)).toBeTruthy();
    expect(mails()).toEqual([]);
  });

  it("reports the missing password together with every other error", async () => {
    const { id, token } = await person();
    expect(await problems(await put(id, { email, firstName: "" }, token))).toEqual([
      "firstName: This field is required",
      "currentPassword: Current password is required",
    ]);
  });

  it("succeeds with it, ends other sessions and links, and notifies the former address", async () => {
    const { id, token, email: before, password } = await person({ firstName: "Ines" });
    const other = await signIn(before, password);
    await insert("password_resets", [{ token_hash: `h-${id}`, user_id: id, expires_at: 4e9, used_at: null }]);
    const to = "ines.new@mail.example";
    expect((await put(id, { email: to, currentPassword: password }, token)).status).toBe(200);
    expect(await stored(id)).toBe(to);
    const link = env.DB.prepare("SELECT used_at FROM password_resets WHERE user_id = ?").bind(id);
    expect(await link.first("used_at")).not.toBeNull();
    expect((await call("/api/auth/me", { token })).status).toBe(200);
    expect((await call("/api/auth/me", { token: other })).status).toBe(401);
    await expect.poll(() => mails()).toHaveLength(1);
    const [mail] = mails();
    expect(mail?.to).toBe(before);
    expect(mail?.raw).toContain("Hello Ines,");
    expect(mail?.raw).toContain(before);
    expect(mail?.raw).toContain("hello@emporia.example");
    expect(mail?.raw).not.toContain(to);
  });

  it("moves its customer along, unless staff entered another address", async () => {
    const emailOf = (customer: string) =>
      env.DB.prepare("SELECT email, email_key FROM customers WHERE id = ?").bind(customer).first();
    for (const [entered, expected] of [
      [null, "moved@mail.example"],
      ["work@mail.example", "work@mail.example"],
    ] as const) {
      const { id, email: before } = await person();
      const email = entered ?? before;
      const times = { last_seen: 0, created_at: 0, updated_at: 0 };
      await insert("customers", [
        {
          id: `of-${id}`,
          name: "Ines",
          name_key: "ines",
          email,
          email_key: email,
          user_id: id,
          request_hash: "",
          ...times,
        },
      ]);
      const changed = await put(id, { email: `moved@mail.example` }, (await manager()).token);
      expect(changed.status).toBe(200);
      expect(await emailOf(`of-${id}`)).toEqual({ email: expected, email_key: expected });
      const logged = env.DB.prepare("SELECT changes FROM audit_log WHERE object_id = ?").bind(`of-${id}`);
      expect(await logged.first("changes")).toBe(entered ? null : '{"email":true}');
      await put(id, { email: before }, (await manager()).token);
    }
  });

  it("renews the address of its chats, unless the visitor gave another one", async () => {
    const owner = await person();
    const by = { token: (await manager()).token };
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, owner);
    const other = await startChat({ initialMessage: "Hi", userEmail: "desk@mail.example" }, owner);
    for (const chat of [chatId, other.chatId]) await rowWritten(chat);
    const found = async (q: string) => {
      const chats = (await (await call(`/api/chat?q=${q}`, by)).json()) as { id: string }[];
      return chats.map(({ id }) => id);
    };
    const pages = (chat: string) =>
      Promise.all(
        ["/api/chat", `/api/chat/${chat}/messages`].map(async (path) => (await call(path, by)).text()),
      );
    const change = (to: string) => put(owner.id, { email: to }, by.token);
    expect((await change("renewed@mail.example")).status).toBe(200);
    expect(await found("renewed@mail.example")).toEqual([chatId]);
    expect(await found(owner.email)).toEqual([]);
    expect(await found("desk@mail.example")).toEqual([other.chatId]);
    await expect
      .poll(async () => (await pages(chatId)).every((text) => text.includes("renewed@mail.example")))
      .toBe(true);
    expect((await pages(chatId)).join()).not.toContain(owner.email);
    expect((await pages(other.chatId)).every((text) => text.includes("desk@mail.example"))).toBe(true);
  });

  it("reaches a chat whose room did not hear of it with the next message", async () => {
    const owner = await person();
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, owner);
    await rowWritten(chatId);
    await env.DB.prepare("UPDATE chats SET user_email = 'late@mail.example' WHERE id = ?").bind(chatId).run();
    await postMessage(chatId, "And the lid?", owner);
    await rowWritten(chatId);
    const read = await call(`/api/chat/${chatId}/messages`, { token: (await manager()).token });
    expect(await read.text()).toContain("late@mail.example");
    const row = env.DB.prepare("SELECT user_email FROM chats WHERE id = ?").bind(chatId);
    expect(await row.first("user_email")).toBe("late@mail.example");
  });

  it("requires no password when only case, spaces or the spelling of the domain differ", async () => {
    const { id, token } = await person({ email: "Same@bücher.example" });
    for (const same of ["same@bücher.example", "  SAME@BÜCHER.example ", "same@xn--bcher-kva.example"])
      expect((await put(id, { email: same }, token)).status, same).toBe(200);
    expect((await put(id, { firstName: "Anna", phoneNumber: "4165550100" }, token)).status).toBe(200);
    // A notice of the test before may come later.
    expect(mails().filter(({ to }) => /same@/i.test(to))).toEqual([]);
  });

  it("is limited to 10 wrong passwords a minute", async () => {
    const { id, token, before, statuses } = await withinOneMinute(async () => {
      const { id, token, password, email: before } = await person();
      const guesses = [...Array.from({ length: 11 }, (_, i) => `guess ${i}`), password];
      const statuses: number[] = [];
      for (const currentPassword of guesses)
        statuses.push((await put(id, { email, currentPassword }, token)).status);
      return { id, token, before, statuses };
    });
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
    expect((await put(id, { firstName: "Anna" }, token)).status).toBe(200);
    expect(await stored(id)).toBe(before);
  });

  it("works alike by the page's form", async () => {
    const owner = await person();
    const missing = await sendProfile(owner, { email: "form@mail.example" });
    expect(missing.status).toBe(400);
    const page = await missing.text();
    expect(page).toContain("Current password is required");
    expect(page).toMatch(/<label for="profile-currentPassword"/);
    const wrong = await sendProfile(owner, { email: "form@mail.example", currentPassword: "wrong-secret" });
    const refused = await wrong.text();
    expect([wrong.status, refused.includes("Current password is incorrect")]).toEqual([400, true]);
    expect(refused).not.toContain("wrong-secret");
    expect(await stored(owner.id)).toBe(owner.email);
    expect((await sendProfile(owner, { email: owner.email, firstName: "Anna" })).status).toBe(303);
    const right = { email: "form@mail.example", currentPassword: owner.password };
    expect((await sendProfile(owner, right)).status).toBe(303);
    expect(await stored(owner.id)).toBe("form@mail.example");
    await expect.poll(() => mails().map(({ to }) => to)).toEqual([owner.email]);
  });

  it("sends no mail when nothing has changed", async () => {
    const { id, token, password } = await person();
    const { email: taken } = await person();
    const answer = await put(id, { email: taken, currentPassword: password }, token);
    expect([answer.status, (await readAnswer(answer)).message]).toEqual([
      409,
      "An account with this email already exists",
    ]);
    expect(mails()).toEqual([]);
  });
});

describe("change of an address by staff", () => {
  it("notifies the former address and ends its sessions and links", async () => {
    const { token } = await manager();
    const customer = await person();
    const link = { token_hash: `l-${customer.id}`, user_id: customer.id, expires_at: 4e9, used_at: null };
    await insert("password_resets", [link]);
    const answer = await put(customer.id, { email: "moved.by.staff@mail.example" }, token);
    expect(answer.status).toBe(200);
    await expect.poll(() => mails()).toHaveLength(1);
    expect(mails()[0]?.to).toBe(customer.email);
    expect(mails()[0]?.raw).toContain("hello@emporia.example");
    const used = env.DB.prepare("SELECT used_at FROM password_resets WHERE user_id = ?").bind(customer.id);
    expect(await used.first("used_at")).not.toBeNull();
    expect((await call("/api/auth/me", { token: customer.token })).status).toBe(401);
    expect(
      (await put(customer.id, { email: "Moved.By.Staff@mail.example", firstName: "X" }, token)).status,
    ).toBe(200);
    expect(mails()).toHaveLength(1);
  });
});
