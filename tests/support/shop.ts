import { env } from "cloudflare:workers";
import { scryptSync } from "node:crypto";
import type { products, users } from "~/db/schema";
import { identityKey, sortKey } from "~/db/text";
import { emailKey } from "~/http/email-address";
import { randomToken, sha256 } from "~/session/tokens.server";
import { expectDocumented } from "./api-answers";
import { send } from "./worker";

export const ORIGIN = "http://localhost:8787";

/** Options of a call besides its path. */
export interface Call {
  method?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Bearer token. */
  token?: string;
  cookie?: string;
}

/**
 * Sends a request through the whole Worker, as a script without a browser would. Answers of the API are compared with
 * its OpenAPI document.
 *
 * @param path with query, such as "/api/product/all?sort=name-asc"
 */
export async function call(
  path: string,
  { method, json, body, headers = {}, token, cookie }: Call = {},
): Promise<Response> {
  const all = new Headers(headers);
  if (json !== undefined) all.set("Content-Type", "application/json");
  if (token) all.set("Authorization", `Bearer ${token}`);
  if (cookie) {
    all.set("Cookie", cookie);
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
  await expectDocumented(init.method, path, answer);
  return answer;
}

/** The cookies that an answer sets, as the next request sends them. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/**
 * Puts rows into a table.
 *
 * @param table name
 * @param rows column → value
 */
export async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const places = columns.map((name) => `value ->> '${name}'`).join(", ");
  await env.DB.prepare(`INSERT INTO ${table} (${columns.join(", ")}) SELECT ${places} FROM json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

/** Stores images under keys of the server's making, such as "products/a.jpg", without uploading any. */
export async function storeImages(...keys: string[]): Promise<void> {
  for (const key of keys) await env.BUCKET.put(key, "x", { httpMetadata: { contentType: "image/jpeg" } });
}

let made = 0;

/** Adds a product; what isn't said has a plain default. */
export async function addProduct(
  product: Partial<Omit<typeof products.$inferSelect, "category">> & { category?: string } = {},
): Promise<string> {
  made++;
  const id = product.id ?? `product-${made}`;
  const name = product.name ?? `Thing number ${made}`;
  await insert("products", [
    {
      id,
      name,
      name_key: identityKey(name),
      sort_key: sortKey(name),
      description: product.description ?? "",
      search_text: product.searchText ?? "",
      price_cents: product.priceCents ?? 1000,
      stock: product.stock ?? 5,
      category: product.category ?? "OTHERS",
      colors: JSON.stringify(product.colors ?? []),
      has_engraving: product.hasEngraving ? 1 : 0,
      image_urls: JSON.stringify(product.imageUrls ?? []),
      image_alts: JSON.stringify(product.imageAlts ?? []),
      plates: JSON.stringify(product.plates ?? {}),
      shuffle: product.shuffle ?? made * 1000,
      created_at: product.createdAt ?? 1_790_000_000 + made,
      updated_at: 1_790_000_000,
    },
  ]);
  return id;
}

/** Sets a product's stock as a sale would. */
export async function setStock(id: string, stock: number): Promise<void> {
  const change = JSON.stringify({ id: `change-${++made}`, reason: "adjustment", actor: "" });
  await env.DB.prepare("UPDATE products SET stock = ?, stock_change = ? WHERE id = ?")
    .bind(stock, change, id)
    .run();
}

/** Hashes with the least parameters that verifyPassword reads from a stored hash; those of the shop take 250 ms. */
function quickHash(password: string): string {
  const [N, r, p] = [2, 1, 1];
  const salt = Buffer.alloc(16);
  const hash = scryptSync(password.normalize("NFC"), salt, 32, { N, r, p });
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Adds a user who can sign in; returns id, e-mail address and password. */
export async function addUser(user: Partial<typeof users.$inferSelect> & { password?: string } = {}) {
  made++;
  const id = user.id ?? `user-${made}`;
  const email = user.email ?? `person${made}@mail.example`;
  const password = user.password ?? "Password1!";
  const [firstName, lastName] = [user.firstName ?? "Pat", user.lastName ?? "Example"];
  await insert("users", [
    {
      id,
      email,
      email_key: emailKey(email),
      first_name: firstName,
      last_name: lastName,
      sort_key: sortKey(`${firstName} ${lastName}`),
      phone_number: user.phoneNumber ?? "",
      password_hash: quickHash(password),
      is_admin: Number(user.isAdmin ?? false),
      is_manager: Number(user.isManager ?? false),
      is_user: Number(user.isUser ?? true),
      created_at: 1_790_000_000,
      updated_at: 1_790_000_000,
    },
  ]);
  return { id, email, password };
}

/** Signs a user in by the API and returns the bearer token. */
export async function signIn(email: string, password: string): Promise<string> {
  const answer = await call("/api/auth/login", { json: { email, password } });
  return ((await answer.json()) as { token: string }).token;
}

const minute = () => Math.floor(Date.now() / 60_000);
let measured = 0;

/**
 * Measures a rate limit, which counts by the minute of the clock: when the minute changes on the way, it measures again.
 *
 * @param measure gets a number below 256 that no other measurement uses, for its e-mail and IP addresses
 */
export async function withinOneMinute<T>(measure: (key: number) => Promise<T>): Promise<T> {
  for (;;) {
    const begun = minute();
    const result = await measure(++measured);
    if (minute() === begun) return result;
  }
}

/** Stores a session, without the time that a password check takes; returns the bearer token. */
export async function openSession(userId: string): Promise<string> {
  const token = randomToken();
  const now = Math.floor(Date.now() / 1000);
  await insert("sessions", [
    { token_hash: await sha256(token), user_id: userId, created_at: now, expires_at: now + 3600 },
  ]);
  return token;
}
