// Runs a TypeScript module of the shop in Node against a local shop's own D1 and R2.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createServer } from "vite";
import { getPlatformProxy } from "wrangler";
import { CURRENCY_MODULE, ROOT } from "./local-shop.mjs";

/**
 * @param {string} stateDir the local shop
 * @param {string} path of the module, from the root, such as "/scripts/seed/demo.ts"
 * @param {(module: any, env: any) => Promise<void>} run gets the module and the shop's bindings
 */
export async function withShopModule(stateDir, path, run) {
  const proxy = await getPlatformProxy({
    configPath: withoutObjects(stateDir),
    persist: { path: join(stateDir, "v3") },
  });
  const vite = await createServer({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: { "~/domain/currency": CURRENCY_MODULE, "~": join(ROOT, "app") } },
  });
  try {
    await run(await vite.ssrLoadModule(path), proxy.env);
  } finally {
    await vite.close();
    await proxy.dispose();
  }
}

/** Configuration without Durable Objects, which need a running Worker; wrangler warns about each. */
function withoutObjects(folder) {
  const path = join(folder, "seed-wrangler.toml");
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  writeFileSync(
    path,
    config
      .replace(/^\[\[(?:durable_objects\.bindings|migrations)\]\]\n(?:.+\n)+/gm, "")
      .replace(/^\[assets\]\n(?:.+\n)+/m, ""),
  );
  return path;
}
