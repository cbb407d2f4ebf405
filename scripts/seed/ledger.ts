import { foldText } from "../../app/db/text";
import { addDays, instantAt, localDay } from "../../app/domain/days";
import type { Business, PaymentMode } from "../../app/domain/enums";
import { shopVars } from "../../app/http/shop-settings.server";
import {
  BUSY,
  EXTRAS,
  FAMILIES,
  INITIALS,
  JOBS,
  NAMES,
  PHONES,
  SEASONS,
  SHARES,
  SPENDING,
  SUPPLIERS,
  WEEK,
} from "./ledger-texts";
import { seededRandom } from "./random";

/** Days of entries, including today. */
const DAYS = 731;
/** Average invoices per day at the end of the period; a third less at its start. */
const A_DAY = 2.05;
/** Minimum number of invoices for today and yesterday. */
const LATELY = 3;

interface Product {
  name: string;
  price_cents: number;
  category: string;
  colors: string;
}

interface Sale {
  description: string;
  category: string;
  businessType: Business;
  paymentMode: PaymentMode;
  quantity: number;
  cents: number;
}

/** Creates reproducible random choices. */
function chance(seed: number) {
  const random = seededRandom(seed);
  const between = (from: number, to: number) => from + random() * (to - from);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  /** Draws a whole number near `mean`. */
  const about = (mean: number) => Math.floor(mean) + (random() < mean % 1 ? 1 : 0);
  const weighted = <T>(of: readonly T[], weight: (each: T) => number): T => {
    let left = random() * of.reduce((sum, each) => sum + weight(each), 0);
    for (const each of of) {
      left -= weight(each);
      if (left < 0) return each;
    }
    return of[0] as T;
  };
  return { random, between, pick, about, weighted };
}
/** Expenses whose bills state the tax of 13 %; only a registered business notes it. */
const TAXED_SPENDING = new Set(["ADVERTISEMENT", "TAXI"]);

type Chance = ReturnType<typeof chance>;

/** Converts dollars to cents, rounded to quarters. */
const quarters = (dollars: number) => Math.round(dollars * 4) * 25;

/**
 * Writes 24 months of both businesses' invoices and expenses, up to this minute; the same every time for a given day.
 *
 * @param env local bindings; the catalogue is there already
 * @param now epoch seconds
 */
export async function seedLedger(env: Env, now = Math.floor(Date.now() / 1000)): Promise<void> {
  const { timezone } = shopVars(env);
  const { results: products } = await env.DB.prepare(
    "SELECT name, price_cents, category, colors FROM products ORDER BY id",
  ).all<Product>();
  const today = localDay(now, timezone);
  const draw = chance(24);
  const invoices: Record<string, unknown>[] = [];
  const expenses: Record<string, unknown>[] = [];
  for (let back = DAYS - 1; back >= 0; back--) {
    const day = addDays(today, -back);
    const stamps = stampsOf(day, back === 0 ? now : null, timezone);
    for (let many = salesOn(day, back, draw); many > 0; many--)
      invoices.push(invoiceRow(sale(products, day, draw), stamps(draw.random()), invoices.length));
    for (const { type, business, texts, often, from, to } of SPENDING) {
      if (draw.random() >= often / 30.4) continue;
      const content = { description: draw.pick(texts), business_type: business, expense_type: type };
      const { supplier = "", mode = "" } = SUPPLIERS[content.description] ?? {};
      const amount_cents = Math.round(draw.between(from, to) * 20) * 5;
      expenses.push({
        ...entry("expense", content.description, expenses.length),
        ...content,
        supplier,
        supplier_key: foldText(supplier),
        payment_mode: mode,
        amount_cents,
        tax_cents:
          business === "EMPORIA" && TAXED_SPENDING.has(type) ? Math.round((amount_cents * 13) / 113) : 0,
        ...stamps(draw.random()),
      });
    }
  }
  await env.DB.batch([insertAll(env, "invoices", invoices), insertAll(env, "expenses", expenses)]);
}

/** Draws times within opening hours; for today, between midnight and now. */
function stampsOf(day: string, now: number | null, timezone: string) {
  const opens = instantAt(`${day}T${now === null ? "09:30" : "00:00"}:00`, timezone);
  const closes = now ?? instantAt(`${day}T19:30:00`, timezone);
  return (part: number) => {
    const created_at = Math.floor(opens + part * (closes - opens));
    return { day, created_at, updated_at: created_at, version: 1 };
  };
}

