// Fills an empty local shop with the demo: node scripts/seed.mjs STATE_DIR. Does nothing to a shop that has users.
import { join } from "node:path";
import { createServer } from "vite";
import { getPlatformProxy } from "wrangler";
import { ROOT } from "./local-shop.mjs";

const stateDir = process.argv[2];
if (!stateDir) throw new Error("Usage: node scripts/seed.mjs STATE_DIR");

const proxy = await getPlatformProxy({
  configPath: join(ROOT, "wrangler.toml"),
  persist: { path: join(stateDir, "v3") },
});
const vite = await createServer({
  configFile: false,
  root: ROOT,
  logLevel: "error",
  appType: "custom",
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  optimizeDeps: { noDiscovery: true },
  resolve: { alias: { "~": join(ROOT, "app") } },
});
try {
  const { seedDemo } = await vite.ssrLoadModule("/scripts/seed/demo.ts");
  await seedDemo(proxy.env, join(ROOT, "data"));
} finally {
  await vite.close();
  await proxy.dispose();
}
