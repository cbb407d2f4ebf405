import {
  addProduct,
  type FormShop,
  hold,
  newId,
  next,
  type Person,
  quote,
  shopper,
  startChat,
  submit,
  withCookies,
} from "./shop.ts";

/** A cart with one product, in the shopper's cookie. */
async function filledCart(shop: FormShop, shopper: Person): Promise<{ id: string; by: Person }> {
  const id = await addProduct(shop);
  const answer = await submit(shop, "/cart", { intent: "add", id, quantity: "1" }, shopper);
  return { id, by: withCookies(shopper, answer) };
}

const inCart = (intent: string, fields: Record<string, string> = {}, path = "/cart") =>
  shopper(`cart ${intent}`, async (shop, by) => {
    const { id, by: own } = await filledCart(shop, by);
    return { path, fields: { id, ...fields }, by: own };
  });

const CART = [
  inCart("add", { quantity: "1" }),
  inCart("set", { quantity: "2" }),
  inCart("options"),
  inCart("remove"),
  inCart("clear"),
  inCart("chat"),
  inCart("message"),
  shopper("cart restore", async (shop, by) => {
    const { by: own } = await filledCart(shop, by);
    const cleared = await submit(shop, "/cart", { intent: "clear" }, own);
    return { path: "/cart", fields: {}, by: withCookies(by, cleared) };
  }),
];

/** Adds a favourite and returns who has it. */
async function favourite(shop: FormShop, by: Person) {
  const productId = await addProduct(shop);
  const answer = await submit(shop, "/favourites", { intent: "add", productId }, by);
  return { productId, by: withCookies(by, answer) };
}

const FAVOURITES = [
  shopper("favourites add", async (shop, by) => ({
    ...{ path: "/favourites", fields: { productId: await addProduct(shop) } },
    by: (await favourite(shop, by)).by,
  })),
  shopper("favourites remove", async (shop, by) => {
    const { productId, by: own } = await favourite(shop, by);
    return { path: "/favourites", fields: { productId }, by: own };
  }),
];

const RESTOCK = [
  shopper("product restock", async (shop) => {
    const id = await addProduct(shop, 0);
    return { path: `/products/${id}`, fields: { email: `waits${next()}@mail.example` } };
  }),
  // One that has ended already is answered alike.
  shopper("product stopWaiting", async (shop) => ({
    path: `/products/${await addProduct(shop, 0)}`,
    fields: { request: newId() },
  })),
  shopper("purchases stopWaiting", async () => ({ path: "/purchases", fields: { request: newId() } })),
];

type ChatFields = (chatId: string, shop: FormShop) => Promise<Record<string, string>>;

const toChat = (name: string, fields: ChatFields, only?: "visitors") =>
  shopper(
    name,
    async (shop, by) => {
      const { chatId, by: own } = await startChat(shop, by);
      return { path: `/chat/${chatId}`, fields: await fields(chatId, shop), by: own };
    },
    only,
  );

const CHAT = [
  shopper("conversation start", async () => ({
    path: "/chat?index",
    fields: { initialMessage: "Do you engrave?", userName: "Ines" },
  })),
  shopper("conversation ask", async (shop) => ({
    path: "/chat?index",
    fields: { id: await addProduct(shop) },
  })),
  shopper("conversation favourites", async (shop, by) => ({
    ...{ path: "/chat?index", fields: {} },
    by: (await favourite(shop, by)).by,
  })),
  shopper("conversation product", async (shop) => ({
    path: "/chat?index",
    fields: { id: await addProduct(shop), quantity: "1" },
  })),
  toChat("chat write", async (chatId) => ({
    chatId,
    message: "And in oak?",
    senderName: "Ines",
    id: newId(),
  })),
  // An account has a name and an address.
  toChat("chat introduce", async (chatId) => ({ chatId, userName: "Ines Carvalho" }), "visitors"),
  toChat("chat skip", async (chatId) => ({ chatId, question: "userEmail" })),
  toChat("cards releaseHold", async (chatId, shop) => ({ id: await hold(shop, { chatId }) })),
  toChat("cards decideQuote", async (chatId, shop) => ({ id: await quote(shop, chatId), state: "accepted" })),
];

const PASSWORD = "Another-word-7";

const SIGN_IN = [
  shopper("login signIn", async (shop, by) => {
    const { email } = await shop.customer();
    return { path: "/login", fields: { email, password: shop.password }, by };
  }),
  shopper("signup signUp", async (_, by) => ({
    path: "/signup",
    fields: {
      ...{ firstName: "Ada", lastName: "Moss", email: `ada${next()}-${Date.now()}@mail.example` },
      ...{ username: "adamoss", phone: "4165550199", agreeToTerms: "on" },
      ...{ password: PASSWORD, confirmPassword: PASSWORD },
    },
    by,
  })),
  shopper("resetPassword forgot", async (shop) => ({
    path: "/resetPassword",
    fields: { email: (await shop.customer()).email },
  })),
];

/** Forms of customers who have just signed up, since they change or end their account. */
const ofNewCustomer = (
  name: string,
  path: string,
  fields: (customer: { email: string }, shop: FormShop) => Record<string, string>,
  before?: Record<string, string>,
) =>
  shopper(
    name,
    async (shop) => {
      const { token, email } = await shop.customer();
      if (before) await submit(shop, path, { ...before, currentPassword: shop.password }, { token });
      return { path, fields: fields({ email }, shop), by: { token } };
    },
    "customers",
  );

const ACCOUNT = [
  ofNewCustomer("account profile", "/account", ({ email }) => ({
    ...{ firstName: "Ada", lastName: "Moss", email, phoneNumber: "" },
  })),
  ofNewCustomer("account password", "/account", (_, { password }) => ({
    ...{ currentPassword: password, newPassword: PASSWORD, confirmPassword: PASSWORD },
  })),
  ofNewCustomer("account download", "/account", (_, { password }) => ({ currentPassword: password })),
  ofNewCustomer("account delete", "/account", (_, { password }) => ({ currentPassword: password })),
  ofNewCustomer("account keep", "/account", () => ({}), { intent: "delete" }),
  ofNewCustomer("logout", "/logout", () => ({})),
];

/** Forms of shoppers. */
export const SHOPPER_FORMS = [...CART, ...FAVOURITES, ...RESTOCK, ...CHAT, ...SIGN_IN, ...ACCOUNT];
