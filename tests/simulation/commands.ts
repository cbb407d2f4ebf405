import { HAPPENINGS } from "./happenings";
import type { Act, Model } from "./model";
import { ITEMS, PRODUCTS, SELLERS } from "./runtime/fixture";

/** Numbers from which a command chooses. */
export type Choices = [number, number, number];

/** Command of a history. One that has nothing to act on does nothing. */
export type Command = (model: Model, choices: Choices) => Promise<unknown>;

const product = (n: number) => PRODUCTS[n % PRODUCTS.length] ?? "lamp";
const item = (n: number) => ITEMS[n % ITEMS.length] ?? { productId: "lamp" };
const PAYMENTS = ["CASH", "CARD", "EMT"];
const MINUTE_MS = 60_000;
/** Time before the end of a quote, in which a decision may be slow. */
const SOON_MS = 2000;

type Call = Pick<Act["request"], "method" | "path" | "json" | "form">;

/** Lets a seller do something for the first time. */
const bySeller = (model: Model, who: number, kind: Act["kind"], call: Call, id?: string) =>
  model.send(model.begin(kind, model.seller(who), call, id));

/** Returns the time that is some minutes ahead. */
const inMinutes = (model: Model, minutes: number) =>
  new Date(model.world.scheduler.now + (minutes + 1) * MINUTE_MS).toISOString();

/** Returns one of the holds or quotes that are known, with its chat, product, and end in epoch milliseconds. */
function known(model: Model, kind: "hold" | "quote", n: number) {
  const act = model.act(kind, n);
  const { chatId, validUntil, lines } = (act?.request.json ?? {}) as {
    chatId?: string;
    validUntil?: string;
    lines?: { productId?: string }[];
  };
  return {
    id: act?.id,
    chatId,
    end: Date.parse(validUntil ?? "1970-01-01"),
    product: lines?.[0]?.productId,
    visitor: model.visitors.find(({ chatIds }) => chatId && chatIds.includes(chatId)),
  };
}

/** Names what a sale comes from: nothing, a chat, a hold, a quote or a customer. */
function sourceOf(model: Model, which: number): Record<string, unknown> {
  const n = Math.floor(which / 5);
  const sources = [
    () => ({}),
    () => ({ chatId: model.chat(n)?.id }),
    () => ({ holdId: known(model, "hold", n).id }),
    () => ({ quoteId: known(model, "quote", n).id }),
    () => ({ customerId: model.customers[n % model.customers.length] }),
  ];
  return sources[which % sources.length]?.() ?? {};
}

const VISITORS: Record<string, Command> = {
  async open(model, [who, what]) {
    const visitor = model.visitor(who);
    const key = model.newId("key").replace(/\D/g, "").padStart(32, "0");
    const json = { userName: visitor.name, initialMessage: `Hello ${what}`, key, continue: what % 3 === 0 };
    const request = { method: "POST", path: "/api/chat/create", json };
    await remember(model, model.begin("open", visitor, request));
  },

  async send(model, [which, text]) {
    const chat = model.chat(which);
    if (!chat) return;
    const id = model.newId("message");
    const json = {
      id,
      chatId: chat.id,
      message: `Text ${text} as ${id}`,
      isFromAdmin: false,
      senderName: "",
    };
    await model.send(
      model.begin("message", chat.visitor, { method: "POST", path: "/api/chat/message", json }, id),
    );
  },

  async sendFile(model, [which, page]) {
    const chat = model.chat(which);
    if (!chat) return;
    const id = model.newId("message");
    const message = `Page ${page} as ${id}`;
    const file = { name: `${id}.pdf`, text: `%PDF-1.4 ${page}\n%%EOF\n`, type: "application/pdf" };
    const form = { id, chatId: chat.id, message, isFromAdmin: "false", senderName: "", files: file };
    const call = { method: "POST", path: "/api/chat/message", form, json: undefined };
    await model.send(model.begin("message", chat.visitor, call, id));
  },

  look: (model, [who, what]) => model.look(model.visitor(who), product(what)),

  async sendAgain(model, [which]) {
    const act = which % 3 === 0 ? model.act("open", which, false) : model.act("message", which, false);
    if (act?.kind === "open") await remember(model, act);
    else if (act) await model.send(act);
  },

  async acceptTwice(model, [which, how]) {
    const { id, visitor, end } = known(model, "quote", which);
    if (!id || !visitor) return;
    // Some expire while they are being decided.
    if (how % 2 === 0) model.setClock(end - SOON_MS);
    const json = { state: how % 4 === 0 ? "declined" : "accepted" };
    const act = model.begin("decision", visitor, { method: "PATCH", path: `/api/quote/${id}`, json });
    await Promise.all([model.send(act), model.send(act)]);
  },

  async release(model, [which, who]) {
    const { id, visitor, product } = known(model, "hold", which);
    if (!id) return;
    const by = who % 2 === 0 && visitor ? visitor : model.seller(who);
    const act = model.begin("release", by, { method: "DELETE", path: `/api/hold/${id}` }, `release-${id}`);
    await model.send(act);
    if (by === visitor && product) await model.look(visitor, product);
  },
};

