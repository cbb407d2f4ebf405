import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { CookieJar } from "../support/cookie-jar";
import { costOf } from "../support/cost";
import { press } from "../support/forms";
import { person } from "../support/people";
import { newBrowser } from "../support/push-service";
import {
  address,
  ask,
  deliverAll,
  lastLink,
  linkIn,
  mails,
  messageOf,
  newAddress,
  ownerToken,
  prepareRestock,
  recipients,
  restock,
  rows,
  sent,
  soldOut,
} from "../support/restock";
import { addProduct, call } from "../support/shop";

prepareRestock();

const textOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>|<[^>]*>/gs, " ").replaceAll(/\s+/g, " ");
const htmlOf = async (browser: CookieJar, path: string) => (await browser.call(path)).text();
const read = async (browser: CookieJar, path: string) => textOf(await htmlOf(browser, path));

/** Fills in the form of a sold-out product's page. */
async function askOn(browser: CookieJar, id: string, email: string): Promise<void> {
  const body = new URLSearchParams({ intent: "restock", color: "", email });
  const answer = await browser.call(`/products/${id}`, { body, headers: address() });
  expect(answer.status).toBe(303);
}

/** Presses a button of a page. */
async function pressIn(browser: CookieJar, path: string, label: RegExp): Promise<Response> {
  const answer = await press(await htmlOf(browser, path), label, {}, { cookie: browser.header });
  browser.keep(answer);
  return answer;
}

it("an anonymous visitor sees on the product's page and in My purchases what they wait for, and stops", async () => {
  const [browser, other] = [new CookieJar(), new CookieJar()];
  const id = await addProduct({ name: "Brass ewer", stock: 0 });
  const email = newAddress();
  await askOn(browser, id, email);
  const page = `/products/${id}`;
  const unconfirmed = `Press the button in our mail to ${email}, and we will tell you`;
  expect(await read(browser, page)).toContain(`Check your mail ${unconfirmed} once it is back.`);
  expect(await read(browser, page)).not.toContain("Tell me when it is back");
  expect(await read(browser, "/purchases")).toMatch(`Brass ewer Sold out. ${unconfirmed}`);

  // The mail is opened in the browser that asked; the page of another one says nothing of it.
  const confirmed = await pressIn(browser, await lastLink(), /Yes, tell me/);
  expect(confirmed.status).toBe(200);
  expect(await read(browser, page)).toContain(
    `You wait for it We’ll write to ${email}, once, when it is back.`,
  );
  expect(await read(browser, "/purchases")).toContain(`We’ll write to ${email}, once`);
  for (const path of [page, "/purchases"]) expect(await read(other, path)).not.toContain(email);

  expect((await pressIn(browser, page, /^Stop$/)).status).toBe(303);
  expect(await rows()).toEqual([]);
  expect(await read(browser, page)).toContain("Tell me when it is back");
  expect(await read(browser, "/purchases")).not.toContain("Brass ewer");
});

it("a confirmation in another browser is seen in both, and ends in both with the message", async () => {
  const [desk, phone] = [new CookieJar(), new CookieJar()];
  const id = await soldOut();
  const email = newAddress();
  await askOn(desk, id, email);
  await pressIn(phone, await lastLink(), /Yes, tell me/);
  for (const browser of [desk, phone])
    expect(await read(browser, `/products/${id}`)).toContain(`We’ll write to ${email}, once`);
  await restock(id, 3);
  await deliverAll();
  await restock(id, 0);
  for (const browser of [desk, phone])
    expect(await read(browser, `/products/${id}`)).toContain("Tell me when it is back");
});

it("a stranger who types an address learns nothing about it, and can end nothing of it", async () => {
  const owner = new CookieJar();
  const id = await soldOut();
  const email = newAddress();
  await askOn(owner, id, email);
  await pressIn(owner, await lastLink(), /Yes, tell me/);
  const unknown = newAddress();
  const seen = [];
  const named: (string | undefined)[] = [];
  for (const typed of [email, unknown]) {
    const stranger = new CookieJar();
    await askOn(stranger, id, typed);
    const source = await (await call(`/products/${id}`, { headers: { Cookie: stranger.header } })).text();
    named.push(/name="request" value="([^"]+)"/.exec(source)?.[1]);
    const said = (await read(stranger, `/products/${id}`)).replaceAll(typed, "ADDRESS");
    const listed = (await read(stranger, "/purchases")).replaceAll(typed, "ADDRESS");
    seen.push([said, listed, typed.length - stranger.header.length]);
    await pressIn(stranger, `/products/${id}`, /^Stop$/);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(named).toEqual([id, id]);
  expect((await rows()).map(({ party }) => party)).toEqual([email]);
  expect(await read(owner, `/products/${id}`)).toContain(`We’ll write to ${email}`);
});

