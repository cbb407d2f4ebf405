import { createHash } from "node:crypto";
import { WEBHOOK_EVENTS } from "~/features/integrations/schema";
import { START, type World } from "./world";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Member of staff who acts in a history. */
export interface Seller {
  id: string;
  token: string;
}

export const SELLERS: [admin: Seller, manager: Seller] = [
  { id: "ada", token: "the-session-of-ada-the-administrator" },
  { id: "max", token: "the-session-of-max-who-is-a-manager" },
];
export const PRODUCTS = ["lamp", "vase", "sign", "ring"] as const;
/** Units of the ring, the product with options, by the values of its only one. */
const COLOURS = { "ring-moss": "Moss", "ring-sand": "Sand" };
/** Products, or units of one, as a line of a sale or of a hold names them. */
export const ITEMS: { productId: string; unitId?: string }[] = [
  ...PRODUCTS.filter((id) => id !== "ring").map((productId) => ({ productId })),
  ...Object.keys(COLOURS).map((unitId) => ({ productId: "ring", unitId })),
];
export const CUSTOMERS = ["carol", "carlos"] as const;
/** Pieces of each product, and of each unit of one with options, at the start. */
export const STOCK = 5;
const YEAR = 365 * 86_400;

/** Stores the shop of every history: two sellers, four products, two customers, taxes, a webhook and a browser with notifications. */
export function fillShop({ d1 }: World): void {
  const now = Math.floor(START / 1000) - 1000;
  const insert = (table: string, row: Record<string, string | number>) => {
    const names = Object.keys(row);
    d1.query(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`, ...Object.values(row));
  };
  const times = { created_at: now, updated_at: now };
  for (const [i, { id, token }] of SELLERS.entries()) {
    const names = { first_name: id, last_name: "Seller", sort_key: id };
    const rights = { is_admin: Number(i === 0), is_manager: 1 };
    insert("users", {
      id,
      email: `${id}@emporia.example`,
      email_key: `${id}@emporia.example`,
      password_hash: "",
      ...names,
      ...rights,
      ...times,
    });
    insert("sessions", { token_hash: sha256(token), user_id: id, created_at: now, expires_at: now + YEAR });
  }
  insert("push_subscriptions", {
    endpoint: "https://push.example/ada",
    p256dh: "",
    auth: "",
    token_hash: sha256(SELLERS[0].token),
    created_at: now,
  });
  for (const business of ["EMPORIA", "LASER"]) {
    const rules = { tax_number: "12345 6789 RT0001", tax_name: "HST", tax_rate: 1300, version: 1 };
    insert("business_settings", {
      business_type: business,
      ...rules,
      tax_included: Number(business === "EMPORIA"),
    });
  }
  for (const [i, id] of PRODUCTS.entries()) {
    const category = id === "sign" ? "ENGRAVING" : "HOME_DECOR";
    insert("products", {
      id,
      name: id,
      name_key: id,
      sort_key: id,
      price_cents: 1000 + i,
      stock: id === "ring" ? 0 : STOCK,
      options: id === "ring" ? JSON.stringify([{ name: "Colour", values: Object.values(COLOURS) }]) : "[]",
      category,
      shuffle: i,
      ...times,
    });
  }
  for (const [position, [id, colour]] of Object.entries(COLOURS).entries())
    insert("units", {
      id,
      product_id: "ring",
      position,
      option_values: JSON.stringify([colour]),
      stock: STOCK,
      stock_change: JSON.stringify({ id: `opening-${id}`, reason: "opening", actor: "" }),
      updated_at: now,
    });
  for (const id of CUSTOMERS)
    insert("customers", {
      id,
      name: id,
      name_key: id,
      sort_key: id,
      last_seen: now,
      request_hash: "",
      ...times,
    });
  insert("webhooks", {
    id: "hook",
    url: "https://books.example/hook",
    events: JSON.stringify(WEBHOOK_EVENTS),
    low_stock: 2,
    secret: "c2VjcmV0",
    // A clock that goes back an hour is still after it.
    created_at: now - YEAR,
  });
  d1.replicate();
}
