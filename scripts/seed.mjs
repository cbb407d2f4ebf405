// Fills an empty local shop with the demo: node scripts/seed.mjs STATE_DIR. Does nothing to a shop that has users.
// DEMO_DATA replaces the folder data/.
import { join } from "node:path";
import { ROOT } from "./local-shop.mjs";
import { watchParent } from "./parent-process.mjs";
import { withShopModule } from "./shop-module.mjs";

const stateDir = process.argv[2];
if (!stateDir) throw new Error("Usage: node scripts/seed.mjs STATE_DIR");
// The next start may use the folder at once.
watchParent(() => process.exit(1));

await withShopModule(stateDir, "/scripts/seed/demo.ts", ({ seedDemo }, env) =>
  seedDemo(env, process.env.DEMO_DATA || join(ROOT, "data")),
);
