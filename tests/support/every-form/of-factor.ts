import { Secret, TOTP } from "otpauth";
import { cookiesIn, type FormCase, type FormShop, next, type Person, submit } from "./shop.ts";

const PATH = "/account?tab=factor";
const keyIn = (html: string) => (/factor-key">([A-Z2-7 ]+)</.exec(html)?.[1] ?? "").replaceAll(" ", "");

/** Returns the code that is shown in a number of half minutes. */
const codeOf = (secret: string, ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 30_000 });

interface Colleague {
  id: string;
  email: string;
  by: Person;
}

/** Makes a customer a seller. */
async function colleague(shop: FormShop): Promise<Colleague> {
  const { token, email } = await shop.customer();
  const { id } = (await (await shop.call("/api/auth/me", { token })).json()) as { id: string };
  await shop.call(`/api/user/${id}`, { method: "PUT", json: { isSeller: true }, token: shop.admin });
  return { id, email, by: { token } };
}

/** Begins to set up the second factor of a colleague. */
async function begun(shop: FormShop): Promise<Colleague & { secret: string }> {
  const who = await colleague(shop);
  const fields = { intent: "factorBegin", currentPassword: shop.password };
  const answer = await submit(shop, PATH, fields, who.by);
  const by = { ...who.by, cookie: cookiesIn(answer) };
  return { ...who, by, secret: keyIn(await (await shop.call(PATH, by)).text()) };
}

/** Sets up the second factor of a colleague. */
async function withFactor(shop: FormShop): Promise<Colleague & { secret: string }> {
  const who = await begun(shop);
  await submit(shop, PATH, { intent: "factorConfirm", code: codeOf(who.secret) }, who.by);
  return who;
}

type Prepare = (shop: FormShop) => Promise<{ fields: Record<string, string>; by: Person; path?: string }>;

/** Form that a colleague sends about their own second factor. */
const own = (name: string, prepare: Prepare): FormCase => ({
  name,
  async prepare(shop) {
    const { fields, by, path = PATH } = await prepare(shop);
    return { path, by, fields: { intent: name.split(" ").at(-1) ?? "", ...fields } };
  },
});

/** Forms about the second factor of staff. */
export const FACTORS = [
  own("account factorBegin", async (shop) => {
    const { by } = await colleague(shop);
    return { fields: { currentPassword: shop.password }, by };
  }),
  own("account factorCancel", async (shop) => ({ fields: {}, by: (await begun(shop)).by })),
  own("account factorConfirm", async (shop) => {
    const { by, secret } = await begun(shop);
    return { fields: { code: codeOf(secret) }, by };
  }),
  ...["factorCodes", "factorOff"].map((act) =>
    own(`account ${act}`, async (shop) => {
      const { by, secret } = await withFactor(shop);
      return { fields: { currentPassword: shop.password, code: codeOf(secret, 1) }, by };
    }),
  ),
  own("login code", async (shop) => {
    const { email, secret } = await withFactor(shop);
    const fields = { intent: "signIn", email, password: shop.password };
    const answer = await shop.call("/login", {
      body: new URLSearchParams(fields),
      headers: { "CF-Connecting-IP": `2001:db8:78:${next().toString(16)}::1` },
    });
    return { fields: { code: codeOf(secret, 1) }, by: { cookie: cookiesIn(answer) }, path: "/login?code=1" };
  }),
  own("users resetFactor", async (shop) => {
    const { id } = await withFactor(shop);
    return { fields: { id }, by: { token: shop.admin }, path: "/admin/users-management" };
  }),
];
