// Adds generated entries, sales and holds to a local shop for measurements: node scripts/generate-ledger.mjs STATE_DIR
// [100000 invoices] [50000 expenses]; a tenth as many documents as invoices, a hundredth as many holds.
import { resolve } from "node:path";
import { prepare } from "./local-shop.mjs";
import { withShopModule } from "./shop-module.mjs";

const [folder, invoices = "100000", expenses = String(Number(invoices) / 2)] = process.argv.slice(2);
const counts = [Number(invoices), Number(expenses)];
if (!folder || counts.some((count) => !Number.isSafeInteger(count) || count < 1))
  throw new Error("Usage: node scripts/generate-ledger.mjs STATE_DIR [INVOICES] [EXPENSES]");

const stateDir = resolve(folder);
prepare(stateDir, { seed: false });
/** Seconds in which the generated documents were issued. */
const YEAR = 300 * 86_400;
const started = Date.now();
await withShopModule(stateDir, "/scripts/seed/generated-ledger.ts", ({ generateLedger }, env) =>
  generateLedger(env.DB, ...counts),
);
const documents = Math.ceil(counts[0] / 10);
await withShopModule(
  stateDir,
  "/scripts/seed/generated-sales.ts",
  async ({ generateSales, generateHolds }, env) => {
    await env.DB.prepare(
      `INSERT INTO products (id, name, name_key, shuffle, category, price_cents, stock, created_at, updated_at)
     SELECT 'moved', 'Moved lamp', 'moved lamp', shuffle, category, price_cents, 0, created_at, updated_at FROM products LIMIT 1`,
    ).run();
    await generateSales(env.DB, documents, Math.floor(YEAR / documents));
    await generateHolds(env.DB, Math.ceil(documents / 10));
  },
);
console.log(`${counts.join(" invoices and ")} expenses in ${Math.round((Date.now() - started) / 1000)} s`);
