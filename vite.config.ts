import { fileURLToPath } from "node:url";
import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";

const app = fileURLToPath(new URL("./app", import.meta.url));

export default defineConfig(({ command }) => ({
  plugins: [...(command === "serve" ? [cloudflareDevProxyVitePlugin()] : []), remix(remixOptions)],
  resolve: { alias: { "~": app }, mainFields: ["browser", "module", "main"] },
  build: { assetsInlineLimit: 0, cssMinify: true, target: "es2022", chunkSizeWarningLimit: 400 },
  ssr: {
    target: "webworker",
    noExternal: true,
    external: ["cloudflare:workers", "cloudflare:email", "node:crypto"],
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
}));
