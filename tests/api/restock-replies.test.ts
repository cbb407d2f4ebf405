import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { submit } from "../support/forms";
import { deliver, mailedTo, outcomes, plain, rawMail, textsOf, withDesk } from "../support/mails";
import { from, person } from "../support/people";
import {
  ask,
  deliverAll,
  line,
  linkIn,
  mails,
  messageOf,
  newAddress,
  prepareRestock,
  restock,
  rows,
  soldOut,
} from "../support/restock";
import { call } from "../support/shop";

withDesk();
prepareRestock();

const SHOP = "hello@emporia.example";
const header = (raw: string, name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(raw)?.[1]?.trim() ?? "";
const replyTo = (raw: string) => header(raw, "Reply-To").replace(/[<>]/g, "");

/** Waits for mails that ask to confirm a request. @returns their links */
async function confirmations(count: number): Promise<string[]> {
  await expect.poll(mails).toHaveLength(count);
  return mails().map(linkIn);
}

/** Waits for the latest mail that something is back. @returns where a reply to it goes */
async function replyToOfLatest(): Promise<string> {
  await deliverAll();
  await expect.poll(() => mails().at(-1)).toContain("is back");
  return replyTo(mails().at(-1) ?? "");
}

/** Lets an account wait for something that comes back. @returns the mail that says so */
async function told({ id, email, token }: Awaited<ReturnType<typeof person>>): Promise<string> {
  const product = await soldOut();
  await env.DB.prepare(
    "INSERT OR REPLACE INTO proven_addresses (user_id, email_key, proven_at) VALUES (?, ?, 1)",
  )
    .bind(id, email.toLowerCase())
    .run();
  expect((await ask(product, {}, { token })).status).toBe(201);
  await restock(product, 1);
  await deliverAll();
  await expect.poll(() => mails().filter((raw) => raw.includes("is back")).length).toBeGreaterThan(0);
  return (
    mails()
      .filter((raw) => raw.includes("is back"))
      .at(-1) ?? ""
  );
}

describe("a reply to a mail that something is back", () => {
  it("of an account is posted where it wrote last, once, without the words of the mail", async () => {
    const ines = await person();
    const older = await startChat({ initialMessage: "Do you ship?" }, ines);
    await env.DB.prepare("UPDATE chats SET last_message_at = last_message_at - 600 WHERE id = ?")
      .bind(older.chatId)
      .run();
    const { chatId } = await startChat({ initialMessage: "Is it oak?" }, ines);
    const mail = await told(ines);
    expect(replyTo(mail)).toMatch(/^chat\+[\da-f]{40}@emporia\.example$/);
    expect(header(mail, "List-Unsubscribe")).toContain("/unsubscribe?restock=");
    const [words = ""] = /Hello,[\s\S]+?(?=\r\n--)/.exec(mail) ?? [];
    const reply = rawMail(plain(`Keep one for me!\n\n${words.replaceAll("\r\n", "\n")}`));
    for (let times = 0; times < 2; times++) await deliver(reply, { to: replyTo(mail) });
    expect(await mailedTo(chatId)).toMatchObject([{ message: "Keep one for me!", isFromAdmin: false }]);
    expect(await textsOf(older.chatId)).toEqual([]);
    expect(await outcomes()).toEqual({ posted: 1, repeated: 1 });
  });

  it("goes to the shop's mailbox for an account without a conversation, and for a stranger whose address a chat names", async () => {
    expect(replyTo(await told(await person()))).toBe(SHOP);
    const email = newAddress();
    await startChat({ userName: "Ines", userEmail: email, initialMessage: "Is it oak?" });
    const product = await soldOut();
    await line(product, [email.split("@")[0] ?? ""]);
    await restock(product, 1);
    expect(await replyToOfLatest()).toBe(SHOP);
  });

  it("of somebody who has no account is not read by whoever signs up with the address", async () => {
    const stranger = await person();
    await startChat({ initialMessage: "Is it oak?" }, stranger);
    const product = await soldOut();
    await line(product, ["owner"]);
    await env.DB.prepare("UPDATE restock_requests SET email = ?1, party = lower(?1) WHERE party = ?2")
      .bind(stranger.email, "owner@mail.example")
      .run();
    expect((await ask(product, {}, { token: stranger.token })).status).toBe(201);
    await restock(product, 1);
    expect(await replyToOfLatest()).toBe(SHOP);
  });

  it.each([
    ["by nobody's account", () => ({})],
    ["by another account", async () => ({ token: (await person()).token })],
  ])(
    "of the owner of an address is not read by whoever signed up with it, when the request is confirmed %s",
    async (_, opener) => {
      const impostor = await person();
      await startChat({ initialMessage: "Is it oak?" }, impostor);
      const [product, other] = [await soldOut(), await soldOut()];
      // The owner asks first for one of them, the account with their address for both.
      await ask(product, { email: impostor.email });
      await ask(product, {}, impostor);
      await ask(other, {}, impostor);
      const links = await confirmations(3);
      const by = await opener();
      for (const link of links)
        expect((await submit(link, { intent: "confirmRestock" }, by)).status).toBe(200);
      expect(await env.DB.prepare("SELECT count(*) AS n FROM proven_addresses").first("n")).toBe(0);
      expect((await rows()).map(({ confirmed_at, user_id }) => [confirmed_at !== null, user_id])).toEqual([
        [true, null],
        [true, null],
      ]);
      // The account learns nothing of it, and its next request asks anew.
      expect(await messageOf(await ask(product, {}, impostor))).toMatch(/^Check your mail/);
      expect(await messageOf(await ask(await soldOut(), {}, impostor))).toMatch(/^Check your mail/);
      for (const each of [product, other]) {
        await restock(each, 1);
        expect(await replyToOfLatest()).toBe(SHOP);
      }
    },
  );

  it("goes to the shop's mailbox once the account has another address", async () => {
    const ines = await person();
    await startChat({ initialMessage: "Is it oak?" }, ines);
    const product = await soldOut();
    await ask(product, {}, { token: ines.token });
    await env.DB.exec("UPDATE restock_requests SET confirmed_at = 1");
    await env.DB.prepare("UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2")
      .bind(`new-${ines.email}`, ines.id)
      .run();
    await restock(product, 1);
    expect(await replyToOfLatest()).toBe(SHOP);
  });
});

it("mails about an account are answered to the shop's mailbox, since they quote links that open it", async () => {
  const ines = await person();
  await startChat({ initialMessage: "Is it oak?" }, ines);
  const asked = await call("/api/auth/forgot-password", {
    json: { email: ines.email },
    headers: from("10.8.1.1"),
  });
  expect(asked.status).toBe(200);
  await expect.poll(() => mails().at(-1)).toContain("resetPassword?token=");
  expect(replyTo(mails().at(-1) ?? "")).toBe(SHOP);
});
