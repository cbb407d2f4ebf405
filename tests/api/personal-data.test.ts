import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { eraseDue, mailPlanned } from "~/features/privacy/deletion.server";
import { linkKey } from "~/session/tokens.server";
import { postMessage, startChat } from "../support/chat";
import { pdfFile, postFiles } from "../support/chat-files";
import { press } from "../support/forms";
import { ok } from "../support/operator";
import { admin, manager, person } from "../support/people";
import {
  DATA_TAB,
  mailsTo,
  PASSWORD,
  page,
  plannedDeletions,
  pressWith,
  requestDeletion,
  unzipped,
} from "../support/personal-data";
import { newBrowser } from "../support/push-service";
import { sold } from "../support/sales";
import { addProduct, call, insert, withinOneMinute } from "../support/shop";

/** Row of a chat of an account. */
const chatOf = (userId: string, nth: number) => ({
  ...{
    id: `${userId}-${nth}`,
    user_name: "",
    last_message_at: nth,
    revision: 1,
    created_at: 1,
    month: "2026-01",
  },
  user_id: userId,
});

beforeEach(async () => {
  await env.DB.exec("DELETE FROM erasures");
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

describe("Download my data", () => {
  it("sends everything about the person, and of nobody else, as a ZIP file", async () => {
    const ines = await person({ firstName: "Ines", lastName: "Carvalho" });
    const { token: staff } = await manager();
    const lamp = await addProduct({ name: "Oak lamp" });
    await call(`/api/favourite/${lamp}`, { method: "PUT", token: ines.token });
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, ines);
    await postFiles({ chatId, token: ines.token }, [pdfFile("plan.pdf")], { message: "My plan" });
    await postMessage(chatId, "It is", { token: staff }, { isFromAdmin: true });
    await sold(staff, { chatId, lines: [{ productId: lamp, quantity: 1, amount: 20 }] });
    await startChat({ userName: "Somebody else", initialMessage: "Not Ines" });

    const sent = await pressWith(ines, /^Download my data$/);
    const to = sent.headers.get("Location") ?? "";
    expect([sent.status, to]).toEqual([303, expect.stringMatching(/^\/account\/data\.zip\?key=/)]);
    const answer = await call(to, ines);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    const files = await unzipped(answer);
    const folder = Object.keys(files).find((name) => name.endsWith(`${chatId}/chat.json`)) ?? "";
    expect(JSON.parse(files["account.json"] ?? "")).toMatchObject({
      account: { email: ines.email, firstName: "Ines" },
      favourites: [{ name: "Oak lamp" }],
    });
    expect(files["account.json"]).not.toMatch(/scrypt|password|token/i);
    expect(JSON.parse(files["customer.json"] ?? "")).toMatchObject([
      { name: "Ines Carvalho", totalCents: 2000 },
    ]);
    expect(JSON.parse(files["documents.json"] ?? "")).toMatchObject([
      { total: 20, lines: [{ description: "Oak lamp" }] },
    ]);
    const texts = JSON.parse(files[folder] ?? "").messages.map(({ message }: { message: string }) => message);
    expect(texts).toEqual(
      expect.arrayContaining(["Is it oak?", expect.stringContaining("My plan"), "It is"]),
    );
    expect(files[folder], "no colleague's name").not.toContain("staffName");
    const file = Object.entries(files).find(([name]) => name.endsWith("plan.pdf"));
    expect(file?.[1]).toContain("%PDF-1.4");
    expect(Object.values(files).join()).not.toContain("Somebody else");
  });

  it("lists the browsers that get notifications, of a chat and of a member of staff", async () => {
    const [ines, pat] = [await person(), await manager()];
    const { chatId } = await startChat({ initialMessage: "Hello" }, ines);
    await ok(call("/api/push", { json: { ...newBrowser().subscription, chatId }, token: ines.token }));
    await ok(call("/api/push", { json: newBrowser().subscription, token: pat.token }));
    for (const [who, chat] of [
      [ines, chatId],
      [pat, ""],
    ] as const) {
      const to = (await pressWith(who, /^Download my data$/)).headers.get("Location") ?? "";
      const { "account.json": account = "" } = await unzipped(await call(to, who));
      expect(JSON.parse(account).notifications).toMatchObject([{ chatId: chat }]);
    }
  });

  it("has all of a regular's holds and quotes, which are read in parts, and as many as the page says at most", async () => {
    const [ines, { token: staff }] = [await person(), await admin()];
    const { chatId } = await startChat({ initialMessage: "Hello" }, ines);
    const many = Array.from({ length: 1100 }, (_, n) => String(n).padStart(4, "0"));
    await insert(
      "holds",
      many.map((n) => ({
        ...{
          id: `kept-${n}`,
          chat_id: chatId,
          until: 1,
          state: "released",
          request_hash: "",
          created_at: Number(n),
        },
        created_by: "Pat",
      })),
    );
    await insert(
      "quotes",
      many.map((n) => ({
        ...{
          id: `sign-${n}`,
          chat_id: chatId,
          title: `Sign ${n}`,
          lines: "[]",
          files: "[]",
          ready_by: "",
          note: "",
        },
        ...{ valid_until: 1, state: "declined", total_cents: 1, request_hash: "", created_at: Number(n) },
        created_by: "Pat",
      })),
    );
    const to = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    const files = await unzipped(await call(to, ines));
    const idsOf = (name: string) => (JSON.parse(files[name] ?? "") as { id: string }[]).map(({ id }) => id);
    expect(idsOf("holds.json")).toEqual(many.map((n) => `kept-${n}`));
    expect(idsOf("quotes.json")).toEqual(many.map((n) => `sign-${n}`));
    expect(JSON.parse(files["documents.json"] ?? "")).toEqual([]);
    for (let i = 0; i < 25; i++) await insert("chats", [chatOf(ines.id, i)]);
    expect(await page(`/admin/personal-data?chat=${chatId}`, staff)).toContain("More than 10 chats");
  });

  it("needs the password, and the link is of one account and five minutes", async () => {
    const [ines, other] = [await person(), await person()];
    const wrong = await pressWith(ines, /^Download my data$/, "wrong");
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining("Current password is incorrect"),
    ]);
    const to = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    expect((await call(to, other)).status).toBe(403);
    expect((await call(to)).headers.get("Location")).toBe("/unauthorized");
    const old = await linkKey(env.COOKIE_SECRET, "data", ines.id, Math.floor(Date.now() / 1000) - 1);
    expect((await call(`/account/data.zip?key=${old}`, ines)).status).toBe(403);
  });

  it("limits wrong passwords as signing in does", async () => {
    const statuses = await withinOneMinute(async () => {
      const ines = await person();
      const answers: number[] = [];
      for (let i = 0; i < 12; i++) answers.push((await pressWith(ines, /^Download my data$/, "no")).status);
      return answers;
    });
    expect(statuses).toContain(429);
  });

  it("leaves out a chat that staff linked to the customer, which proves nothing; staff get it", async () => {
    const ines = await person();
    const { token: staff } = await admin();
    const own = await startChat({ initialMessage: "My own" }, ines);
    await sold(staff, {
      chatId: own.chatId,
      lines: [{ description: "Engraving", category: "OTHERS", quantity: 1, amount: 5 }],
    });
    const foreign = await startChat({ userName: "Ada", initialMessage: "A stranger's words" });
    await env.DB.prepare("INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES (?, ?, 1)")
      .bind(foreign.chatId, `account-${ines.id}`)
      .run();
    const to = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    expect(Object.values(await unzipped(await call(to, ines))).join()).not.toContain("A stranger's words");
    const byStaff = await call(`/admin/personal-data.zip?customer=account-${ines.id}`, { token: staff });
    expect(Object.values(await unzipped(byStaff)).join()).toContain("A stranger's words");
  });
});

