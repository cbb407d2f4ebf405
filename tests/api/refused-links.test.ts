import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { formWith, submit } from "../support/forms";
import { afterNotice, deletionTests, page, rows } from "../support/personal-data";

const { seller, plan, add, customer } = deletionTests();

const visitor = async () => (await startChat({ initialMessage: "Hi" })).chatId;
const link = (chatId: string, customerId: string) =>
  submit(`/admin/chat?chat=${chatId}`, { intent: "linkCustomer", chatId, customerId }, seller);
const linkOf = (chatId: string) =>
  env.DB.prepare("SELECT customer_id FROM chat_customers WHERE chat_id = ?")
    .bind(chatId)
    .first<string>("customer_id");
const named = (id: string) =>
  env.DB.prepare("SELECT name FROM customers WHERE id = ?").bind(id).first<string>("name");

describe("a new customer with an id that another has is refused and changes nothing", () => {
  it("with a chat whose deletion is planned: the other customer stays", async () => {
    const [known, theirs, asked] = [await customer("Known"), await visitor(), await visitor()];
    expect((await link(theirs, known)).status).toBe(303);
    await plan(`chat=${asked}`);
    const log = () => rows("SELECT count(*) AS n FROM audit_log");
    const before = await log();
    expect((await add({ id: known, name: "x", chatId: asked })).status).toBe(409);
    expect([await linkOf(asked), await log()]).toEqual([null, before]);
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect([await named(known), await linkOf(theirs)]).toEqual(["Known", known]);
  });

  it("of a customer whose deletion is planned: the chat stays", async () => {
    const [asked, chatId] = [await customer("Asked"), await visitor()];
    await plan(`customer=${asked}`);
    expect((await add({ id: asked, name: "x", chatId })).status).toBe(409);
    expect(await eraseDue(env, afterNotice())).toBe(1);
    expect(await rows(`SELECT id FROM chats WHERE id = '${chatId}'`)).toHaveLength(1);
  });

  it("by the console's form, sent again with another name: the chat stays where a colleague linked it", async () => {
    const [chatId, known] = [await visitor(), await customer("Known")];
    const path = `/admin/chat?chat=${chatId}`;
    const { fields } = formWith(await page(path, seller.token), /^Add$/);
    const send = (name: string) => submit(path, { ...fields, intent: "addCustomer", name }, seller);
    expect((await send("First")).status).toBe(303);
    expect((await link(chatId, known)).status).toBe(303);
    const again = await send("First corrected");
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("Not added. Another")]);
    expect(await linkOf(chatId)).toBe(known);
  });
});

it("a repeated request for a new customer leaves the chat where it is linked by now", async () => {
  const [chatId, second] = [await visitor(), await customer("Second")];
  const sent = { id: "repeated-link", name: "First", chatId };
  const first = await add(sent);
  expect([first.status, await linkOf(chatId)]).toEqual([201, sent.id]);
  const stored = await first.json<object>();
  expect((await link(chatId, second)).status).toBe(303);
  await plan(`customer=${sent.id}`);
  const again = await add(sent);
  expect([again.status, await again.json()]).toEqual([201, { ...stored, chats: 0 }]);
  expect(await linkOf(chatId)).toBe(second);
  expect(await eraseDue(env, afterNotice())).toBe(1);
  expect([await named(second), await linkOf(chatId)]).toEqual(["Second", second]);
});
