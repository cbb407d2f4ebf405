// Adds generated products to a local shop, for measuring: node scripts/generate-catalogue.mjs STATE_DIR [100000].
import { resolve } from "node:path";
import { prepare } from "./local-shop.mjs";
import { withShopModule } from "./shop-module.mjs";

const [folder, wanted = "100000"] = process.argv.slice(2);
const count = Number(wanted);
if (!folder || !Number.isSafeInteger(count) || count < 1)
  throw new Error("Usage: node scripts/generate-catalogue.mjs STATE_DIR [COUNT]");

const stateDir = resolve(folder);
prepare(stateDir);
const started = Date.now();
await withShopModule(
  stateDir,
  "/scripts/seed/generated.ts",
  async ({ generateProducts, generateUnits }, env) => {
    await generateProducts(env.DB, 0, count);
    await generateUnits(env.DB, 0, count);
  },
);
console.log(`${count} products in ${Math.round((Date.now() - started) / 1000)} s`);
