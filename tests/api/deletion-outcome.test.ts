import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { DAY_MS } from "~/domain/durations";
import { eraseDue } from "~/features/privacy/deletion.server";
import { startChat } from "../support/chat";
import { press, submit } from "../support/forms";
import { justBefore } from "../support/just-before";
import { admin, manager, person } from "../support/people";
import { attach, page, pressWith, requestDeletion } from "../support/personal-data";
import { credit, hold, json, type Refusal, sell, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

const soon = () => Date.now() + 8 * DAY_MS;
const rows = async (query: string) => (await env.DB.prepare(query).all()).results;
const line = { description: "Engraving", category: "OTHERS", quantity: 1, amount: 5 };
const WILL = "Will be deleted on";
const CHAT_WILL = "Has a chat that will be deleted on";
let boss: { token: string };
let seller: { token: string };

const customer = async (name: string, fields: object = {}) =>
  (await json<{ id: string }>(call("/api/customer", { ...seller, json: { name, ...fields } }))).id;
const chatOf = async (token?: string) =>
  (await startChat({ initialMessage: "Hi" }, token === undefined ? {} : { token })).chatId;
const link = async (chatId: string, customerId: string) => {
  const fields = { intent: "linkCustomer", chatId, customerId };
  expect((await submit(`/admin/chat?chat=${chatId}`, fields, seller)).status).toBe(303);
};
const pageOf = (subject: string) => page(`/admin/personal-data?${subject}`, boss.token);
const act = async (subject: string, button: RegExp) =>
  (await press(await pageOf(subject), button, { confirmed: "on" }, boss)).status;
const plan = async (subject: string) => expect(await act(subject, /^Delete personal data$/)).toBe(303);
const isLeft = async (table: string, id: string) =>
  (await rows(`SELECT id FROM ${table} WHERE id = '${id}'`)).length === 1;
const refusal = async (answer: Promise<Response>) => {
  const response = await answer;
  return [response.status, (await json<Refusal>(response)).message];
};

beforeAll(async () => {
  seller = await manager();
});
beforeEach(async () => {
  boss = await admin();
  await env.DB.exec("DELETE FROM erasures");
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});

describe("the page says what the night deletes", () => {
  it.each(["customer", "staff"])(
    "of a planned chat that became an account's (%s): the chat alone",
    async (role) => {
      const chatId = await chatOf();
      await plan(`chat=${chatId}`);
      const joined = await person({ isManager: role === "staff" });
      await attach(chatId, joined);
      expect(await pageOf(`chat=${chatId}`)).toContain(CHAT_WILL);
      expect(await eraseDue(env, soon())).toBe(1);
      expect([await isLeft("chats", chatId), await isLeft("users", joined.id)]).toEqual([false, true]);
    },
  );

  it("of an account whose chat another one's own request covers", async () => {
    const [ines, ada] = [await person(), await person()];
    const [own, other] = [await chatOf(ines.token), await chatOf()];
    const linked = await customer("Linked");
    for (const chatId of [own, other]) await link(chatId, linked);
    await requestDeletion(ines);
    await attach(other, ada);
    const shown = await pageOf(`chat=${other}`);
    expect(shown).toContain(CHAT_WILL);
    expect(shown).toContain("At another person&#x27;s own request.");
    expect(await pageOf(`customer=${linked}`)).toContain("At the person&#x27;s own request.");
    expect(await eraseDue(env, soon())).toBe(1);
    expect([await isLeft("chats", other), await isLeft("users", ada.id)]).toEqual([false, true]);
    expect(await isLeft("customers", linked)).toBe(false);
  });

  it("of an account's chat that staff linked to another account's customer: its own account", async () => {
    const [ines, ada] = [await person(), await person()];
    const own = await chatOf(ines.token);
    const theirs = await customer("Ada", { chatId: await chatOf(ada.token) });
    await link(own, theirs);
    expect(await pageOf(`chat=${own}`)).toContain(ines.email);
    await plan(`chat=${own}`);
    expect(await rows("SELECT user_id FROM erasures")).toEqual([{ user_id: ines.id }]);
    expect(await pageOf(`customer=${theirs}`)).toContain(CHAT_WILL);
    expect(await eraseDue(env, soon())).toBe(1);
    const left = [await isLeft("users", ines.id), await isLeft("chats", own), await isLeft("users", ada.id)];
    expect([...left, await isLeft("customers", theirs)]).toEqual([false, false, true, true]);
  });

  it("of a customer whom the shop knows from two accounts: a chat alone, and with the other chat gone the customer", async () => {
    const [ines, ada] = [await person(), await person()];
    const [own, theirs] = [await chatOf(ines.token), await chatOf(ada.token)];
    const shared = await customer("Shared");
    for (const chatId of [own, theirs]) await link(chatId, shared);
    await plan(`chat=${own}`);
    expect(await pageOf(`customer=${shared}`)).toContain(CHAT_WILL);
    expect(await pageOf(`chat=${own}`)).toContain(WILL);
    await customer("Only Ada's", { chatId: theirs });
    expect(await pageOf(`customer=${shared}`)).toContain(WILL);
    expect(await eraseDue(env, soon())).toBe(1);
    expect(await isLeft("customers", shared)).toBe(false);
  });

  it("of a customer whom the shop knows from two accounts: spared with the account of one", async () => {
    const [ines, ada] = [await person(), await person()];
    const [own, theirs] = [await chatOf(ines.token), await chatOf(ada.token)];
    const shared = await customer("Spared");
    for (const chatId of [own, theirs]) await link(chatId, shared);
    await plan(`chat=${own}`);
    expect(await eraseDue(env, soon())).toBe(1);
    expect([await isLeft("customers", shared), await isLeft("chats", own)]).toEqual([true, false]);
  });

  it.each(["customer=CUSTOMER&chat=CHAT", "customer=nope&chat=CHAT", ""])(
    "of one person: %s is refused",
    async (query) => {
      const subject = query.replace("CUSTOMER", await customer("Two")).replace("CHAT", await chatOf());
      expect((await call(`/admin/personal-data?${subject}`, boss)).status).toBe(400);
      expect((await call(`/admin/personal-data.zip?${subject}`, boss)).status).toBe(400);
    },
  );
});

describe("a deletion that is overdue", () => {
  const overdue = () => env.DB.exec("UPDATE erasures SET due_at = unixepoch() - 60");

  it("can be cancelled until it begins", async () => {
    const chatId = await chatOf();
    await plan(`chat=${chatId}`);
    await overdue();
    expect(await act(`chat=${chatId}`, /^Cancel the deletion$/)).toBe(303);
    expect(await eraseDue(env)).toBe(0);
    expect(await isLeft("chats", chatId)).toBe(true);
    const ines = await person();
    await requestDeletion(ines);
    await overdue();
    expect((await pressWith(ines, /^Keep my account$/)).status).toBe(303);
    expect(await eraseDue(env)).toBe(0);
  });

  it("can't be cancelled once it has begun, and says so", async () => {
    const chatId = await chatOf();
    await plan(`chat=${chatId}`);
    const form = await pageOf(`chat=${chatId}`);
    const room = vi.spyOn(env.CHAT_ROOM, "getByName").mockImplementationOnce(() => {
      throw new Error("broken off");
    });
    await expect(eraseDue(env, soon())).rejects.toThrow("1 not completed");
    room.mockRestore();
    const begun = await pageOf(`chat=${chatId}`);
    expect(begun).toContain("The deletion has begun.");
    expect(begun).not.toContain("Cancel the deletion");
    expect((await press(form, /^Cancel the deletion$/, {}, boss)).status).toBe(404);
    expect(await eraseDue(env, soon())).toBe(1);
  });

  it("of the only admin who would stay keeps the others admins", async () => {
    await env.DB.exec("UPDATE users SET is_admin = 0 WHERE is_admin = 1");
    const [leaving, staying] = [await admin(), await admin()];
    await requestDeletion(leaving);
    for (const change of [{ isAdmin: false }, { isUser: false }])
      expect(
        await refusal(call(`/api/user/${staying.id}`, { method: "PUT", json: change, token: leaving.token })),
      ).toEqual([409, expect.stringContaining("The shop needs an admin")]);
    const third = await admin();
    const demoted = { method: "PUT", json: { isAdmin: false }, token: leaving.token };
    expect((await call(`/api/user/${staying.id}`, demoted)).status).toBe(200);
    expect(await eraseDue(env, soon())).toBe(1);
    expect(await rows("SELECT id FROM users WHERE is_admin = 1")).toEqual([{ id: third.id }]);
  });
});

describe("what is written while the data are deleted", () => {
  afterEach(() => void vi.mocked(env.DB.withSession).mockRestore?.());
  const night = () => eraseDue(env, soon());

  it("leaves no document of a chat that is gone", async () => {
    const ines = await person();
    const chatId = await chatOf(ines.token);
    await requestDeletion(ines);
    justBefore(/INSERT INTO documents/, night);
    expect(await refusal(sell(seller.token, { chatId, customerName: "Zzleft", lines: [line] }))).toEqual([
      404,
      "Chat not found",
    ]);
    expect(await rows("SELECT id FROM documents WHERE customer_name = 'Zzleft'")).toEqual([]);
  });

  it("leaves no name at a customer who stays without one, in sales, holds and credit notes", async () => {
    const productId = await addProduct({ stock: 5 });
    const until = () => (Math.floor(Date.now() / 1000) + 3600) * 1000;
    const writes = [
      (customerId: string) => sell(seller.token, { customerId, lines: [line] }),
      (customerId: string) =>
        hold(seller.token, { customerId, until: until(), lines: [{ productId, quantity: 1 }] }),
    ];
    for (const [write, statement] of [
      [writes[0], /INSERT INTO documents/],
      [writes[1], /INSERT INTO holds/],
    ] as const) {
      const customerId = await customer("Zzleft");
      await sold(seller.token, { customerId, lines: [line] });
      await plan(`customer=${customerId}`);
      justBefore(statement, night);
      expect(await refusal(write?.(customerId) as Promise<Response>)).toEqual([
        409,
        "The data of this customer were deleted.",
      ]);
      vi.mocked(env.DB.withSession).mockRestore();
    }
    const customerId = await customer("Zzleft");
    const [sale] = await sold(seller.token, { customerId, lines: [line] });
    await plan(`customer=${customerId}`);
    justBefore(/INSERT INTO documents/, night);
    expect((await credit(seller.token, String(sale?.id))).status).toBe(409);
    vi.mocked(env.DB.withSession).mockRestore();
    expect((await credit(seller.token, String(sale?.id))).status).toBe(201);
    expect(await rows("SELECT id FROM documents WHERE customer_name LIKE 'Zz%'")).toEqual([]);
    expect(await rows("SELECT id FROM holds WHERE state = 'active'")).toEqual([]);
  });
});

describe("a customer whose data were deleted", () => {
  it("gets none again: from a page that was open, the API, a link, a merge or a sale", async () => {
    const erased = await customer("Zzback", { email: "zzback@mail.example", notes: "Oak" });
    await sold(seller.token, { customerId: erased, lines: [line] });
    const form = await page(`/admin/customers/${erased}?edit`, seller.token);
    await plan(`customer=${erased}`);
    expect(await eraseDue(env, soon())).toBe(1);
    const DELETED = "The data of this customer were deleted.";
    const saved = await press(form, /^Save/, { name: "Zzback again" }, seller);
    expect([saved.status, await saved.text()]).toEqual([409, expect.stringContaining(DELETED)]);
    const json = { name: "Zzback", email: "zzback@mail.example" };
    expect(await refusal(call(`/api/customer/${erased}`, { method: "PATCH", json, ...seller }))).toEqual([
      409,
      DELETED,
    ]);
    const other = await customer("Other", { email: "other@mail.example" });
    for (const [kept, merged] of [
      [erased, other],
      [other, erased],
    ])
      expect(await refusal(call(`/api/customer/${kept}/merge`, { json: { id: merged }, ...seller }))).toEqual(
        [409, DELETED],
      );
    const chatId = await chatOf();
    const linked = await submit(
      `/admin/chat?chat=${chatId}`,
      { intent: "linkCustomer", chatId, customerId: erased },
      seller,
    );
    expect([linked.status, await linked.text()]).toEqual([409, expect.stringContaining(DELETED)]);
    const sale = sell(seller.token, { customerId: erased, customerName: "Zzback", lines: [line] });
    expect(await refusal(sale)).toEqual([409, DELETED]);
    expect(await rows(`SELECT name, email, notes FROM customers WHERE id = '${erased}'`)).toEqual([
      { name: "Deleted customer", email: "", notes: "" },
    ]);
  });

  it("is recorded in the log, also where a chat's deletion was asked for", async () => {
    const chatId = await chatOf();
    await plan(`chat=${chatId}`);
    const [gone, kept] = [await customer("Gone", { chatId }), await customer("Kept", { chatId })];
    await sold(seller.token, { chatId, lines: [line] });
    expect(await eraseDue(env, soon())).toBe(1);
    const erased = (id: string) =>
      rows(
        `SELECT object, author_kind AS author FROM audit_log WHERE object_id = '${id}' AND action = 'erased'`,
      );
    for (const id of [gone, kept])
      expect(await erased(id)).toEqual([{ object: "customer", author: "system" }]);
    expect(await erased(chatId)).toEqual([{ object: "chat", author: "system" }]);
    expect([await isLeft("customers", gone), await isLeft("customers", kept)]).toEqual([false, true]);
  });
});
