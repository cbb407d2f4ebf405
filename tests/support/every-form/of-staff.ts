import { FACTORS } from "./of-factor.ts";
import { INVITATIONS } from "./of-invitations.ts";
import { SETTINGS } from "./of-settings.ts";
import { TILL } from "./of-till.ts";
import { WAITING } from "./of-waiting.ts";
import { WORDS } from "./of-words.ts";
import {
  addProduct,
  type FormShop,
  hold,
  inTwoDays,
  line,
  newId,
  next,
  post,
  quote,
  sale,
  staff,
  startChat,
  submit,
} from "./shop.ts";

const customer = (shop: FormShop, fields: object = {}) =>
  post<{ id: string }>(shop, "customer", { name: `Wren Ito ${next()}`, ...fields });

const INVOICE = {
  ...{ businessType: "EMPORIA", category: "OTHERS", description: "Bowl" },
  ...{ quantity: "2", amount: "5.00", paymentMode: "CASH" },
};
const EXPENSE = { businessType: "EMPORIA", expenseType: "TAXI", description: "Ride", amount: "5.00" };
const ENTRIES = { invoice: INVOICE, expense: EXPENSE };
type Kind = keyof typeof ENTRIES;

const entry = async (shop: FormShop, kind: Kind) => {
  const { quantity, amount, ...fields } = { quantity: "1", ...ENTRIES[kind] };
  const numbers = kind === "invoice" ? { quantity: Number(quantity) } : {};
  return (await post<{ id: string }>(shop, kind, { ...fields, ...numbers, amount: Number(amount) })).id;
};

/** Attaches a bill to an expense. @returns its key and the page with its form */
async function bill(shop: FormShop): Promise<{ path: string; key: string }> {
  const id = await entry(shop, "expense");
  const body = new FormData();
  body.append("files", new File(["%PDF-1.4"], "bill.pdf"));
  const answer = await shop.call(`/api/expense/${id}/file`, { body, token: shop.admin });
  const [{ key }] = (await answer.json()) as [{ key: string }];
  return { path: `/admin/expenses-management?edit=${id}`, key };
}

const FILES = [
  staff("expense removeFile", async (shop) => {
    const { path, key } = await bill(shop);
    return { path, fields: { key } };
  }),
  staff("expense restoreFile", async (shop) => {
    const { path, key } = await bill(shop);
    await shop.call(`/api/expense/file?key=${encodeURIComponent(key)}`, {
      method: "DELETE",
      token: shop.admin,
    });
    return { path, fields: { key, id: key } };
  }),
];

const CUSTOMERS = [
  staff("customers add", async () => ({
    path: "/admin/customers?dialog=new",
    fields: { customerId: newId(), name: "Wei Chen", email: "", notes: "On foot" },
  })),
  staff("customers change", async (shop) => {
    const { id } = await customer(shop);
    return { path: `/admin/customers/${id}`, fields: { notes: "On foot", was: '{"notes":""}' } };
  }),
  staff("customers merge", async (shop) => {
    const [{ id }, { id: other }] = [await customer(shop), await customer(shop)];
    return { path: `/admin/customers/${id}?merge=${other}`, fields: { other } };
  }),
  staff("customers extend", async (shop) => {
    const { id } = await customer(shop);
    return { path: `/admin/customers/${id}`, fields: { holdId: await hold(shop, { customerId: id }) } };
  }),
  staff("customers release", async (shop) => {
    const { id } = await customer(shop);
    return { path: `/admin/customers/${id}`, fields: { holdId: await hold(shop, { customerId: id }) } };
  }),
];

/** Forms of the console at a chat. */
const atChat = (
  name: string,
  fields: (chatId: string, shop: FormShop) => Promise<Record<string, string>>,
  path = (chatId: string) => `/admin/chat?chat=${chatId}`,
) =>
  staff(name, async (shop) => {
    const { chatId } = await startChat(shop, {});
    return { path: path(chatId), fields: await fields(chatId, shop) };
  });

async function response(shop: FormShop): Promise<{ id: string; was: string }> {
  const fields = { trigger: `hours ${next()}`, category: "Visit", response: "9 to 5" };
  const { id } = await post<{ id: string }>(shop, "chat/responses", fields);
  return { id, was: JSON.stringify(fields) };
}

