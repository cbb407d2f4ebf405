import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { setOnlineFromRoom } from "~/features/chat/operations/rooms.server";
import { startChat } from "../support/chat";
import { addEntry } from "../support/ledger";
import { admin, person, signIn } from "../support/people";
import { importFile } from "../support/product-import";
import { credit, hold, json, sendQuote, sold } from "../support/sales";
import { addProduct, addUser, call } from "../support/shop";

interface Recorded {
  author: string;
  authorId: string | null;
  action: string;
  object: string;
  objectId: string;
  changes: Record<string, unknown>;
}

let owner: { id: string; token: string };
let token: string;

beforeAll(async () => {
  owner = await admin();
  ({ token } = owner);
});

/** Runs an action and returns the audit rows that it added. */
async function recordedBy(action: () => Promise<unknown>): Promise<Recorded[]> {
  const from = (await env.DB.prepare("SELECT max(seq) AS seq FROM audit_log").first<number>("seq")) ?? 0;
  await action();
  const { results } = await env.DB.prepare(
    `SELECT author_kind AS author, author_id AS authorId, action, object, object_id AS objectId, changes
     FROM audit_log WHERE seq > ? ORDER BY seq`,
  )
    .bind(from)
    .all<Omit<Recorded, "changes"> & { changes: string }>();
  return results.map((row) => ({ ...row, changes: JSON.parse(row.changes) as Record<string, unknown> }));
}

const put = (path: string, fields: unknown) => call(path, { method: "PUT", json: fields, token });
const patch = (path: string, fields: unknown, by = token) =>
  call(path, { method: "PATCH", json: fields, token: by });
const remove = (path: string) => call(path, { method: "DELETE", token });

