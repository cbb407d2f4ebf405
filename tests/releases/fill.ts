import { env } from "cloudflare:workers";
import { SHOPIFY_NEW } from "../fixtures/other-shops";
import { messagesOf, postMessage, runTasks, startChat } from "../support/chat";
import { pdfFile, pictureFile, posted, postFiles } from "../support/chat-files";
import { press, submit } from "../support/forms";
import { addEntry } from "../support/ledger";
import { ok } from "../support/operator";
import { importFile } from "../support/product-import";
import { newBrowser } from "../support/push-service";
import { credit, hold, json, registerForTax, sell, sendQuote } from "../support/sales";
import { addUser, call } from "../support/shop";

const PASSWORD = "Password1!";
/** 1 January 2100: holds and sessions of a stored shop never end. */
const NEVER = 4_102_444_800;

type Answer<Field extends string = "id"> = Record<Field, string>;
const made = async <Field extends string = "id">(answer: Promise<Response>) =>
  json<Answer<Field>>(ok(answer));

/** Calls of the API by one person. */
function caller(token: string) {
  const send = (method: string) => (path: string, fields?: unknown) =>
    made(call(path, { method, token, ...(fields !== undefined && { json: fields }) }));
  return { token, post: send("POST"), put: send("PUT"), patch: send("PATCH"), remove: send("DELETE") };
}
type Caller = ReturnType<typeof caller>;

async function signUp(firstName: string, email: string): Promise<Answer<"token">> {
  const json = { firstName, lastName: "Haddad", email, password: PASSWORD };
  const headers = { "CF-Connecting-IP": `10.1.0.${firstName.length}` };
  await ok(call("/api/auth/signup", { json, headers }));
  return made<"token">(call("/api/auth/login", { json: { email, password: PASSWORD }, headers }));
}

async function fillCatalogue({ token, post, put, remove }: Caller) {
  const product = { category: "HOME_DECOR", description: "<p>Made of <b>walnut</b></p>", imageUrls: [] };
  const lamp = await post("/api/product", {
    ...product,
    name: "Walnut lamp ‘Zoë’",
    price: 64,
    stock: 12,
  });
  const tag = await post("/api/product", {
    ...product,
    name: "Key tag",
    price: 16,
    stock: 30,
    colors: ["Walnut", "Steel"],
    optionLabel: "Material",
    hasEngraving: true,
  });
  const form = new FormData();
  form.append("productId", lamp.id);
  form.append("files", pictureFile("opaquePng", "lamp.png"));
  const { objectKeys } = await json<{ objectKeys: string[] }>(
    ok(call("/api/storage/upload", { body: form, token })),
  );
  const gone = await post("/api/product", { ...product, name: "Slate coaster", price: 9, stock: 3 });
  const imageUrls = objectKeys.map((key) => `minio:${key}`);
  const plate = { x: 0.3, y: 0.5, width: 0.3, height: 0.2, angle: 0, tone: "cut", lines: [12, 12] };
  await put(`/api/product/${lamp.id}`, {
    price: 60,
    stock: 11,
    hasEngraving: true,
    imageUrls,
    plates: Object.fromEntries(imageUrls.map((image) => [image, plate])),
  });
  await ok(call(`/api/favourite/${tag.id}`, { method: "PUT" }));
  await remove(`/api/product/${gone.id}`);
  for (const stock of ["+3", "-1"])
    await ok(submit("/admin/inventory-management", { intent: "setStock", id: tag.id, stock }, { token }));
  await importFile(
    token,
    "Name,Price,Stock,Category\nKey tag,17.00,40,OTHERS\nTray,3.00,2,OTHERS\nCup,x,1,OTHERS\n",
  );
  await importFile(token, SHOPIFY_NEW);
  return { lamp: lamp.id, tag: tag.id };
}

/** Saves settings of each group. */
async function fillSettings({ token }: Caller): Promise<void> {
  const day = { day: "2030-12-24", spans: [["10:00", "14:00"]], note: "Early" };
  const weekly = { mon: [], tue: [["10:00", "18:00"]], wed: [], thu: [], fri: [], sat: [], sun: [] };
  const json = { phone: "+1 416 555 0199", hours: { weekly, days: [day] }, headline: "Gifts", quoteDays: 21 };
  await ok(call("/api/settings", { method: "PATCH", json, token }));
}