const note = async (shop: FormShop, chatId: string) =>
  (await post<{ id: string }>(shop, `chat/${chatId}/notes`, { note: "Regular" })).id;

const CONSOLE = [
  atChat("console send", async (chatId) => ({ chatId, message: "Yes", id: newId() })),
  atChat("console note", async (id) => ({ id, note: "Regular", noteId: newId() })),
  atChat("console changeNote", async (id, shop) => ({ id, noteId: await note(shop, id), note: "Irregular" })),
  atChat("console removeNote", async (id, shop) => ({ id, noteId: await note(shop, id) })),
  atChat("console deleteChat", async (id) => ({ id })),
  atChat("console updateChat", async (id) => ({ id, state: "closed" })),
  staff("console addResponse", async () => ({
    path: "/admin/chat?tab=responses",
    fields: { trigger: `opening ${next()}`, category: "Visit", response: "8 to 4" },
  })),
  staff("console updateResponse", async (shop) => ({
    path: "/admin/chat?tab=responses",
    fields: { ...(await response(shop)), trigger: "hours", category: "Visit", response: "10 to 6" },
  })),
  staff("console deleteResponse", async (shop) => ({
    path: "/admin/chat?tab=responses",
    fields: await response(shop),
  })),
  staff("console settings", async () => ({
    path: "/admin/chat?tab=settings",
    fields: { isOnline: "on", autoResponseEnabled: "on", welcomeMessage: "Hello.", offlineMessage: "Away." },
  })),
  staff("console notifications", async () => ({
    path: "/admin/chat?tab=settings",
    fields: { switches: "hasPreview", hasPreview: "on" },
  })),
  atChat("cards releaseHold", async (chatId, shop) => ({ id: await hold(shop, { chatId }) })),
  atChat("cards withdrawQuote", async (chatId, shop) => ({
    ...{ id: await quote(shop, chatId), state: "withdrawn" },
  })),
  atChat("cards linkCustomer", async (chatId, shop) => ({ chatId, customerId: (await customer(shop)).id })),
  atChat("cards addCustomer", async (chatId) => ({ chatId, id: newId(), name: `Wren ${next()}` })),
];

const until = () => `${new Date(inTwoDays()).toISOString().slice(0, 10)}T18:00`;
const lineOf = async (shop: FormShop) =>
  line({
    ...{ unitId: await addProduct(shop), category: "OTHERS", description: "Bowl" },
    ...{ quantity: "1", businessType: "EMPORIA", price: "5.00" },
  });

const SALES = [
  atChat(
    "record edit",
    async (chatId, shop) => ({ chatId, ...(await lineOf(shop)), edit: "remove.0" }),
    (chatId) => `/admin/sales/new?chat=${chatId}`,
  ),
  atChat(
    "record record",
    async (chatId, shop) => ({ id: newId(), chatId, ...(await lineOf(shop)), find: "", paymentMode: "CASH" }),
    (chatId) => `/admin/sales/new?chat=${chatId}`,
  ),
  atChat(
    "record hold",
    async (chatId, shop) => ({ id: newId(), chatId, ...(await lineOf(shop)), find: "", until: until() }),
    (chatId) => `/admin/sales/hold?chat=${chatId}`,
  ),
  staff("record for a new customer", async (shop) => ({
    path: "/admin/sales/new",
    fields: {
      ...{
        intent: "record",
        id: newId(),
        newCustomer: "on",
        customerName: `Wren ${next()}`,
        customerEmail: "wren@mail.example",
      },
      ...{ ...(await lineOf(shop)), paymentMode: "CASH" },
    },
  })),
  staff("record extend", async (shop) => {
    const { chatId } = await startChat(shop, {});
    const holdId = await hold(shop, { chatId });
    return { path: `/admin/sales/hold?chat=${chatId}&hold=${holdId}`, fields: { holdId, until: until() } };
  }),
  atChat(
    "record quote",
    async (chatId, shop) => ({ id: newId(), chatId, title: "Sign", ...(await lineOf(shop)), readyBy: "" }),
    (chatId) => `/admin/sales/quote?chat=${chatId}`,
  ),
  staff("deposits take", async (shop) => {
    const { chatId } = await startChat(shop, {});
    const quoteId = await quote(shop, chatId);
    const fields = { id: newId(), quoteId, amount: "5.00", mode: "CARD", accept: "on" };
    return { path: `/admin/sales/deposit?quote=${quoteId}`, fields };
  }),
  staff("deposits withdraw", async (shop) => {
    const { chatId } = await startChat(shop, {});
    const quoteId = await quote(shop, chatId);
    const payment = { amount: 5, mode: "CARD", accept: true };
    await post(shop, `quote/${quoteId}/payment`, payment);
    const fields = { quoteId, deposit: "kept", depositCents: "500", message: "Sorry" };
    return { path: `/admin/sales/withdraw?quote=${quoteId}`, fields };
  }),
  ...TILL,
  staff("documents print", async (shop) => ({ path: "/admin/documents", fields: { ids: await sale(shop) } })),
  staff("documents credit", async (shop) => ({
    path: `/admin/documents/${await sale(shop)}`,
    fields: { creditId: newId(), line: "1", take: "1", paymentMode: "CASH" },
  })),
  staff("documents mail", async (shop) => ({
    path: `/admin/documents/${await sale(shop)}`,
    fields: { to: "wren@mail.example" },
  })),
];