it("an account sees it at its choice on the product's page, and sign-out forgets the browser's own", async () => {
  const buyer = await person();
  const options = [{ name: "Colour", values: ["Moss", "Sand"] }];
  const units = ["Moss", "Sand"].map((Colour) => ({ options: { Colour }, stock: 0 }));
  const fields = { name: "Board", price: 78, category: "HOME_DECOR", options, units };
  const created = await call("/api/product", { json: fields, token: ownerToken() });
  const { id } = (await created.json()) as { id: string };
  const browser = new CookieJar();
  await askOn(browser, await soldOut(), newAddress());
  expect(browser.header).toMatch(/emporia_waits=[\w%-]{40,}/);
  await env.DB.prepare("INSERT INTO proven_addresses SELECT id, email_key, 1 FROM users WHERE id = ?")
    .bind(buyer.id)
    .run();
  await ask(id, { color: "Sand" }, buyer);
  const page = async (choice: string) => {
    const answer = await call(`/products/${id}?Colour=${choice}`, { token: buyer.token });
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(2);
    return textOf(await answer.text());
  };
  expect(await page("Sand")).toContain(`You wait for Sand We’ll write to ${buyer.email}, once`);
  expect(await page("Moss")).toContain("Tell me when Moss is back");
  await browser.call("/api/auth/logout", { method: "POST" });
  expect(browser.header).not.toContain("emporia_waits");
});

it("a browser's own notifications are listed in it", async () => {
  const browser = new CookieJar();
  const id = await soldOut();
  const json = newBrowser().subscription;
  expect((await browser.call(`/api/product/${id}/restock`, { json, headers: address() })).status).toBe(201);
  expect(await read(browser, "/purchases")).toContain("We’ll notify your device, once");
});

it("somebody who confirms after the pieces have come reads it on the page, and gets no mail", async () => {
  const id = await soldOut();
  await ask(id, { email: newAddress() });
  await ask(id, { email: newAddress() });
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  const [first, second] = mails().map(linkIn);
  const browser = new CookieJar();
  await pressIn(browser, first ?? "", /Yes, tell me/);
  await restock(id, 2);
  const before = sent.mock.calls.length;
  await pressIn(browser, second ?? "", /Yes, tell me/);
  expect(await read(browser, second ?? "")).toMatch(/We have told you about .+ It can be bought now\./);
  await deliverAll();
  const told = recipients().slice(before);
  expect(told).toHaveLength(1);
  expect((await rows()).every(({ notified_at }) => notified_at !== null)).toBe(true);
});

it("an address that ended these mails gets them again by the button of its link, and by nothing else", async () => {
  const browser = new CookieJar();
  const [one, other] = [await soldOut(), await soldOut()];
  const email = newAddress();
  await ask(one, { email });
  const link = await lastLink();
  const ended = await pressIn(browser, link, /Get no more of these mails/);
  expect(textOf(await ended.text())).toMatch(/Done, you get no more of them\. Until .+ whoever asks us to/);
  await ask(other, { email });
  expect(await rows()).toHaveLength(1);
  const forged = link.replace(/.$/, (end) => (end === "A" ? "B" : "A"));
  const body = () => new URLSearchParams({ intent: "resumeRestock" });
  expect((await call(forged, { body: body() })).status).toBe(404);
  expect(await rows()).toHaveLength(1);
  const resumed = await pressIn(browser, link, /Allow them again/);
  expect(textOf(await resumed.text())).toContain("Done, this address can get these mails again");
  expect((await call(link, { body: body() })).status).toBe(200);
  await ask(other, { email });
  expect((await rows()).map(({ party }) => party)).toEqual([email]);
});

it("the link of a message that was sent ends the mails, too, and says so", async () => {
  const browser = new CookieJar();
  const [id, email] = [await soldOut(), newAddress()];
  await ask(id, { email });
  const link = await lastLink();
  await pressIn(browser, link, /Yes, tell me/);
  await restock(id, 3);
  await deliverAll();
  const ended = await pressIn(browser, link, /Get no more of these mails/);
  expect(textOf(await ended.text())).toMatch(/Done, you get no more of them\. Until .+ Allow them again/);
  await restock(id, 0);
  await ask(id, { email });
  expect((await rows()).filter(({ party, notified_at }) => party === email && notified_at === null)).toEqual(
    [],
  );
});

const mailsTo = (email: string) => recipients().filter((to) => to === email).length;

it("an address gets three mails a day that nobody has answered, whatever is asked for, and each answer is the same", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, soldOut));
  const email = newAddress();
  const said = new Set<string>();
  for (const id of ids.slice(0, 3)) said.add(await messageOf(await ask(id, { email })));
  await vi.waitFor(() => expect(mailsTo(email)).toBe(3));
  // Ending them makes no room.
  await env.DB.prepare("DELETE FROM restock_requests WHERE party = ?").bind(email).run();
  const browser = new CookieJar();
  await askOn(browser, ids[3] ?? "", email);
  expect(await read(browser, `/products/${ids[3]}`)).toContain("Check your mail");
  expect(await rows()).toEqual([]);
  await env.DB.exec("UPDATE restock_requests SET expires_at = 5 WHERE id LIKE '%~'");
  said.add(await messageOf(await ask(ids[4] ?? "", { email })));
  await vi.waitFor(() => expect(mailsTo(email)).toBe(4));
  expect([...said]).toEqual([expect.stringMatching(/^Check your mail/)]);
});

it("somebody who answers these mails gets the next ones", async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, soldOut));
  const email = newAddress();
  for (const id of ids.slice(0, 3)) await ask(id, { email });
  await vi.waitFor(() => expect(mailsTo(email)).toBe(3));
  await pressIn(new CookieJar(), await lastLink(), /Yes, tell me/);
  await ask(ids[3] ?? "", { email });
  await vi.waitFor(() => expect(mailsTo(email)).toBe(4));
});