/** Starts a chat, which its visitor knows from then on. */
async function remember(model: Model, act: Act): Promise<void> {
  const answer = await model.send(act);
  if (answer?.status !== 201 || "token" in act.by) return;
  const { chatId } = JSON.parse(answer.text) as { chatId: string };
  if (!act.by.chatIds.includes(chatId)) act.by.chatIds.push(chatId);
}

const SALES: Record<string, Command> = {
  async answer(model, [which, who, text]) {
    const chat = model.chat(which);
    if (!chat) return;
    const id = model.newId("message");
    const json = {
      id,
      chatId: chat.id,
      message: `Answer ${text} as ${id}`,
      isFromAdmin: true,
      senderName: "",
    };
    await bySeller(model, who, "message", { method: "POST", path: "/api/chat/message", json }, id);
  },

  async hold(model, [who, what, how]) {
    const id = model.newId("hold");
    const chatId = how % 3 === 0 ? undefined : model.chat(how)?.id;
    const lines = [{ ...item(what), quantity: (how % 3) + 1 }];
    const json = { id, chatId, until: inMinutes(model, how), lines };
    await bySeller(model, who, "hold", { method: "POST", path: "/api/hold", json }, id);
  },

  async extend(model, [who, which, minutes]) {
    const { id } = known(model, "hold", which);
    const json = { until: inMinutes(model, minutes) };
    if (id) await bySeller(model, who, "other", { method: "PATCH", path: `/api/hold/${id}`, json });
  },

  async quote(model, [who, which, how]) {
    const chat = model.chat(which);
    if (!chat) return;
    const id = model.newId("quote");
    // Some expire while they are being decided.
    const validUntil = how % 2 === 0 ? inMinutes(model, 0) : inMinutes(model, how);
    const asked = how % 3 === 0 ? item(which) : {};
    const lines = [{ ...asked, description: "Plate", quantity: 2, amount: "20.00" }];
    const json = { id, chatId: chat.id, title: "Plates", lines, validUntil };
    await bySeller(model, who, "quote", { method: "POST", path: "/api/quote", json }, id);
  },

  async recordSale(model, [who, what, how]) {
    const id = model.newId("sale");
    const discount = [undefined, { percent: 15 }, { amount: "1.05" }][Math.floor(how / 3) % 3];
    const line = { quantity: (how % 3) + 1, amount: "10.05", discount };
    const lines = [{ ...item(what), ...line }, ...(how % 4 === 0 ? [{ ...item(what + 1), ...line }] : [])];
    const json = { id, paymentMode: PAYMENTS[how % 3], lines, ...sourceOf(model, what + how) };
    await bySeller(model, who, "sale", { method: "POST", path: "/api/sale", json }, id);
  },

  async recordAgain(model, [which, kind]) {
    const kinds = ["sale", "sale", "credit", "correction", "deposit", "hold", "quote"] as const;
    const act = model.act(kinds[kind % kinds.length] ?? "sale", which, false);
    if (act) await model.send(act);
  },

  async mailReceipt(model, [who, which]) {
    const sale = model.act("sale", which);
    if (!sale) return;
    const id = model.newId("mail");
    const json = { to: `${id}@example.com`, mailId: id };
    await bySeller(model, who, "mail", { method: "POST", path: `/api/sale/${sale.id}/mail`, json }, id);
  },

  async credit(model, [who, which, how]) {
    const sale = model.act("sale", which);
    if (!sale) return;
    const id = model.newId("credit");
    const lines = how % 3 === 0 ? undefined : [{ line: 1, quantity: (how % 2) + 1 }];
    const json = { id, lines, restock: how % 2 === 0, paymentMode: PAYMENTS[how % 3] };
    await bySeller(model, who, "credit", { method: "POST", path: `/api/sale/${sale.id}/credit`, json }, id);
  },

  async correct(model, [who, which, how]) {
    const sale = model.act("sale", which);
    if (!sale) return;
    const id = model.newId("correction");
    const [first, ...others] = (sale.request.json as { lines: Record<string, unknown>[] }).lines;
    // Another price, other pieces or another item.
    const another = { unitId: undefined, ...item(how) };
    const changed = [{ amount: "12.00" }, { quantity: (how % 2) + 1 }, another][how % 3];
    const lines = [{ ...first, ...changed }, ...others];
    const json = { id, lines, restock: how % 4 !== 0, paymentMode: PAYMENTS[who % 3] };
    const path = `/api/sale/${sale.id}/correct`;
    await bySeller(model, who, "correction", { method: "POST", path, json }, id);
  },

  async deposit(model, [who, which, how]) {
    const quote = known(model, "quote", which);
    if (!quote.id) return;
    const id = model.newId("deposit");
    const json = {
      id,
      amount: how % 4 === 0 ? "-5.00" : "15.00",
      mode: PAYMENTS[how % 3],
      accept: how % 2 === 0,
    };
    const path = `/api/quote/${quote.id}/payment`;
    await bySeller(model, who, "deposit", { method: "POST", path, json }, id);
  },
};

