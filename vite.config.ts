import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { devWorker } from "./scripts/dev-worker";

const app = fileURLToPath(new URL("./app", import.meta.url));
/** What workerd brings itself. */
const PLATFORM = ["cloudflare:workers", "cloudflare:email", "node:crypto"];
/** What the browser's code imports: named, so that none is discovered late and loads React twice in development. */
const BROWSER_PACKAGES = [
  "@conform-to/react",
  "@conform-to/zod/v4",
  "@remix-run/react",
  "lucide-react",
  "react-dom/client",
  "react-hot-toast/headless",
  "zod",
];
/** Where the sockets are answered while Vite serves the rest. */
const OBJECTS = process.env.DEV_OBJECTS_URL;

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [devWorker(), remix(remixOptions)],
  resolve: { alias: { "~": app }, mainFields: ["browser", "module", "main"] },
  server: OBJECTS ? { proxy: { "/socket.io": { target: OBJECTS, ws: true } } } : {},
  optimizeDeps: { include: BROWSER_PACKAGES },
  build: {
    assetsInlineLimit: 0,
    cssMinify: true,
    target: "es2022",
    chunkSizeWarningLimit: 400,
    rollupOptions: isSsrBuild ? { external: PLATFORM } : {},
  },
  ssr: {
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
    ...(command === "build"
      ? { target: "webworker" as const, noExternal: true as const, external: PLATFORM }
      : {}),
  },
}));