const ofEntry = (kind: Kind) => {
  const path = `/admin/${kind}s-management`;
  const fields = ENTRIES[kind];
  const remove = async (shop: FormShop) => {
    const id = await entry(shop, kind);
    await submit(shop, path, { intent: "delete", id }, { token: shop.admin });
    return id;
  };
  return [
    staff(`${kind} add`, async () => ({ path, fields })),
    staff(`${kind} delete`, async (shop) => ({ path, fields: { id: await entry(shop, kind) } })),
    staff(`${kind} restore`, async (shop) => ({ path, fields: { id: await remove(shop) } })),
  ];
};

const productForm = (fields: Record<string, string>): FormData => {
  const form = new FormData();
  const all = {
    ...{ name: `Formed bowl ${next()}`, price: "5.00", stock: "9", category: "OTHERS" },
    ...{ addImages: "https://pictures.example/bowl.jpg", ...fields },
  };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  return form;
};

function productFile(): FormData {
  const form = new FormData();
  form.set("file", new File([`name,price\nUploaded bowl ${next()},5`], "bowls.csv"));
  return form;
}

const UPLOADS = "/admin/products-management?dialog=bulk-upload";
const PRODUCTS = [
  staff("products create", async () => ({ path: "/admin/products-management", fields: productForm({}) })),
  staff("products update", async (shop) => ({
    path: "/admin/products-management",
    fields: productForm({ id: await addProduct(shop) }),
  })),
  staff("products delete", async (shop) => ({
    path: "/admin/products-management",
    fields: { id: await addProduct(shop) },
  })),
  staff("products changeUnits", async () => ({
    path: "/admin/products-management",
    fields: productForm({ act: "count" }),
  })),
  staff("runs undo", async (shop) => {
    const act = { act: "hide", ids: [await addProduct(shop)] };
    const { id } = await post<{ id: string }>(shop, "product/acts", act);
    return { path: `/admin/products-management/runs/${id}/undo`, fields: { id } };
  }),
  staff("codes link", async (shop) => ({
    path: "/admin/codes",
    fields: { unitId: await addProduct(shop), barcode: "4006381333931" },
  })),
  staff("products bulkUpload", async () => ({ path: UPLOADS, fields: productFile() })),
  staff("products planUpload", async () => ({ path: UPLOADS, fields: productFile() })),
  staff("inventory setStock", async (shop) => ({
    path: "/admin/inventory-management",
    fields: { id: await addProduct(shop), stock: "8", was: "9" },
  })),
  staff("inventory release", async (shop) => ({
    path: "/admin/inventory-management",
    fields: { id: await hold(shop) },
  })),
];

const USER = { firstName: "Noor", lastName: "Berg", phoneNumber: "" };
/** Adds an account and returns its id. */
async function account(shop: FormShop): Promise<string> {
  const { token } = await shop.customer();
  const me = await shop.call("/api/auth/me", { token });
  return ((await me.json()) as { id: string }).id;
}

