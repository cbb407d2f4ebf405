import { join } from "node:path";
import { scheduler } from "node:timers/promises";
import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import type { Plugin, ViteDevServer } from "vite";
import { getPlatformProxy } from "wrangler";

/** Stand-ins for workerd's own modules, enough to load them in Node; Durable Objects run in workerd (scripts/dev.mjs). */
const PLATFORM_MODULES: Record<string, string> = {
  "cloudflare:workers":
    "export class DurableObject {} export class WorkerEntrypoint {} export const env = {};",
  "cloudflare:email":
    "export class EmailMessage { constructor(from, to, raw) { Object.assign(this, { from, to, raw }); } }",
};

/**
 * Runs workers/app.ts inside Vite's server: the same headers, checks and operations as in production, with live
 * reload. D1, R2 and other bindings are local; scripts/dev-objects.ts hosts the Durable Objects.
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
      const { env, ctx, caches, dispose } = await getPlatformProxy<Env>({
        configPath: process.env.DEV_WRANGLER_CONFIG,
        persist: { path: join(process.env.DEV_STATE_DIR ?? ".wrangler/state", "v3") },
      });
      server.httpServer?.once("close", dispose);
      // Globals of workerd: a cache that stores nothing, and the scheduler, a module in Node.
      Object.assign(globalThis, { caches, scheduler });
      const settings = {
        COOKIE_SECRET: process.env.DEV_COOKIE_SECRET,
        SHOP_URL: process.env.DEV_SHOP_URL,
        EDGE_CACHE: "off",
      };
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
