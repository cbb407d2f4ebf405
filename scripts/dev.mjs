// npm run dev: the source with live reload at PORT (8787). Pages and API run in Vite; Durable Objects and their sockets
// in a second Worker on the next port (scripts/dev-objects.ts), on the same state. Nothing is built.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectMail } from "./collect-mail.mjs";
import {
  cookieSecret,
  DEMO_SIGN_INS,
  ENV,
  install,
  localSecrets,
  prepare,
  ROOT,
  requireFolder,
  requirePort,
  serve,
  stateDirectory,
} from "./local-shop.mjs";
import { watchParent } from "./parent-process.mjs";

const stateDir = stateDirectory();
requireFolder(stateDir, "npm run dev");
const port = await requirePort("npm run dev", (pages) => [pages + 1]);
const shopUrl = `http://localhost:${port}`;
/** Service registry of the two Workers; one per shop, so that shops do not find each other's Workers. */
const registry = join(stateDir, "dev", "registry");

install();
prepare(stateDir);
const config = await writeConfigs();
const env = { WRANGLER_REGISTRY_PATH: registry, SHOP_URL: shopUrl };
const objects = serve({
  port: port + 1,
  stateDir,
  config: config.objects,
  quiet: false,
  env: { ...env, WATCH: "1" },
});
const children = [objects.child];
const stopCollecting = collectMail(stateDir, shopUrl);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
if (process.env.npm_lifecycle_event) watchParent(() => stop(0));
objects.child.on("exit", () => stop(1));
await objects.ready;

const vite = spawn(
  join(ROOT, "node_modules/.bin/remix"),
  ["vite:dev", "--port", String(port), "--strictPort", "--host", "localhost"],
  {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...ENV,
      ...env,
      DEV_STATE_DIR: stateDir,
      DEV_WRANGLER_CONFIG: config.pages,
      DEV_COOKIE_SECRET: cookieSecret(stateDir),
      DEV_SHOP_URL: shopUrl,
      DEV_OBJECTS_URL: `http://localhost:${port + 1}`,
    },
  },
);
children.push(vite);
vite.on("exit", () => stop(1));
for (const { role, email, password } of DEMO_SIGN_INS)
  console.log(`  ${role.padEnd(9)} ${email}  ${password}`);

/** Stops both Workers; repeated calls change nothing. */
function stop(code) {
  process.exitCode ??= code;
  for (const child of children) child.kill("SIGTERM");
  stopCollecting();
}

/**
 * Writes wrangler.toml twice: for the Worker that has the Durable Objects, and for Vite, which reaches them there.
 *
 * @returns {Promise<{ objects: string, pages: string }>} the files
 */
async function writeConfigs() {
  // Imported here: node_modules may be missing before install().
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const { name, migrations, durable_objects, ...all } = readConfig({ config: join(ROOT, "wrangler.toml") });
  const names = ["compatibility_date", "compatibility_flags", "vars", "d1_databases", "r2_buckets"];
  const shared = Object.fromEntries(
    [...names, "images", "send_email", "ratelimits"].map((key) => [key, all[key]]),
  );
  shared.vars = { ...all.vars, ...localSecrets() };
  const elsewhere = durable_objects.bindings.map((binding) => ({ ...binding, script_name: name }));
  const main = join(ROOT, "scripts/dev-objects.ts");
  mkdirSync(registry, { recursive: true });
  return {
    objects: writeConfig("objects", { ...shared, name, main, migrations, durable_objects }),
    pages: writeConfig("pages", { ...shared, name: `${name}-dev`, durable_objects: { bindings: elsewhere } }),
  };
}

function writeConfig(name, config) {
  const file = join(stateDir, "dev", `${name}.json`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}