function salesOn(day: string, back: number, { between, about }: Chance): number {
  const date = new Date(`${day}T00:00:00Z`);
  const growth = 1 - (back / DAYS) * 0.35;
  const mean = A_DAY * growth * (BUSY[date.getUTCMonth()] ?? 1) * (WEEK[date.getUTCDay()] ?? 1);
  const many = about(mean * between(0.4, 1.6));
  return back <= 1 ? Math.max(LATELY + back, many) : many;
}

function sale(products: Product[], day: string, draw: Chance): Sale {
  const month = Number(day.slice(5, 7));
  const category = draw.weighted(
    Object.keys(SHARES),
    (name) => (SHARES[name] ?? 0) * (SEASONS[month]?.[name] ?? 1),
  );
  const paymentMode = payment(draw, category === "ENGRAVING");
  if (category === "ENGRAVING" && draw.random() < 0.8) return { ...job(draw), category, paymentMode };
  if (category === "OTHERS" && draw.random() < 0.5) {
    const { text, from, to } = draw.pick(EXTRAS);
    const quantity = 1 + draw.about(draw.random());
    const cents = quantity * quarters(draw.between(from, to));
    return { description: text, category, businessType: "EMPORIA", paymentMode, quantity, cents };
  }
  return {
    ...productSale(
      products.filter((product) => product.category === category),
      draw,
    ),
    category,
    paymentMode,
  };
}

function payment({ weighted }: Chance, isJob: boolean): PaymentMode {
  const shares: Record<PaymentMode, number> = isJob
    ? { CASH: 20, EMT: 32, CARD: 48 }
    : { CASH: 34, EMT: 13, CARD: 53 };
  return weighted(["CASH", "EMT", "CARD"] as const, (mode) => shares[mode]);
}

/** Draws an engraving job; large quantities are rarer. */
function job({ weighted, pick, random, between }: Chance) {
  const { text, from, to, most } = weighted(JOBS, (each) => (each.most > 10 ? 1 : 5));
  const quantity = most > 10 ? Math.ceil(most * between(0.4, 1)) : 1 + Math.floor(random() ** 4 * most);
  const description = text
    .replace("{family}", pick(FAMILIES))
    .replace("{name}", pick(NAMES))
    .replace("{initials}", pick(INITIALS));
  return {
    description,
    businessType: "LASER" as const,
    quantity,
    cents: quantity * quarters(between(from, to)),
  };
}

/** Draws a product at its catalogue price; from five pieces on at 10 % discount. */
function productSale(products: Product[], { pick, random }: Chance) {
  const product = pick(products);
  const isSmall = product.price_cents < 3000;
  const quantity = 1 + Math.floor(random() ** (isSmall ? 3 : 7) * (isSmall ? 6 : 3));
  const off = quantity >= 5 ? 0.9 : 1;
  const colors = JSON.parse(product.colors) as string[];
  const name = (product.name.split(/,|«| that | for the /)[0] ?? "").trim();
  const shade = colors.length > 1 ? pick(colors).toLowerCase() : "";
  const variant = product.category === "PHONE_CASE" ? pick(PHONES) : shade;
  const engraved = product.category === "ENGRAVING" || /engraved|initials|monogram/i.test(product.name);
  return {
    description: variant && !name.toLowerCase().includes(variant) ? `${name}, ${variant}` : name,
    businessType: engraved ? ("LASER" as const) : ("EMPORIA" as const),
    quantity,
    cents: Math.round(product.price_cents * quantity * off),
  };
}

const entry = (kind: string, description: string, number: number) => ({
  id: `demo-${kind}-${String(number + 1).padStart(4, "0")}`,
  description_key: foldText(description),
});

function invoiceRow({ cents, ...said }: Sale, stamp: Record<string, unknown>, number: number) {
  return {
    ...entry("invoice", said.description, number),
    description: said.description,
    category: said.category,
    business_type: said.businessType,
    payment_mode: said.paymentMode,
    quantity: said.quantity,
    amount_cents: cents,
    ...stamp,
  };
}

/** Inserts all rows in one statement, ordered by time. */
function insertAll(env: Env, table: string, rows: Record<string, unknown>[]): D1PreparedStatement {
  const columns = Object.keys(rows[0] ?? {});
  const places = columns.map((name) => `value ->> '${name}'`).join(", ");
  return env.DB.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${places} FROM json_each(?) ORDER BY value ->> 'created_at'`,
  ).bind(JSON.stringify(rows));
}
