import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/local-shop.mjs";

/**
 * Writes a configuration of the shop whose entry point wraps the built Worker's.
 *
 * @param stateDir of the shop, which keeps the configuration
 * @param entry path of a module within the project
 * @param bindings TOML of bindings that the wrapper has beside the shop's
 * @returns the configuration's path
 */
export function wrappedShop(stateDir: string, entry: string, bindings = ""): string {
  const config = join(stateDir, "wrangler.toml");
  const own = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace('"workers/app.ts"', JSON.stringify(join(ROOT, entry)))
    .replace('"build/client"', JSON.stringify(join(ROOT, "build/client")));
  writeFileSync(config, `${own}\n${bindings}`);
  return config;
}
