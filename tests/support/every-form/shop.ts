// What the forms of all pages share. Each is sent once with a success; what it needs is made through the API, so that tests in
// workerd and the benchmark, which measures a served shop, send the same.

/** Request options that both have. */
export interface Options {
  method?: string;
  json?: unknown;
  body?: URLSearchParams | FormData;
  headers?: Record<string, string>;
  token?: string;
  cookie?: string;
}

/** Person who sends a form. */
export type Person = Pick<Options, "token" | "cookie">;

/** Shop in which forms are sent. */
export interface FormShop {
  call(path: string, options?: Options): Promise<Response>;
  /** Token of an admin, and their password. */
  admin: string;
  password: string;
  /** Signs a new customer up. */
  customer(): Promise<{ token: string; email: string }>;
}

/** Form as it is sent. */
export interface Sent {
  path: string;
  fields: Record<string, string> | FormData;
  by: Person;
}

export interface FormCase {
  /** Module that declares the form, or its route, and the intent. */
  name: string;
  /** Sent by a signed-in shopper alone, or by one who is not; by both without it. */
  only?: "customers" | "visitors" | undefined;
  prepare(shop: FormShop, shopper: Person): Promise<Sent>;
}

let made = 0;
/** Returns a number that no other subject has. */
export const next = () => ++made;

export const cookiesIn = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Adds the cookies of an answer to those of a person. */
export const withCookies = (by: Person, answer: Response): Person => ({
  ...by,
  cookie: [by.cookie, cookiesIn(answer)].filter(Boolean).join("; "),
});

export async function post<T>(shop: FormShop, path: string, json: object, by?: Person): Promise<T> {
  const answer = await shop.call(`/api/${path}`, { json, ...(by ?? { token: shop.admin }) });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

export const submit = (shop: FormShop, path: string, fields: Record<string, string>, by: Person) =>
  shop.call(path, { body: new URLSearchParams(fields), ...by });

export const addProduct = async (shop: FormShop, stock = 9): Promise<string> => {
  const fields = { name: `Measured bowl ${next()}`, price: 5, stock, category: "OTHERS", imageUrls: [] };
  return (await post<{ id: string }>(shop, "product", fields)).id;
};

/** Starts a chat about nothing. An address of its own keeps it within the rate limit. */
export async function startChat(shop: FormShop, shopper: Person): Promise<{ chatId: string; by: Person }> {
  const answer = await shop.call("/api/chat/create", {
    json: { initialMessage: "Hello" },
    headers: address(),
    ...shopper,
  });
  const { chatId } = (await answer.json()) as { chatId: string };
  return { chatId, by: withCookies(shopper, answer) };
}

const address = () => ({ "CF-Connecting-IP": `2001:db8:77:${next().toString(16)}::1` });
export const newId = () => crypto.randomUUID() as string;

export const inTwoDays = () => (Math.floor(Date.now() / 1000) + 2 * 86_400) * 1000;
export async function hold(shop: FormShop, fields: object = {}): Promise<string> {
  const lines = [{ productId: await addProduct(shop), quantity: 1 }];
  return (await post<{ id: string }>(shop, "hold", { until: inTwoDays(), lines, ...fields })).id;
}
export async function quote(shop: FormShop, chatId: string): Promise<string> {
  const lines = [{ description: "Sign", quantity: 1, amount: 5 }];
  return (await post<{ id: string }>(shop, "quote", { chatId, title: "Sign", lines })).id;
}
type Fields = Sent["fields"];
type Prepared = Promise<{ path: string; fields: Fields; by?: Person }>;

/** Form of a shopper, signed in or not. */
export const shopper = (
  name: string,
  prepare: (shop: FormShop, by: Person) => Prepared,
  only?: FormCase["only"],
): FormCase => ({
  name,
  only,
  async prepare(shop, by) {
    const { path, fields, by: own = by } = await prepare(shop, by);
    return { path, fields: withIntent(name, fields), by: own };
  },
});

/** Form of an admin. */
export const staff = (name: string, prepare: (shop: FormShop) => Prepared): FormCase => ({
  name,
  async prepare(shop) {
    const { path, fields } = await prepare(shop);
    return { path, fields: withIntent(name, fields), by: { token: shop.admin } };
  },
});

function withIntent(name: string, fields: Fields): Fields {
  const intent = name.split(" ").at(-1) ?? "";
  if (!(fields instanceof FormData)) return { intent, ...fields };
  fields.set("intent", intent);
  return fields;
}

/** Records a sale. @returns id of its document */
export async function sale(shop: FormShop): Promise<string> {
  const lines = [{ description: "Tray", quantity: 3, amount: 30, businessType: "EMPORIA" }];
  const body = { paymentMode: "CARD", lines };
  return (await post<{ documents: [{ id: string }] }>(shop, "sale", body)).documents[0].id;
}

/** Names the fields of the first line of a form. */
export const line = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`lines[0].${name}`, value]));
