import { join } from "node:path";
import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import type { Plugin, ViteDevServer } from "vite";
import { getPlatformProxy } from "wrangler";

/** What only workerd has, for a Worker that runs in Node: enough to load; live objects run in workerd (npm run dev). */
const PLATFORM_MODULES: Record<string, string> = {
  "cloudflare:workers":
    "export class DurableObject {} export class WorkerEntrypoint {} export const env = {};",
  "cloudflare:email":
    "export class EmailMessage { constructor(from, to, raw) { Object.assign(this, { from, to, raw }); } }",
};

/** The edge cache of a shop whose pages change while they are looked at. */
const KEEPS_NOTHING = { match: async () => undefined, put: async () => undefined, delete: async () => false };

/**
 * Runs workers/app.ts inside Vite's server: the same headers, checks and operations as in production, with live
 * reload. D1, R2 and the rest are local ones; Durable Objects are those of the Worker that npm run dev starts beside.
 */
export function devWorker(): Plugin {
  return {
    name: "emporia-dev-worker",
    apply: "serve",
    enforce: "pre",
    config: () => ({ ssr: { resolve: { externalConditions: ["workerd", "worker"] } } }),
    resolveId(id) {
      if (id in PLATFORM_MODULES) return `\0${id}`;
      if (id.endsWith("/build/server")) return this.resolve("virtual:remix/server-build");
      return null;
    },
    load: (id) => PLATFORM_MODULES[id.slice(1)] ?? null,
    configureServer: async (server) => {
      const { env, ctx } = await getPlatformProxy<Env>({
        configPath: process.env.DEV_WRANGLER_CONFIG,
        persist: { path: join(process.env.DEV_STATE_DIR ?? ".wrangler/state", "v3") },
      });
      const scheduler = { wait: (ms: number) => new Promise((done) => setTimeout(done, ms)) };
      Object.assign(globalThis, { caches: { default: KEEPS_NOTHING }, scheduler });
      const settings = { COOKIE_SECRET: process.env.DEV_COOKIE_SECRET, SHOP_URL: process.env.DEV_SHOP_URL };
      return () => answerWith(server, { ...env, ...settings } as Env, ctx as ExecutionContext);
    },
  };
}

function answerWith(server: ViteDevServer, env: Env, ctx: ExecutionContext): void {
  server.middlewares.use(async (incoming, outgoing, next) => {
    try {
      incoming.url = incoming.originalUrl;
      const worker = (await server.ssrLoadModule("/workers/app.ts")).default;
      await sendResponse(outgoing, await worker.fetch(createRequest(incoming, outgoing), env, ctx));
    } catch (error) {
      if (error instanceof Error) server.ssrFixStacktrace(error);
      next(error);
    }
  });
}
