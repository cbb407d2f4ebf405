import { fileURLToPath } from "node:url";
import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";

const app = fileURLToPath(new URL("./app", import.meta.url));
/** What workerd brings itself. */
const PLATFORM = ["cloudflare:workers", "cloudflare:email", "node:crypto"];

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [...(command === "serve" ? [cloudflareDevProxyVitePlugin()] : []), remix(remixOptions)],
  resolve: { alias: { "~": app }, mainFields: ["browser", "module", "main"] },
  build: {
    assetsInlineLimit: 0,
    cssMinify: true,
    target: "es2022",
    chunkSizeWarningLimit: 400,
    rollupOptions: isSsrBuild ? { external: PLATFORM } : {},
  },
  ssr: {
    target: "webworker",
    noExternal: true,
    external: PLATFORM,
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
}));