const PEOPLE = [
  ...FACTORS,
  ...INVITATIONS,
  staff("users createUser", async () => ({
    path: "/admin/users-management?dialog=new",
    fields: {
      ...{ ...USER, email: `noor${next()}-${Date.now()}@mail.example`, isUser: "on" },
      ...{ password: "Berg#2026!", confirmPassword: "Berg#2026!" },
    },
  })),
  staff("users updateUser", async (shop) => ({
    path: "/admin/users-management",
    fields: { ...USER, id: await account(shop), boxes: "isManager isAdmin isUser", isUser: "on" },
  })),
  staff("users deleteUser", async (shop) => ({
    path: "/admin/users-management",
    fields: { id: await account(shop) },
  })),
  staff("privacy erase", async (shop) => {
    const { id } = await customer(shop);
    const fields = { customer: id, person: id, confirmed: "on" };
    return { path: `/admin/personal-data?customer=${id}`, fields };
  }),
  staff("privacy keep", async (shop) => {
    const { id } = await customer(shop);
    const path = `/admin/personal-data?customer=${id}`;
    const fields = { intent: "erase", customer: id, person: id, confirmed: "on" };
    await submit(shop, path, fields, { token: shop.admin });
    const page = await (await shop.call(path, { token: shop.admin })).text();
    return { path, fields: { plan: /name="plan" value="([^"]+)"/.exec(page)?.[1] ?? "" } };
  }),
  staff("bookkeeping close", async () => ({
    path: "/admin/bookkeeping?close=LASER",
    fields: { id: "closing-of-forms", businessType: "LASER", until: "2019-03-31" },
  })),
  staff("bookkeeping reopen", async () => ({
    path: "/admin/bookkeeping?reopen=LASER",
    fields: { businessType: "LASER", reason: "A bill came late" },
  })),
];

const INTEGRATIONS = "/admin/integrations";
const newKey = (shop: FormShop) => ({
  ...{ intent: "create-key", name: `Till ${next()}`, scope: "read", currentPassword: shop.password },
});
const newWebhook = (shop: FormShop) => ({
  intent: "create-webhook",
  url: `https://hooks.example.com/${next()}`,
  ...{ events: "stock.low", currentPassword: shop.password },
});

/** Lists the ids of the page's keys or webhooks by the links that end them. */
async function idsOn(shop: FormShop, parameter: "revoke" | "delete"): Promise<string[]> {
  const page = await (await shop.call(INTEGRATIONS, { token: shop.admin })).text();
  return [...page.matchAll(new RegExp(`[?;]${parameter}=([\\w-]+)`, "g"))].map(([, id]) => id ?? "");
}

/** Adds a webhook in place of all others, since a shop has few. @returns its id */
async function onlyWebhook(shop: FormShop): Promise<string> {
  for (const id of await idsOn(shop, "delete"))
    await submit(shop, INTEGRATIONS, { intent: "delete-webhook", id }, { token: shop.admin });
  await submit(shop, INTEGRATIONS, newWebhook(shop), { token: shop.admin });
  return (await idsOn(shop, "delete"))[0] ?? "";
}

async function addKey(shop: FormShop): Promise<string> {
  await submit(shop, INTEGRATIONS, newKey(shop), { token: shop.admin });
  return (await idsOn(shop, "revoke"))[0] ?? "";
}

const ofWebhook = (intent: string) =>
  staff(`integrations ${intent}`, async (shop) => {
    const id = await onlyWebhook(shop);
    if (intent === "enable")
      await submit(shop, INTEGRATIONS, { intent: "disable", id }, { token: shop.admin });
    return { path: INTEGRATIONS, fields: { id } };
  });

const KEYS_AND_WEBHOOKS = [
  staff("integrations create-key", async (shop) => ({ path: INTEGRATIONS, fields: newKey(shop) })),
  staff("integrations revoke-key", async (shop) => ({
    path: INTEGRATIONS,
    fields: { id: await addKey(shop) },
  })),
  staff("integrations create-webhook", async (shop) => ({ path: INTEGRATIONS, fields: newWebhook(shop) })),
  ...["rotate", "disable", "enable", "delete-webhook"].map(ofWebhook),
];

/** Forms of the back office. */
export const STAFF_FORMS = [
  ...[...CUSTOMERS, ...WAITING, ...CONSOLE, ...SALES, ...ofEntry("invoice"), ...ofEntry("expense")],
  ...FILES,
  ...[...PRODUCTS, ...PEOPLE, ...SETTINGS, ...WORDS, ...KEYS_AND_WEBHOOKS],
];