describe("Delete my account", () => {
  it("waits seven days, says so on the page and in a mail, and can be cancelled on the page", async () => {
    const ines = await person({ firstName: "Ines" });
    expect((await requestDeletion(ines)).headers.get("Location")).toBe(DATA_TAB);
    await expect.poll(() => mailsTo(ines)).toHaveLength(1);
    const shown = await page("/account", ines.token);
    expect(shown).toMatch(/Your account will be deleted on (<!-- -->)?\d+\w+ \w+ \d{4}/);
    const [row, ...more] = await plannedDeletions();
    expect(more).toEqual([]);
    expect((row?.due_at ?? 0) - Date.now() / 1000).toBeCloseTo(7 * 86_400, -2);
    expect(await eraseDue(env, Date.now() + 6.9 * DAY_MS)).toBe(0);
    const kept = await press(shown, /^Keep my account$/, {}, ines);
    expect(kept.headers.get("Location")).toBe("/account");
    expect(await plannedDeletions()).toEqual([]);
    expect(await page("/account", ines.token)).not.toContain("will be deleted");
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(0);
    expect((await call("/api/auth/me", ines)).status).toBe(200);
  });

  it("can be cancelled by the mailed link without signing in, by a button and not by opening it", async () => {
    const ines = await person();
    await requestDeletion(ines);
    await expect.poll(() => mailsTo(ines)).toHaveLength(1);
    const link = /http:\/\/localhost:8787(\/account\?keep=[\w.%~-]+)/.exec(
      mailsTo(ines)[0]?.["EmailMessage::raw"] ?? "",
    );
    const path = link?.[1] ?? "";
    const shown = await page(path);
    for (const damaged of [path.slice(0, -2), `${path}x`, "/account?keep=abc", "/account?keep="])
      expect(await page(damaged)).toContain("This link isn’t valid");
    expect(await plannedDeletions()).toHaveLength(1);
    expect((await press(shown, /^Keep my account$/)).status).toBe(303);
    expect(await plannedDeletions()).toEqual([]);
    expect(await page(path)).toContain("Nothing is planned any more");
    // A mail's page of a deletion that has begun since has no button.
    await requestDeletion(ines);
    await expect.poll(() => mailsTo(ines)).toHaveLength(2);
    const [, later = ""] =
      /http:\/\/localhost:8787(\/account\?keep=[\w.%~-]+)/.exec(
        mailsTo(ines)[1]?.["EmailMessage::raw"] ?? "",
      ) ?? [];
    await env.DB.exec("UPDATE erasures SET begun_at = 1");
    const begun = await page(later);
    expect(begun).toContain("Your account is being deleted");
    expect(begun).not.toContain("Keep my account");
  });

  it("is planned and mailed once when it is asked for twice", async () => {
    const ines = await person();
    const form = await page(`${DATA_TAB}&delete=1`, ines.token);
    const ask = () => press(form, /^Delete my account$/, { currentPassword: PASSWORD }, ines);
    expect((await ask()).status).toBe(303);
    await expect.poll(() => mailsTo(ines)).toHaveLength(1);
    expect((await ask()).status).toBe(303);
    expect(await plannedDeletions()).toHaveLength(1);
    await expect.poll(() => mailPlanned(env)).toBe(0);
    expect(mailsTo(ines)).toHaveLength(1);
  });

  it("needs the password", async () => {
    const ines = await person();
    expect((await requestDeletion(ines, "wrong")).status).toBe(400);
    expect(await plannedDeletions()).toEqual([]);
  });

  it("mails the confirmation later when the mail server refuses it", async () => {
    const ines = await person();
    vi.mocked(env.MAIL.send).mockImplementation(async (message) => {
      if ((message as unknown as { to: string }).to === ines.email && mailsTo(ines).length === 1)
        throw new Error("refused");
      return { messageId: "1" };
    });
    await requestDeletion(ines);
    const failure = env.DB.prepare(
      "SELECT message FROM incidents WHERE place = 'Confirmation of a deletion'",
    );
    await expect.poll(() => failure.first("message")).toContain("refused");
    expect(await mailPlanned(env)).toBe(1);
    expect(mailsTo(ines)).toHaveLength(2);
    expect(await mailPlanned(env)).toBe(0);
  });

  it("ends the account: no sign-in, no session, and the address is free", async () => {
    const ines = await person({ email: "ines@mail.example" });
    await requestDeletion(ines);
    expect(await eraseDue(env, Date.now() + 7.1 * DAY_MS)).toBe(1);
    expect((await call("/api/auth/me", ines)).status).toBe(401);
    const json = { email: ines.email, password: PASSWORD };
    expect((await call("/api/auth/login", { json })).status).toBe(401);
    const again = { ...json, firstName: "Ines", lastName: "Again", confirmPassword: PASSWORD };
    expect((await call("/api/auth/signup", { json: again })).status).toBe(201);
    expect(await eraseDue(env, Date.now() + 9 * DAY_MS)).toBe(0);
  });

  it("covers customers whom staff made of, or linked to, the account's chats, but nobody else's", async () => {
    const { token: staff } = await manager();
    const customer = (fields: object) => call("/api/customer", { token: staff, json: fields });
    const [made, linked, shared] = [await person(), await person(), await person()];
    const chatOf = async (who: typeof made) => (await startChat({ initialMessage: "Hello" }, who)).chatId;
    const chats = [
      await chatOf(made),
      await chatOf(linked),
      await chatOf(shared),
      await chatOf(await person()),
    ];
    const known = { email: "marker@mail.example", phoneNumber: "416 555 0100", notes: "Likes walnut" };
    await ok(customer({ ...known, id: "made", name: "Made Marker", chatId: chats[0] }));
    for (const id of ["linked", "shared"]) await ok(customer({ ...known, id, name: `${id} Marker` }));
    const line = { description: "Engraving", category: "OTHERS", quantity: 1, amount: 5 };
    for (const [i, customerId] of ["made", "linked", "shared", "shared"].entries())
      await sold(staff, { chatId: chats[i], customerId, lines: [line] });

    const to = (await pressWith(linked, /^Download my data$/)).headers.get("Location") ?? "";
    const files = await unzipped(await call(to, linked));
    expect(JSON.parse(files["documents.json"] ?? "")).toHaveLength(1);
    expect(Object.values(files).join()).not.toContain("walnut");

    for (const who of [made, linked, shared]) await requestDeletion(who);
    expect(await eraseDue(env, Date.now() + 7.1 * DAY_MS)).toBe(3);
    const { results } = await env.DB.prepare(
      "SELECT id, name, email, notes FROM customers WHERE id IN ('made', 'linked', 'shared') ORDER BY id",
    ).all();
    const erased = { name: "Deleted customer", email: "", notes: "" };
    expect(results).toEqual([
      { ...erased, id: "linked" },
      { ...erased, id: "made" },
      { id: "shared", name: "shared Marker", email: known.email, notes: known.notes },
    ]);
    const names = await env.DB.prepare(
      "SELECT customer_name AS name FROM documents WHERE customer_id IN ('made', 'linked')",
    ).all();
    expect(names.results).toEqual([{ name: "Deleted customer" }, { name: "Deleted customer" }]);
  });

  it("keeps the last admin, also of two who ask one after the other", async () => {
    await env.DB.exec("DELETE FROM users");
    const [one, other] = [await admin(), await admin()];
    expect((await requestDeletion(one)).status).toBe(303);
    const refused = await requestDeletion(other);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining("This is the last admin account"),
    ]);
    // The other admin is gone.
    await env.DB.prepare("UPDATE users SET is_admin = 0 WHERE id = ?").bind(other.id).run();
    await expect(eraseDue(env, Date.now() + 8 * DAY_MS)).rejects.toThrow("last admin");
    expect((await call("/api/auth/me", one)).status).toBe(200);
  });
});
