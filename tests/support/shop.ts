import { env } from "cloudflare:workers";
import { scryptSync } from "node:crypto";
import { drizzle } from "drizzle-orm/d1";
import { products, users } from "~/db/schema";
import { identityKey, sortKey } from "~/db/text";
import { emailKey } from "~/http/email-address";
import { randomToken, sha256 } from "~/session/tokens.server";
import { expectDocumented } from "./api-answers";
import { send } from "./worker";

export const ORIGIN = "http://localhost:8787";

/** Options of a request besides its path. */
export interface CallOptions {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Bearer token. */
  token?: string;
  cookie?: string;
}

/** Bookmark of the last write by its browser's cookies. */
const bookmarks = new Map<string, string>();
const BOOKMARK = /(?:^|; )(emporia_bookmark=[^;]*)/;

/** Adds the browser's bookmark, which it got after those cookies. */
const withBookmark = (cookie: string) => {
  const bookmark = bookmarks.get(cookie);
  return bookmark ? [cookie.replace(BOOKMARK, ""), bookmark].filter(Boolean).join("; ") : cookie;
};

/**
 * Sends a request through the whole Worker, like a client that follows no redirects. Answers of the API are compared
 * with its OpenAPI document. Of the cookies that answers set, D1's bookmark alone is kept for the next request.
 *
 * @param path with query, such as "/api/product/all?sort=name-asc"
 */
export async function call(
  path: string,
  { method, json, body, headers = {}, token, cookie }: CallOptions = {},
): Promise<Response> {
  const all = new Headers(headers);
  if (json !== undefined) all.set("Content-Type", "application/json");
  if (token) all.set("Authorization", `Bearer ${token}`);
  if (cookie) {
    all.set("Cookie", withBookmark(cookie));
    if (!all.has("Origin")) all.set("Origin", ORIGIN);
  }
  const sent = json === undefined ? body : JSON.stringify(json);
  const init = {
    method: method ?? (sent === undefined ? "GET" : "POST"),
    headers: all,
    body: sent ?? null,
    redirect: "manual",
  };
  const answer = await send(new Request(ORIGIN + path, init as RequestInit));
  const [, bookmark] = BOOKMARK.exec(cookiesOf(answer)) ?? [];
  if (cookie && bookmark) bookmarks.set(cookie, bookmark);
  await expectDocumented(init.method, path, answer);
  return answer;
}

/** Returns the cookies that an answer sets, as a `Cookie` header. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/**
 * Inserts rows into a table.
 *
 * @param rows values by column; all have the columns of the first
 */
export async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((name) => `value ->> '${name}'`).join(", ");
  await env.DB.prepare(`INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

/** Stores objects as images without an upload. @param keys such as "products/a.jpg" */
export async function storeImages(...keys: string[]): Promise<void> {
  for (const key of keys) await env.BUCKET.put(key, "x", { httpMetadata: { contentType: "image/jpeg" } });
}

/** Number of created rows, for unique ids. */
let created = 0;

type ProductRow = typeof products.$inferInsert;

/** Adds a product with defaults for missing fields. @returns its id */
export async function addProduct(
  product: Partial<Omit<ProductRow, "category">> & { category?: string } = {},
): Promise<string> {
  created++;
  const { id = `product-${created}`, name = `Thing number ${created}`, category = "OTHERS" } = product;
  const defaults = {
    priceCents: 1000,
    stock: 5,
    shuffle: created * 1000,
    createdAt: 1_790_000_000 + created,
    updatedAt: 1_790_000_000,
    nameKey: identityKey(name),
    sortKey: sortKey(name),
  };
  const row = { ...defaults, ...product, id, name, category: category as ProductRow["category"] };
  await drizzle(env.DB).insert(products).values(row);
  return id;
}

/** Sets a product's stock with an adjustment. */
export async function setStock(id: string, stock: number): Promise<void> {
  const change = JSON.stringify({ id: `change-${++created}`, reason: "adjustment", actor: "" });
  await env.DB.prepare("UPDATE products SET stock = ?, stock_change = ? WHERE id = ?")
    .bind(stock, change, id)
    .run();
}

/** Hashes a password with the smallest parameters that verifyPassword accepts; the shop's take 250 ms. */
function quickHash(password: string): string {
  const [N, r, p] = [2, 1, 1];
  const salt = Buffer.alloc(16);
  const hash = scryptSync(password.normalize("NFC"), salt, 32, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Adds a user who can sign in. @returns id, e-mail address and password */
export async function addUser(user: Partial<typeof users.$inferInsert> & { password?: string } = {}) {
  created++;
  const { password = "Password1!", ...fields } = user;
  const { id = `user-${created}`, email = `person${created}@mail.example` } = user;
  const { firstName = "Pat", lastName = "Example" } = user;
  const defaults = {
    emailKey: emailKey(email),
    sortKey: sortKey(`${firstName} ${lastName}`),
    passwordHash: quickHash(password),
    createdAt: 1_790_000_000,
    updatedAt: 1_790_000_000,
  };
  await drizzle(env.DB)
    .insert(users)
    .values({ ...defaults, ...fields, id, email, firstName, lastName });
  return { id, email, password };
}

/** Signs a user in with a password. @returns the bearer token */
export async function signIn(email: string, password: string): Promise<string> {
  const answer = await call("/api/auth/login", { json: { email, password } });
  return ((await answer.json()) as { token: string }).token;
}

const minute = () => Math.floor(Date.now() / 60_000);
let measurements = 0;
const MAX_MEASUREMENTS = 255;

/**
 * Measures a rate limit, which counts by minutes of the clock. A measurement during which the minute changes is repeated.
 *
 * @param measure gets a number from 1 to 255 that no other measurement uses, for its e-mail and IP addresses
 * @throws Error when all numbers are used
 */
export async function withinOneMinute<T>(measure: (key: number) => Promise<T>): Promise<T> {
  for (;;) {
    const startMinute = minute();
    if (measurements === MAX_MEASUREMENTS) throw new Error("No number for addresses is left");
    const result = await measure(++measurements);
    if (minute() === startMinute) return result;
  }
}

/** Stores a session without checking a password, which takes long. @returns the bearer token */
export async function openSession(userId: string): Promise<string> {
  const token = randomToken();
  const now = Math.floor(Date.now() / 1000);
  await insert("sessions", [
    { token_hash: await sha256(token), user_id: userId, created_at: now, expires_at: now + 3600 },
  ]);
  return token;
}
