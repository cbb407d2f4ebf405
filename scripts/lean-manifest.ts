import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const ASSETS = "build/client/assets";
const BEFORE = "window.__remixManifest=";
/** Routes that are no pages: the API's, files such as robots.txt, and what the back office downloads and fetches. */
export const NO_PAGE = /^routes\/(?:api\.|admin_\.|[\w-]+\[\.\])/;

/**
 * Remix tells the browser of every route. Those that are no pages have nothing to show, so no link within the shop leads
 * there, and what nobody can go to need not be sent: they were half of the list.
 */
export function leanManifest(): Plugin {
  return {
    name: "lean-manifest",
    apply: "build",
    enforce: "post",
    writeBundle() {
      // Written by Remix while it builds the server.
      if (this.environment.name === "client") return;
      for (const file of readdirSync(ASSETS).filter((name) => /^manifest-\w+\.js$/.test(name))) {
        const path = join(ASSETS, file);
        writeFileSync(path, withPagesOnly(readFileSync(path, "utf8")));
      }
    },
  };
}

function withPagesOnly(script: string): string {
  const manifest = JSON.parse(script.slice(BEFORE.length, -1)) as { routes: Record<string, unknown> };
  for (const id of Object.keys(manifest.routes)) if (NO_PAGE.test(id)) delete manifest.routes[id];
  return `${BEFORE}${JSON.stringify(manifest)};`;
}
