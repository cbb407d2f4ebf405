// Adds generated entries to a local shop's ledger for measurements:
// node scripts/generate-ledger.mjs STATE_DIR [100000 invoices] [50000 expenses].
import { resolve } from "node:path";
import { prepare } from "./local-shop.mjs";
import { withShopModule } from "./shop-module.mjs";

const [folder, invoices = "100000", expenses = String(Number(invoices) / 2)] = process.argv.slice(2);
const counts = [Number(invoices), Number(expenses)];
if (!folder || counts.some((count) => !Number.isSafeInteger(count) || count < 1))
  throw new Error("Usage: node scripts/generate-ledger.mjs STATE_DIR [INVOICES] [EXPENSES]");

const stateDir = resolve(folder);
prepare(stateDir, { seed: false });
const started = Date.now();
await withShopModule(stateDir, "/scripts/seed/generated-ledger.ts", ({ generateLedger }, env) =>
  generateLedger(env.DB, ...counts),
);
console.log(`${counts.join(" invoices and ")} expenses in ${Math.round((Date.now() - started) / 1000)} s`);
