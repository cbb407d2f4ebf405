import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { formsIn, press, submit } from "../support/forms";
import { admin, manager, person } from "../support/people";
import { attach, page, plannedDeletions, requestDeletion, unzipped } from "../support/personal-data";
import { call, openSession } from "../support/shop";

beforeEach(async () => {
  await env.DB.exec("DELETE FROM erasures");
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

describe("personal data on a person's behalf", () => {
  it("is for admins alone", async () => {
    const { chatId } = await startChat({ userName: "Ada", initialMessage: "Hi" });
    for (const path of [`/admin/personal-data?chat=${chatId}`, `/admin/personal-data.zip?chat=${chatId}`]) {
      expect((await call(path, await manager())).status).toBe(403);
      expect((await call(path, await person())).headers.get("Location")).toBe("/unauthorized");
      expect((await call(path)).headers.get("Location")).toMatch(/^\/login/);
      expect((await call(path, await admin())).status).toBe(200);
    }
    expect((await call("/admin/personal-data?chat=none", await admin())).status).toBe(404);
  });

  it("has the invitation of an address, which goes with the person", async () => {
    const boss = await admin();
    const email = "Jonas.Asks@mail.example";
    const customer = { name: "Jonas Brandt", email: email.toLowerCase() };
    const { id } = (await (await call("/api/customer", { ...boss, json: customer })).json()) as {
      id: string;
    };
    for (const invited of [email, "another@mail.example"])
      await call("/api/user/invite", {
        json: { email: invited, firstName: "Jonas", lastName: "Brandt", roles: ["seller"] },
        token: boss.token,
      });
    const files = await unzipped(await call(`/admin/personal-data.zip?customer=${id}`, boss));
    expect(JSON.parse(files["account.json"] ?? "")).toMatchObject({ invitations: [{ email, isSeller: 1 }] });
    await submit(
      `/admin/personal-data?customer=${id}`,
      { intent: "erase", customer: id, person: id, confirmed: "on" },
      boss,
    );
    await env.DB.exec("UPDATE erasures SET due_at = 1");
    await eraseDue(env, Math.floor(Date.now() / 1000));
    const left = await env.DB.prepare("SELECT email FROM invitations").all<{ email: string }>();
    expect(left.results).toEqual([{ email: "another@mail.example" }]);
  });

  it("names each of several planned deletions, and cancels the one that is named", async () => {
    const boss = await admin();
    const created = await call("/api/customer", { ...boss, json: { name: "Ada Zzmoved" } });
    const { id: asked } = (await created.json()) as { id: string };
    const begin = () => startChat({ userName: "Ada Zzmoved", initialMessage: "Hi" });
    const chats = [await begin(), await begin()];
    const plan = async (subject: string) =>
      press(
        await page(`/admin/personal-data?${subject}`, boss.token),
        /^Delete personal data$/,
        { confirmed: "on" },
        boss,
      );
    // Each visitor is deleted before staff find that both are one customer.
    for (const { chatId } of chats) await plan(`chat=${chatId}`);
    await plan(`customer=${asked}`);
    for (const { chatId } of chats)
      await env.DB.prepare("INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES (?, ?, 1)")
        .bind(chatId, asked)
        .run();
    const path = `/admin/personal-data?customer=${asked}`;
    const ids = async () =>
      (await env.DB.prepare("SELECT id FROM erasures ORDER BY due_at, id").all<{ id: string }>()).results.map(
        ({ id }) => id,
      );
    const shown = await page(path, boss.token);
    const forms = formsIn(shown).filter(({ fields }) => fields.plan);
    expect(forms.map(({ fields }) => fields)).toEqual((await ids()).map((id) => ({ plan: id })));
    for (const id of await ids()) expect(shown).toContain(`with the id <code>${id}</code>`);
    const named = shown.match(/(Chat|Customer): Ada Zzmoved(?=<)/g);
    expect(named?.toSorted()).toEqual(["Chat", "Chat", "Customer"].map((kind) => `${kind}: Ada Zzmoved`));
    const [first, second, third] = await ids();
    const cancel = (id: unknown) => submit(path, { intent: "keep", plan: String(id) }, boss);
    expect((await cancel(second)).status).toBe(303);
    expect(await ids()).toEqual([first, third]);
    expect((await cancel(second)).status).toBe(404);
    expect(await ids()).toEqual([first, third]);
  });

  it("is reached from the console and from the customer's page, and can be cancelled on its page", async () => {
    const { token } = await admin();
    const { chatId } = await startChat({ userName: "Ada", initialMessage: "Hi" });
    const path = `/admin/personal-data?chat=${chatId}`;
    expect(await page(`/admin/chat?chat=${chatId}`, token)).toContain(`href="${path}"`);
    const { id } = (await (await call("/api/customer", { token, json: { name: "Bo" } })).json()) as {
      id: string;
    };
    expect(await page(`/admin/customers/${id}`, token)).toContain(
      `href="/admin/personal-data?customer=${id}"`,
    );
    const { token: other } = await manager();
    expect(await page(`/admin/customers/${id}`, other)).not.toContain("personal-data");

    const unconfirmed = await press(await page(path, token), /^Delete personal data$/, {}, { token });
    expect(unconfirmed.status).toBe(400);
    const confirmed = { confirmed: "on" };
    expect(
      (await press(await page(path, token), /^Delete personal data$/, confirmed, { token })).status,
    ).toBe(303);
    const shown = await page(path, token);
    expect(shown).toContain("Will be deleted on");
    expect((await press(shown, /^Cancel the deletion$/, {}, { token })).status).toBe(303);
    expect(await plannedDeletions()).toEqual([]);

    await press(await page(path, token), /^Delete personal data$/, confirmed, { token });
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(1);
    expect((await call(`/api/chat/${chatId}/messages`, { token })).status).toBe(404);
    expect((await call(path, { token })).status).toBe(404);
  });

  it("shows what the owner has asked for, and leaves accounts of staff to their owners", async () => {
    const { token } = await admin();
    const ines = await person();
    const { chatId } = await startChat({ initialMessage: "Hi" }, ines);
    await requestDeletion(ines);
    expect(await page(`/admin/personal-data?chat=${chatId}`, token)).toContain(
      "At the person&#x27;s own request.",
    );
    const colleague = await manager();
    const tried = await startChat({ initialMessage: "A try" }, { token: await openSession(colleague.id) });
    const shown = await page(`/admin/personal-data?chat=${tried.chatId}`, token);
    expect(shown).toContain("Members of staff delete it themselves");
  });

  it("says of an account with a chat planned before the sign-in that the chat will be deleted", async () => {
    const { token } = await admin();
    const { chatId } = await startChat({ initialMessage: "Hi" });
    await press(
      await page(`/admin/personal-data?chat=${chatId}`, token),
      /^Delete/,
      { confirmed: "on" },
      { token },
    );
    await attach(chatId, await person());
    const answer = await call("/api/customer", { token, json: { name: "Made later", chatId } });
    const { id } = await answer.json<{ id: string }>();
    const path = `/admin/personal-data?customer=${id}`;
    expect(await page(path, token)).toContain("Has a chat that will be deleted on");
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(1);
    expect(await env.DB.prepare("SELECT id FROM chats WHERE id = ?").bind(chatId).first()).toBeNull();
    expect(await page(path, token)).not.toContain("will be deleted on");
  });

  it("of a chat with an account is the account's, also where a customer without one is linked", async () => {
    const { token } = await admin();
    const { chatId } = await startChat({ initialMessage: "Hi" });
    const answer = await call("/api/customer", { token, json: { name: "Made before", chatId } });
    const { id } = await answer.json<{ id: string }>();
    const joined = await person();
    await attach(chatId, joined);
    const path = `/admin/personal-data?chat=${chatId}`;
    await press(await page(path, token), /^Delete personal data$/, { confirmed: "on" }, { token });
    expect(await plannedDeletions()).toMatchObject([{ user_id: joined.id }]);
    expect(await eraseDue(env, Date.now() + 8 * DAY_MS)).toBe(1);
    for (const [table, gone] of [
      ["chats", chatId],
      ["customers", id],
      ["users", joined.id],
    ])
      expect(
        await env.DB.prepare(`SELECT id FROM ${table} WHERE id = ?`).bind(gone).first(),
        table,
      ).toBeNull();
  });
});