async function fillLedger({ token, put, remove }: Caller): Promise<void> {
  for (const kind of ["invoice", "expense"] as const) {
    const kept = await addEntry(kind, { description: `Kept “${kind}”, 50\\% 'off'` }, token);
    const deleted = await addEntry(kind, { description: "Deleted", amount: 7.25 }, token);
    const restored = await addEntry(kind, { description: "Restored", businessType: "EMPORIA" }, token);
    await put(`/api/${kind}/${kept.id}`, { amount: 41.5, description: "Changed" });
    for (const { id } of [deleted, restored]) await remove(`/api/${kind}/${id}`);
    await ok(submit(`/admin/${kind}s-management`, { intent: "restore", id: restored.id }, { token }));
  }
}

async function fillCustomers({ post, patch }: Caller): Promise<string> {
  const zoe = await post("/api/customer", {
    name: "Zoë  O’Brien",
    email: "zoe@mail.example",
    notes: "Early",
  });
  const same = await post("/api/customer", { name: "Z. O'Brien", phoneNumber: "647 000 1234" });
  await patch(`/api/customer/${zoe.id}`, { notes: "Late", phoneNumber: "647 000 1234" });
  await post(`/api/customer/${zoe.id}/merge`, { id: same.id });
  return zoe.id;
}

/** Holds, quotes, sales and credit notes, with a chat and without. */
async function fillSales(
  { token, post, patch, remove }: Caller,
  { lamp, tag, customerId }: Record<"lamp" | "tag" | "customerId", string>,
): Promise<void> {
  await registerForTax("EMPORIA");
  const chat = await startChat({ userName: "Ines", initialMessage: "Engrave four coasters?" });
  const until = Math.floor(Date.now() / 1000) + 86_400;
  const [kept, sold, released] = await Promise.all(
    [1, 2, 1].map((quantity) => made(hold(token, { until, lines: [{ productId: lamp, quantity }] }))),
  );
  await patch(`/api/hold/${kept?.id}`, { until: until + 3600 });
  await remove(`/api/hold/${released?.id}`);
  const lines = (amount: number) => [
    { productId: lamp, quantity: 2, amount },
    { description: "Engraving", businessType: "LASER", quantity: 1, amount: 12.35 },
  ];
  const sale = async (fields: Record<string, unknown>) =>
    json<{ documents: Answer[] }>(ok(sell(token, fields)));
  const held = await sale({ holdId: sold?.id, customerId, lines: lines(115), paymentMode: "CASH" });
  await sale({
    customerName: "José Núñez",
    createdAt: { seconds: 1_790_000_000 },
    lines: [{ productId: tag, quantity: 3, amount: 48 }],
  });
  await ok(credit(token, held.documents[0]?.id ?? "", { lines: [{ line: 1, quantity: 1 }], restock: true }));
  await ok(sendQuote(token, chat.chatId));
  const quoted = { chatId: chat.chatId, title: "Two boards" };
  const board = { description: "Board", quantity: 2, amount: 92 };
  const quote = await post("/api/quote", { ...quoted, lines: [{ ...board, material: "Oak" }] });
  await ok(
    call(`/api/quote/${quote.id}`, { method: "PATCH", json: { state: "accepted" }, cookie: chat.cookie }),
  );
  await sale({ quoteId: quote.id, lines: [{ ...board, businessType: "LASER" }] });
  const withdrawn = await post("/api/quote", { ...quoted, lines: [board] });
  await patch(`/api/quote/${withdrawn.id}`, { state: "withdrawn" });
  await runTasks(chat.chatId);
}