describe("what the audit log records", () => {
  it("products: values before and after, of texts and images only that they changed", async () => {
    const rows = await recordedBy(async () => {
      const product = { id: "lamp", name: "Lamp", price: 34, stock: 4, category: "OTHERS", imageUrls: [] };
      await call("/api/product", { json: { description: "Secret words", ...product }, token });
      await call("/api/product", { json: { description: "Secret words", ...product }, token });
      await put("/api/product/lamp", { price: 32, description: "Other words", colors: ["#ff0000"] });
      await put("/api/product/lamp", { price: 32 });
      await remove("/api/product/lamp");
    });
    expect(rows.map(({ action, objectId, authorId }) => [action, objectId, authorId])).toEqual([
      ["created", "lamp", owner.id],
      ["changed", "lamp", owner.id],
      ["deleted", "lamp", owner.id],
    ]);
    expect(rows[0]?.changes).toMatchObject({ name: [null, "Lamp"], priceCents: [null, 3400] });
    expect(rows[1]?.changes).toEqual({
      priceCents: [3400, 3200],
      colors: [[], ["#ff0000"]],
      description: true,
    });
    expect(rows[2]?.changes).toMatchObject({ name: ["Lamp", null], stock: [4, null] });
    expect(JSON.stringify(rows)).not.toContain("words");
  });

  it("stock as it is at the moment of the change", async () => {
    const id = await addProduct({ stock: 4 });
    const change = (stock: string) => {
      const body = new URLSearchParams({ intent: "setStock", id, stock });
      return call("/admin/inventory-management", { method: "POST", body, token });
    };
    const rows = await recordedBy(() => Promise.all([change("+3"), change("-2")]));
    const [first, second] = rows.map(({ changes }) => changes.stock as [number, number]);
    expect(first?.[0]).toBe(4);
    expect(second).toEqual([first?.[1], 5]);
  });

  it("an import: one row for each product that changes, by the import", async () => {
    await addProduct({ name: "Vase", stock: 1, priceCents: 500 });
    await addProduct({ name: "Bowl", stock: 1, priceCents: 700 });
    const file = "Name,Price,Stock,Category\nVase,5.00,9,OTHERS\nBowl,7.00,1,OTHERS\nTray,3.00,2,OTHERS\n";
    const rows = await recordedBy(() => importFile(token, file));
    expect(rows.map(({ action, object, author }) => [action, object, author])).toEqual([
      ["created", "product", "import"],
      ["changed", "product", "import"],
      ["finished", "import", "import"],
    ]);
    expect(rows[1]?.changes).toEqual({ stock: [1, 9] });
    expect(rows[2]?.changes).toMatchObject({ created: [null, 1], updated: [null, 1] });
    expect(new Set(rows.map(({ authorId }) => authorId))).toEqual(new Set([owner.id]));
  });

  it("a new product's fields, the same ones by an import as by a person", async () => {
    const file = 'Name,Price,Stock,Category,Colors,Engraving\nJug,3.00,2,OTHERS,"Red, Blue",yes\n';
    const [imported] = await recordedBy(() => importFile(token, file));
    const json = { name: "Jug", price: 3, stock: 2, category: "OTHERS", colors: ["Red", "Blue"] };
    const [made] = await recordedBy(() =>
      call("/api/product", { token, json: { ...json, hasEngraving: true, description: "", imageUrls: [] } }),
    );
    expect(imported?.changes).toEqual(made?.changes);
    expect(imported?.changes).toMatchObject({ colors: [null, ["Red", "Blue"]], hasEngraving: [null, 1] });
  });

  it("of a new product with options the stock of all its units, by a person and by an import", async () => {
    const options = {
      name: "Ring",
      price: 3,
      category: "OTHERS",
      options: [{ name: "Size", values: ["S", "M"] }],
    };
    const units = [
      { options: { Size: "S" }, stock: 4 },
      { options: { Size: "M" }, stock: 3 },
    ];
    const [made] = await recordedBy(() => call("/api/product", { token, json: { ...options, units } }));
    expect(made?.changes).toMatchObject({ name: [null, "Ring"], stock: [null, 7] });
    const file =
      "Handle,Title,Option1 Name,Option1 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Price\n" +
      "band,Band,Size,S,shopify,2,5\nband,,,M,shopify,3,5\n";
    const [imported] = await recordedBy(() => importFile(token, file));
    expect(imported?.changes).toMatchObject({ name: [null, "Band"], stock: [null, 5] });
  });

  it("entries of the ledger, without their descriptions", async () => {
    const rows = await recordedBy(async () => {
      const { id } = await addEntry("expense", { description: "Taxi for Ines", amount: 24.5 }, token);
      await put(`/api/expense/${id}`, { amount: 30, description: "Taxi for Zoë" });
      await put(`/api/expense/${id}`, { amount: 30 });
      await remove(`/api/expense/${id}`);
      const body = new URLSearchParams({ intent: "restore", id });
      await call("/admin/expenses-management", { method: "POST", body, token });
    });
    expect(rows.map(({ action }) => action)).toEqual(["created", "changed", "deleted", "restored"]);
    expect(rows[1]?.changes).toEqual({ amountCents: [2450, 3000], description: true });
    expect(rows[2]?.changes).toMatchObject({ amountCents: [3000, null], businessType: ["EMPORIA", null] });
    expect(JSON.stringify(rows)).not.toMatch(/Taxi|Ines|Zoë/);
  });

  it("a sale with its stock and hold, and its credit note", async () => {
    const productId = await addProduct({ stock: 4 });
    const { id: holdId } = await json<{ id: string }>(hold(token, { lines: [{ productId, quantity: 2 }] }));
    const [sale] = await recordedBy(() =>
      sold(token, { holdId, lines: [{ productId, quantity: 2, amount: 134 }] }),
    );
    expect(sale).toMatchObject({ action: "recorded", object: "document", author: "staff" });
    expect(sale?.changes).toMatchObject({
      totalCents: [null, 13_400],
      pieces: { [productId]: [4, 2] },
      hold: ["active", "sold"],
    });
    const [note] = await recordedBy(() => credit(token, sale?.objectId ?? "", { restock: true }));
    expect(note).toMatchObject({ action: "credited", changes: { pieces: { [productId]: [2, 4] } } });
  });

  it("holds and quotes", async () => {
    const productId = await addProduct({ stock: 4 });
    const { chatId } = await startChat({ userName: "Ines" });
    const rows = await recordedBy(async () => {
      const { id } = await json<{ id: string }>(hold(token, { chatId, lines: [{ productId, quantity: 2 }] }));
      await patch(`/api/hold/${id}`, { until: Math.floor(Date.now() / 1000) + 7200 });
      await remove(`/api/hold/${id}`);
      await sendQuote(token, chatId);
    });
    expect(rows.map(({ action, object }) => `${object} ${action}`)).toEqual([
      "hold placed",
      "hold changed",
      "hold released",
      "quote sent",
    ]);
    expect(rows[0]?.changes).toMatchObject({ pieces: { [productId]: [null, 2] }, chat: [null, chatId] });
    expect(rows[3]?.changes).toMatchObject({ totalCents: [null, 3600] });
  });

  it("customers and their merge, without personal data", async () => {
    const rows = await recordedBy(async () => {
      const add = (name: string) =>
        json<{ id: string }>(call("/api/customer", { json: { name, email: "ines@mail.example" }, token }));
      const [{ id: kept }, { id: other }] = [await add("Ines"), await add("I. Carvalho")];
      await patch(`/api/customer/${kept}`, { notes: "Allergic", phoneNumber: "647 555 0100" });
      await call(`/api/customer/${kept}/merge`, { json: { id: other }, token });
    });
    expect(rows.map(({ action }) => action)).toEqual(["created", "created", "changed", "merged"]);
    expect(rows[2]?.changes).toEqual({ phoneNumber: true, notes: true });
    expect(rows[3]?.changes).toMatchObject({ merged: [null, rows[1]?.objectId] });
    expect(JSON.stringify(rows)).not.toMatch(/ines@|Carvalho|Allergic|647 000/);
  });

  it("users: roles with values; of names, addresses and passwords only that they changed", async () => {
    const target = await addUser({ email: "old@mail.example" });
    const rows = await recordedBy(async () => {
      const secret = { password: "Changed!123", confirmPassword: "Changed!123" };
      await put(`/api/user/${target.id}`, { isManager: true, email: "new@mail.example", ...secret });
      await remove(`/api/user/${target.id}`);
    });
    expect(rows.map(({ action, objectId }) => [action, objectId])).toEqual([
      ["changed", target.id],
      ["deleted", target.id],
    ]);
    expect(rows[0]?.changes).toEqual({ isManager: [0, 1], email: true, passwordHash: true });
    expect(JSON.stringify(rows)).not.toMatch(/@mail|Changed|scrypt/);
  });

  it("account owners: their sign-up and profile; of sign-ins those of staff alone", async () => {
    const customer = await person();
    const staff = await addUser({ isManager: true });
    const rows = await recordedBy(async () => {
      const names = { firstName: "Kwame", lastName: "Adeyemi", email: "kwame@mail.example" };
      await call("/api/auth/signup", { json: { ...names, password: "Password1!" } });
      const change = { method: "PUT", json: { firstName: "Zoë" }, token: customer.token };
      await call(`/api/user/${customer.id}`, change);
      await signIn(customer.email, customer.password);
      await signIn(staff.email, staff.password);
      await signIn(staff.email, "wrong");
    });
    expect(rows.map(({ action, author }) => [action, author])).toEqual([
      ["created", "customer"],
      ["changed", "customer"],
      ["signedIn", "staff"],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/Kwame|Zoë/);
  });

  it("chats: state, assignee and deletion by staff, with the room's row", async () => {
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Do you have lamps?" });
    const rows = await recordedBy(async () => {
      await patch(`/api/chat/${chatId}`, { assigneeId: owner.id });
      await patch(`/api/chat/${chatId}`, { state: "closed", userName: "Ines C." });
      await patch(`/api/chat/${chatId}`, { state: "closed" });
      await remove(`/api/chat/${chatId}`);
    });
    expect(rows.map(({ action, changes }) => [action, changes])).toEqual([
      ["changed", { assignee: [null, owner.id] }],
      ["changed", { state: ["open", "closed"], name: true }],
      ["deleted", { state: ["closed", null] }],
    ]);
    expect(new Set(rows.map(({ authorId }) => authorId))).toEqual(new Set([owner.id]));
  });

  it("quick responses, chat settings and tax settings", async () => {
    const rows = await recordedBy(async () => {
      const fields = { trigger: "hours", response: "Nine to five", category: "General" };
      const { id } = await json<{ id: string }>(call("/api/chat/responses", { json: fields, token }));
      await patch(`/api/chat/responses/${id}`, { response: "Ten to six", isActive: false });
      await remove(`/api/chat/responses/${id}`);
      await patch("/api/chat/settings", { welcomeMessage: "Hello there", isOnline: true });
      await patch("/api/chat/settings", { isOnline: false });
      const identity = { role: "staff", userId: owner.id, tokenHash: null } as const;
      await setOnlineFromRoom(env as Env, identity, true);
    });
    expect(rows.map(({ object, action, changes }) => [object, action, changes])).toEqual([
      ["response", "created", { category: [null, "General"], isActive: [null, 1] }],
      ["response", "changed", { response: true, isActive: [1, 0] }],
      ["response", "deleted", { category: ["General", null], isActive: [0, null] }],
      ["chatSettings", "changed", { welcomeMessage: true, isOnline: [null, 1] }],
      ["chatSettings", "changed", { isOnline: [1, 0] }],
      ["chatSettings", "changed", { isOnline: [0, 1] }],
    ]);
    expect(rows.every(({ authorId }) => authorId === owner.id)).toBe(true);
  });
});
