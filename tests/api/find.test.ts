import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { runTasks, startChat } from "../support/chat";
import { costOf } from "../support/cost";
import { admin, manager, person } from "../support/people";
import { json, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

interface Hit {
  id: string;
  title: string;
  text: string;
  amount: number | null;
  path: string;
}
interface Found {
  groups: { kind: string; hits: Hit[]; more: string | null }[];
}

let token: string;
let adminToken: string;
let chatId: string;
let documentId: string;
const search = (q: string, by = token) => call(`/api/search?${new URLSearchParams({ q })}`, { token: by });
const found = async (q: string, by = token) => (await json<Found>(search(q, by))).groups;
const kinds = async (q: string, by = token) => (await found(q, by)).map(({ kind }) => kind);
const hits = async (q: string, wanted: string, by = token) =>
  (await found(q, by)).find(({ kind }) => kind === wanted)?.hits ?? [];
const page = async (q: string, by = token) =>
  (await call(`/admin/search?${new URLSearchParams({ q })}`, { token: by })).text();

beforeAll(async () => {
  ({ token } = await manager());
  ({ token: adminToken } = await admin());
  await addProduct({ id: "lamp", name: "Mushroom table lamp", priceCents: 12_900, stock: 9 });
  await addProduct({ id: "hidden", name: "Secret lantern", stock: 1, isHidden: true });
  await env.DB.prepare("UPDATE units SET sku = 'MTL-32', barcode = '4006381333931' WHERE id = 'lamp'").run();
  await call("/api/customer", {
    token,
    json: { id: "ines", name: "Inês Carvalho", email: "ines@mail.example", phoneNumber: "+1 416 555 0199" },
  });
  const covers = [
    { options: { Cover: "Sage check" }, stock: 3 },
    { options: { Cover: "Clay stripe" }, sku: "MOSS-SILICONE", stock: 3 },
  ];
  const cushion = { id: "cushion", name: "Striped cushion", price: 20, category: "HOME_DECOR" };
  const options = [{ name: "Cover", values: ["Sage check", "Clay stripe"] }];
  await json(call("/api/product", { token, json: { ...cushion, options, units: covers } }));
  const lines = [{ productId: "lamp", quantity: 2, amount: 268 }];
  const [document] = await sold(token, { customerId: "ines", lines });
  documentId = document?.id ?? "";
  await call("/api/expense", {
    token,
    json: { businessType: "EMPORIA", expenseType: "PURCHASE", description: "Lamp bulbs, E14", amount: 23.1 },
  });
  ({ chatId } = await startChat({ initialMessage: "Could I pick the lamps up?", userName: "Tomás" }));
  await runTasks(chatId);
});

describe("GET search", () => {
  it("finds in all groups, in their order", async () => {
    expect(await kinds("lamp")).toEqual(["products", "documents", "chats", "expenses"]);
  });

  it.each([
    ["mushroom lamp", "products", "/admin/products-management?edit=lamp"],
    ["LAMP table", "products", "/admin/products-management?edit=lamp"],
    ["mu", "products", "/admin/products-management?edit=lamp"],
    ["lantern", "products", "/admin/products-management?edit=hidden"],
    ["mtl-32", "products", "/admin/inventory-management?q=Mushroom+table+lamp"],
    ["4006381333931", "products", "/admin/inventory-management?q=Mushroom+table+lamp"],
    ["ines carvalho", "customers", "/admin/customers/ines"],
    ["4165550199", "customers", "/admin/customers/ines"],
    ["$23.10", "expenses", "/admin/expenses-management?edit="],
    ["bulbs", "expenses", "/admin/expenses-management?edit="],
    ["tomas", "chats", "/admin/chat?chat="],
    ["record", "acts", "/admin/sales/new"],
    ["go off", "acts", "/admin/search"],
    ["webhooks", "pages", "/admin/integrations"],
    ["chat settings", "pages", "/admin/settings?group=chat"],
    ["opening hours", "pages", "/admin/settings?group=hours"],
    ["logo", "pages", "/admin/settings"],
    ["cash rounded", "pages", "/admin/settings?group=sales"],
    ["home page", "pages", "/admin/settings?group=home"],
    ["synonyms", "pages", "/admin/settings?group=search"],
    ["second factor", "pages", "/admin/settings"],
    ["mtl", "products", "/admin/inventory-management?q=Mushroom+table+lamp"],
    ["moss-sil", "products", "/admin/inventory-management?"],
    ["sage check", "products", "/admin/inventory-management?"],
  ])("%s finds among %s", async (q, kind, path) => {
    const [first] = await hits(q, kind);
    expect(first?.path).toContain(path);
  });

  it.each(["000001", "268", "268.00", "-"])("%s and documents", async (q) => {
    const ids = (await hits(q, "documents")).map(({ id }) => id);
    expect(ids).toEqual(q === "-" ? [] : [documentId]);
  });

  it("finds the units whose choice a text names, and no others of their product", async () => {
    const titles = async (q: string) => (await hits(q, "products")).map(({ title }) => title);
    expect(await titles("sage check")).toEqual(["Striped cushion (Sage check)"]);
    expect(await titles("cushion clay")).toEqual(["Striped cushion (Clay stripe)"]);
    expect(await titles("cushion")).toEqual(["Striped cushion"]);
    expect(await titles("moss-sil")).toEqual(["Striped cushion (Clay stripe)"]);
  });

  it("reads few of many units, and names a product before the choices of others", async () => {
    const values = Array.from({ length: 40 }, (_, i) => `Black ${i}`);
    const units = values.map((value, i) => ({ options: { Size: value }, sku: `BULK-${i}` }));
    const tee = { name: "Tee", price: 20, category: "OTHERS", options: [{ name: "Size", values }], units };
    await json(call("/api/product", { token, json: tee }));
    await addProduct({ id: "black", name: "Black lamp" });
    const titles = (await hits("black", "products")).map(({ title }) => title);
    expect(titles).toEqual(["Black lamp", "Tee (Black 0)", "Tee (Black 1)"]);
    expect(await hits("bulk-", "products")).toHaveLength(4);
    for (const q of ["bulk-", "black"]) {
      const { rowsRead } = costOf(await call(`/admin/search?q=${q}`, { token }));
      expect(rowsRead, q).toBeLessThanOrEqual(250);
    }
  });

  it("names what a hit is", async () => {
    const [document] = await hits("carvalho", "documents");
    expect(document).toMatchObject({ text: expect.stringContaining("2 × Mushroom table lamp"), amount: 268 });
    expect(document?.title).toContain(" · Inês Carvalho");
    const [unit] = await hits("MTL-32", "products");
    expect(unit).toMatchObject({ title: "Mushroom table lamp", amount: 129 });
    expect(unit?.text).toBe("SKU MTL-32 · 4006381333931 · 7 free");
  });

  it("has at most 5 of each, and leads to the others", async () => {
    for (let i = 0; i < 7; i += 1) await addProduct({ id: `vase-${i}`, name: `Blue vase ${i}` });
    const [group] = await found("vase");
    expect(group?.hits).toHaveLength(5);
    expect(group?.more).toBe("/admin/products-management?q=vase");
  });

  it.each([
    '"',
    "'; DROP TABLE",
    "%_*()",
    "a AND",
    "{name}",
    "\u0000",
    "漢字",
    "🎁",
    "NEAR(",
    "x".repeat(101),
    "",
    "  ",
  ])("answers the hostile text %j", async (q) => {
    expect([200, 400]).toContain((await search(q)).status);
    expect((await call(`/admin/search?${new URLSearchParams({ q })}`, { token })).status).toBe(200);
  });

  it("is for staff, and what only admins may open for admins", async () => {
    const { token: customer } = await person();
    expect((await search("lamp", customer)).status).toBe(403);
    expect((await call("/api/search?q=lamp")).status).toBe(401);
    const answer = await call("/admin/search?q=lamp", { token: customer });
    expect(await answer.text()).not.toContain("Mushroom");
    expect([302, 403]).toContain(answer.status);
    expect(await hits("audit", "pages")).toEqual([]);
    expect(await hits("audit", "pages", adminToken)).toMatchObject([{ path: "/admin/audit" }]);
  });
});

describe("the page", () => {
  it("offers acts without a text, and says where it has looked", async () => {
    expect(await page("")).toContain("Record sale");
    const html = await page("xyzzy");
    expect(html).toContain("Nothing has “xyzzy”");
    expect(html).toContain("E-2026-000124, or a part");
  });

  it("shows texts as they are", async () => {
    expect(await page("<script>alert(1)</script>")).not.toContain("<script>alert");
  });

  it("switches the chat's status and leads back", async () => {
    const act = (isOnline: string, more: Record<string, string> = {}) =>
      call("/admin/search", {
        method: "POST",
        body: new URLSearchParams({ intent: "presence", isOnline, ...more }),
        token,
      });
    expect((await act("false")).headers.get("Location")).toBe("/admin/search");
    expect(await json(call("/api/chat/settings"))).toMatchObject({ isOnline: false });
    expect(await hits("online", "acts")).toMatchObject([{ title: "Go online" }]);
    expect((await act("true", { redirectTo: "/admin/customers?q=a" })).headers.get("Location")).toBe(
      "/admin/customers?q=a",
    );
    expect((await act("true", { redirectTo: "//evil.example" })).headers.get("Location")).toBe(
      "/admin/search",
    );
    expect((await act("maybe")).status).toBe(400);
    const { token: customer } = await person();
    const refused = await call("/admin/search", {
      method: "POST",
      body: new URLSearchParams({ intent: "presence", isOnline: "false" }),
      token: customer,
    });
    expect(refused.headers.get("Location")).toBe("/unauthorized");
    expect(await json(call("/api/chat/settings"))).toMatchObject({ isOnline: true });
  });
});