/** Chats: with files and answers, closed, of an account, deleted. */
async function fillChats(
  { token, patch, post, remove }: Caller,
  { customer, tag }: Record<"customer" | "tag", string>,
): Promise<void> {
  await patch("/api/chat/settings", { welcomeMessage: "Welcome", isOnline: true, staffShownAs: "name" });
  const hours = await post("/api/chat/responses", { trigger: "hours", response: "9 to 5" });
  await patch(`/api/chat/responses/${hours.id}`, { response: "10 to 6" });
  await remove(
    `/api/chat/responses/${(await post("/api/chat/responses", { trigger: "x", response: "y" })).id}`,
  );
  const ines = await startChat({
    userName: "Ines",
    userEmail: "zoe@mail.example",
    initialMessage: "Your hours?",
    productId: tag,
    quantity: 2,
    color: "Steel",
    engraving: "Zoë",
  });
  await posted(
    await postFiles(ines, [pictureFile("opaquePng", "sketch.png"), pdfFile("é.pdf")], {
      message: "Like these",
    }),
  );
  await ok(postMessage(ines.chatId, "Lovely, Ines", { token }, { isFromAdmin: true }));
  await ok(postMessage(ines.chatId, "Thank you", ines));
  await ok(call(`/api/chat/${ines.chatId}/read`, { method: "PATCH", token, json: { isAdmin: true } }));
  const console = await (await call(`/admin/chat?chat=${ines.chatId}`, { token })).text();
  await ok(press(console, /^Link$/, {}, { token }));
  const own = await startChat({ initialMessage: "About my order" }, { token: customer });
  await patch(`/api/chat/${own.chatId}`, { state: "closed" });
  const deleted = await startChat({ userName: "Mateo", initialMessage: "Hello" });
  await remove(`/api/chat/${deleted.chatId}`);
  const subscription = { ...newBrowser().subscription, chatId: ines.chatId };
  await ok(call("/api/push", { json: subscription, cookie: ines.cookie }));
  await messagesOf(ines.chatId, ines);
  for (const { chatId } of [ines, own]) await runTasks(chatId);
}

async function fillIntegrations({ token }: Caller): Promise<void> {
  const press = (fields: Record<string, string>) => ok(submit("/admin/integrations", fields, { token }));
  const url = "https://hooks.example.com/emporia";
  for (const events of ["sale.recorded", "stock.low"])
    await press({ intent: "create-webhook", url, events, lowStock: "5", currentPassword: PASSWORD });
  await press({ intent: "create-key", name: "Till", scope: "write", currentPassword: PASSWORD });
}

async function fillAccounts({ token, put, remove }: Caller, products: string[]): Promise<string> {
  const noor = await signUp("Noor", "noor@mail.example");
  const mina = await signUp("Mina-Li", "mina@mail.example");
  await signUp("Kwame", "kwame@mail.example");
  const own = caller(noor.token);
  for (const id of products) await own.put(`/api/favourite/${id}`);
  await own.remove(`/api/favourite/${products[0]}`);
  const people = await json<{ id: string; email: string }[]>(ok(call("/api/user/all", { token })));
  const idOf = (email: string) => people.find((person) => person.email === email)?.id ?? "";
  await put(`/api/user/${idOf("noor@mail.example")}`, { phoneNumber: "647 000 9876" });
  await remove(`/api/user/${idOf("kwame@mail.example")}`);
  await ok(call("/api/auth/forgot-password", { json: { email: "noor@mail.example" } }));
  const data = await (await call("/account?tab=data&delete=1", mina)).text();
  await ok(press(data, /^Delete my account$/, { currentPassword: PASSWORD }, mina));
  return noor.token;
}

/** Lists and figures that don't depend on the day on which they are read. */
const answered = (year: number) => [
  "/api/auth/me",
  "/api/chat",
  "/api/expense/all",
  "/api/expense/totalExpensesAmount",
  `/api/expense/year/${year}`,
  "/api/invoice/all",
  "/api/sale",
  `/api/sale/year/${year}`,
  "/api/user/all",
];

/** Facts by which a restored shop is asked. */
export interface Facts {
  /** Bearer token of an admin. */
  token: string;
  /** Answers to them, by path. */
  answers: Record<string, Record<string, unknown>>;
}

/** Fills a shop by the calls that people make, with rows in nearly every table. */
export async function fillShop(): Promise<Facts> {
  const { email, password } = await addUser({ id: "owner", email: "owner@mail.example", isAdmin: true });
  const { token } = await made<"token">(call("/api/auth/login", { json: { email, password } }));
  const owner = caller(token);
  await fillIntegrations(owner);
  const products = await fillCatalogue(owner);
  const customer = await fillAccounts(owner, Object.values(products));
  await fillSettings(owner);
  await fillLedger(owner);
  await fillSales(owner, { ...products, customerId: await fillCustomers(owner) });
  await fillChats(owner, { customer, tag: products.tag });
  await env.DB.prepare("UPDATE sessions SET expires_at = ?").bind(NEVER).run();
  const answers = await Promise.all(
    answered(new Date().getUTCFullYear()).map(
      async (path) => [path, await json<Record<string, unknown>>(ok(call(path, { token })))] as const,
    ),
  );
  return { token, answers: Object.fromEntries(answers) };
}
