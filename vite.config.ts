import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { BROWSER_BUILD } from "./scripts/browser-build";
import { devWorker } from "./scripts/dev-worker";
import { iconSprite } from "./scripts/icon-sprite";
import { CURRENCY_MODULE } from "./scripts/local-shop.mjs";
import { PLATFORM, WORKER_BUILD } from "./scripts/worker-build";

const app = fileURLToPath(new URL("./app", import.meta.url));
/** Address of the Worker with the Durable Objects, in development. */
const OBJECTS = process.env.DEV_OBJECTS_URL;

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [devWorker(), iconSprite(), remix(remixOptions)],
  resolve: {
    alias: { "~/domain/currency": CURRENCY_MODULE, "~": app },
    mainFields: ["browser", "module", "main"],
  },
  server: OBJECTS ? { proxy: { "/socket.io": { target: OBJECTS, ws: true } } } : {},
  // All pages: a package that is discovered late reloads the page in the middle of what its user does.
  optimizeDeps: { entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"] },
  esbuild: { legalComments: "none" },
  build: {
    ...(isSsrBuild ? WORKER_BUILD : BROWSER_BUILD),
    assetsInlineLimit: 0,
    target: "es2022",
    // Remix names what a page needs itself.
    modulePreload: false,
  },
  ssr: {
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
    ...(command === "build"
      ? { target: "webworker" as const, noExternal: true as const, external: PLATFORM }
      : {}),
  },
}));
