// Serves the built Worker on wrangler's local engine: node scripts/serve.mjs PORT STATE_DIR [CONFIG]. CONFIG is the
// configuration of another Worker. Environment:
// - COOKIE_SECRET, BACKUP_KEY, SHOP_URL; VARS (JSON) replaces variables of wrangler.toml.
// - FRONT=engine uses wrangler's proxy instead of tcp-proxy.mjs.
// - WATCH=1 reloads on changes; WRANGLER_REGISTRY_PATH shares Durable Objects with the Worker of `npm run dev`.
// Unlike the command `wrangler dev`, it survives a connection that breaks during a request.
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { unstable_DevEnv as DevEnv } from "wrangler";
import { ROOT, WORKER } from "./local-shop.mjs";
import { tcpProxy } from "./tcp-proxy.mjs";

const [port, stateDir, config] = process.argv.slice(2);
/** The shop is bundled already. */
const bundled = {
  entrypoint: WORKER,
  build: {
    bundle: false,
    findAdditionalModules: true,
    moduleRoot: dirname(WORKER),
    moduleRules: [{ type: "ESModule", globs: ["**/*.js"] }],
  },
};

const vars = Object.entries(JSON.parse(process.env.VARS || "{}"));
const straight = { proxyFactory: () => tcpProxy(Number(port)) };
const engine = new DevEnv(process.env.FRONT === "engine" ? {} : straight);
engine.on("error", ({ source, reason, cause }) => {
  const brokenConnection =
    source === "ProxyController" && /connection lost|disconnected/i.test(inspect(cause));
  if (brokenConnection) return;
  console.error(`Error: ${source}: ${reason}`, cause ?? "");
  process.exit(1);
});

// wrangler has printed the errors. Watching, it builds again after the next change; otherwise it would wait for ever.
engine.on("buildFailed", () => {
  if (!process.env.WATCH) process.exit(1);
});

const worker = await engine.startWorker({
  config: config ?? join(ROOT, "wrangler.toml"),
  ...(config ? {} : bundled),
  envFiles: [],
  bindings: {
    COOKIE_SECRET: { type: "secret_text", value: process.env.COOKIE_SECRET },
    BACKUP_KEY: { type: "secret_text", value: process.env.BACKUP_KEY || "" },
    SHOP_URL: { type: "plain_text", value: process.env.SHOP_URL || `http://localhost:${port}` },
    ...Object.fromEntries(vars.map(([name, value]) => [name, { type: "plain_text", value }])),
  },
  dev: {
    server: { hostname: "localhost", port: Number(port) },
    inspector: false,
    persist: stateDir,
    remote: false,
    registry: process.env.WRANGLER_REGISTRY_PATH,
    watch: Boolean(process.env.WATCH),
    liveReload: false,
    logLevel: "warn",
  },
});

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  await worker.dispose();
  process.exit(0);
};
// "disconnect": the parent process has ended.
for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(event, stop);

await worker.ready;
console.log(`Ready on http://localhost:${port}`);