/** Plans the deletion of a customer's data, as they have asked. */
async function planDeletion(model: Model, [which]: Choices): Promise<void> {
  const customer = model.customers[which % model.customers.length] ?? "";
  const url = `http://localhost/?customer=${customer}`;
  const path = `/simulation/person?${new URLSearchParams({ url })}`;
  const page = await model.send(model.begin("other", SELLERS[0], { method: "GET", path }));
  if (page?.status !== 200) return;
  const { key } = JSON.parse(page.text) as { key: string };
  const json = { customer, person: key, confirmed: "on" };
  await bySeller(model, 0, "other", { method: "POST", path: "/simulation/erase", json });
}

/** Builds a file of a product and of a new one; that of the product with options has its units, and now and then another. */
function fileOf(id: string, n: number): string {
  const stock = 10 + (n % 5);
  if (id !== "ring")
    return `name,price,stock,category\n${id},12.00,${stock},OTHERS\nNew ${n},3.00,4,OTHERS\n`;
  const colours = ["Moss", "Sand", ...(n % 3 === 0 ? [`Blue${n % 2}`] : [])];
  const rows = colours.map(
    (colour, at) => `ring,${at === 0 ? "ring,Colour" : ","},${colour},12.00,${stock + at}`,
  );
  return `Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty\n${rows.join("\n")}\n`;
}

const OFFICE: Record<string, Command> = {
  async editStock(model, [who, what, stock]) {
    const id = product(what);
    const units = model.world.d1.query<{ id: string; stock: number }>(
      "SELECT id, stock FROM units WHERE product_id = ? ORDER BY position, id",
      id,
    );
    // Never fewer: a shop that has counted fewer pieces than are on hold may say so.
    const counted = (row: { stock: number }) => ({ stock: row.stock + (stock % 4), stockWas: row.stock });
    const changed = units.map((unit, at) => ({
      id: unit.id,
      ...(at === stock % units.length && counted(unit)),
    }));
    const json = id === "ring" ? { units: changed } : counted(units[0] ?? { stock: 0 });
    await bySeller(model, who, "other", { method: "PUT", path: `/api/product/${id}`, json });
  },

  async import(model, [who, what, stock]) {
    const form = { file: { name: "products.csv", text: fileOf(product(what), stock) } };
    await bySeller(model, who, "import", { method: "POST", path: "/api/product/bulk-upload", form });
  },

  async undo(model, [who, which]) {
    const imported = model.act("import", which);
    if (!imported) return;
    const { runId } = imported.success as { runId: string };
    const path = `/api/product/bulk-upload/${runId}/undo`;
    await bySeller(model, who, "undo", { method: "POST", path });
  },

  async addCustomer(model, [who, which]) {
    const id = model.newId("customer");
    const json = {
      id,
      name: `Customer ${which}`,
      chatId: which % 2 === 0 ? undefined : model.chat(which)?.id,
    };
    const answer = await bySeller(
      model,
      who,
      "customer",
      { method: "POST", path: "/api/customer", json },
      id,
    );
    if (answer?.status === 201) model.customers.push(id);
  },

  async merge(model, [who, kept, other]) {
    const pick = (n: number) => model.customers[n % model.customers.length];
    const json = { id: pick(other) };
    if (who % 3 === 0) void planDeletion(model, [other, who, kept]);
    await bySeller(model, who, "merge", { method: "POST", path: `/api/customer/${pick(kept)}/merge`, json });
  },

  planDeletion,

  async deleteChat(model, [which, who]) {
    const chat = which % 3 === 0 ? model.chat(which) : undefined;
    if (chat) await model.deleteChat(chat.id, model.seller(who));
  },

  async read(model, [who, what]) {
    const paths = [
      "sale",
      "customer",
      "chat",
      "product/lamp/movements",
      "product/ring/movements",
      "user/all",
    ];
    await bySeller(model, who, "other", { method: "GET", path: `/api/${paths[what % paths.length]}` });
  },

  readRights: (model) => model.readRights(),
  demote: (model, [value]) => model.setRight("isManager", value % 2 === 0),
  lock: (model, [value]) => model.setRight("isUser", value % 2 === 0),
};

export const COMMANDS: Record<string, Command> = { ...VISITORS, ...SALES, ...OFFICE, ...HAPPENINGS };
