import { CATEGORIES } from "../../app/domain/categories";
import { addDays } from "../../app/domain/days";
import { BUSINESSES, EXPENSE_TYPES, PAYMENT_MODES } from "../../app/domain/enums";
import { LOOKS, MADE_OF, MAKERS, maker, THINGS, USES } from "./generated-texts";
import { seededRandom } from "./random";

/** Rows of one INSERT: about 500 kB of JSON, below D1's 2 MB for a bound value. */
const ROWS_A_STATEMENT = 2000;
/** Newest generated day; entries are at noon UTC, the same day in most time zones. */
const NEWEST = "2026-10-31";
/** Number of days with entries: two years. */
const DAYS = 730;

/** Day of an entry; `many` entries are spread over the two years, number 0 is the newest. */
function stamp(number: number, many: number) {
  const day = addDays(NEWEST, -Math.floor((number / many) * DAYS));
  const createdAt = Date.parse(`${day}T16:00:00Z`) / 1000 + (number % 7200) - 3600;
  return { day, created_at: createdAt, updated_at: createdAt, version: 1 };
}

/**
 * Creates the invoice of a number, reproducibly.
 *
 * @param number from 0; the newest is 0
 * @param many total number of invoices
 * @returns a row of the table `invoices`
 */
function generatedInvoice(number: number, many: number) {
  const random = seededRandom(number * 7919 + 29);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const categoryIndex = Math.floor(random() * CATEGORIES.length);
  const category = CATEGORIES[categoryIndex] ?? "OTHERS";
  const description = `${pick(LOOKS)} ${pick(MADE_OF)} ${pick(THINGS[categoryIndex] ?? [])} by ${maker(Math.floor(random() ** 2 * MAKERS))}`;
  return {
    id: `invoice-${number.toString(36)}`,
    description,
    description_key: description.toLowerCase(),
    business_type: pick(BUSINESSES),
    amount_cents: 99 + Math.floor(random() ** 3 * 40_000),
    ...stamp(number, many),
    category,
    quantity: 1 + Math.floor(random() ** 4 * 30),
    payment_mode: pick(PAYMENT_MODES),
  };
}

/**
 * Creates the expense of a number, reproducibly.
 *
 * @returns a row of the table `expenses`
 */
function generatedExpense(number: number, many: number) {
  const random = seededRandom(number * 104_729 + 31);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const bought = `${pick(USES)} ${pick(MADE_OF)}`;
  const supplier = maker(Math.floor(random() ** 2 * MAKERS));
  const description = `${bought} from ${supplier}`;
  return {
    id: `expense-${number.toString(36)}`,
    description,
    description_key: description.toLowerCase(),
    business_type: pick(BUSINESSES),
    amount_cents: 100 + Math.floor(random() ** 3 * 90_000),
    ...stamp(number, many),
    expense_type: pick(EXPENSE_TYPES),
    supplier,
    supplier_key: supplier.toLowerCase(),
    payment_mode: pick(["", ...PAYMENT_MODES]),
  };
}

/**
 * Adds generated entries to a ledger that has none of them yet.
 *
 * @param database migrated D1
 */
export async function generateLedger(
  database: D1Database,
  invoices: number,
  expenses: number,
): Promise<void> {
  await fill(database, "invoices", invoices, generatedInvoice);
  await fill(database, "expenses", expenses, generatedExpense);
}

async function fill(
  database: D1Database,
  table: string,
  many: number,
  generated: (number: number, many: number) => Record<string, unknown>,
): Promise<void> {
  const columns = Object.keys(generated(0, 1));
  const places = columns.map((name) => `value ->> '${name}'`).join(", ");
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${places} FROM json_each(?)`,
  );
  for (let from = 0; from < many; from += ROWS_A_STATEMENT) {
    const length = Math.min(ROWS_A_STATEMENT, many - from);
    const rows = Array.from({ length }, (_, i) => generated(from + i, many));
    await insert.bind(JSON.stringify(rows)).run();
  }
}
