// npm run dev: the source with live reload at PORT (8787). Pages and API run in Vite; sockets and Durable Objects in a
// second, built Worker beside it, on the same state.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { collectMail } from "./collect-mail.mjs";
import {
  build,
  cookieSecret,
  DEMO_SIGN_INS,
  ENV,
  install,
  prepare,
  ROOT,
  serve,
  stateDirectory,
} from "./local-shop.mjs";

const port = Number(process.env.PORT || 8787);
const objectsPort = port + 1;
const stateDir = stateDirectory();

install();
build();
prepare(stateDir);
const objects = serve({ port: objectsPort, stateDir });
const stopCollecting = collectMail(stateDir);
await objects.ready;

const vite = spawn(
  join(ROOT, "node_modules/.bin/remix"),
  ["vite:dev", "--port", String(port), "--host", "localhost"],
  {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...ENV,
      DEV_STATE_DIR: stateDir,
      DEV_WRANGLER_CONFIG: configWithObjectsElsewhere(),
      DEV_COOKIE_SECRET: cookieSecret(stateDir),
      DEV_SHOP_URL: `http://localhost:${port}`,
      DEV_OBJECTS_URL: `http://localhost:${objectsPort}`,
    },
  },
);
for (const { role, email, password } of DEMO_SIGN_INS)
  console.log(`  ${role.padEnd(9)} ${email}  ${password}`);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
vite.on("exit", stop);

function stop() {
  vite.kill("SIGTERM");
  objects.child.kill("SIGTERM");
  stopCollecting();
  process.exit(0);
}

/** wrangler.toml as Vite's half sees it: every Durable Object lives in the Worker beside it. */
function configWithObjectsElsewhere() {
  const {
    name,
    compatibility_date,
    compatibility_flags,
    vars,
    d1_databases,
    r2_buckets,
    images,
    send_email,
    ratelimits,
    durable_objects,
  } = readConfig({ config: join(ROOT, "wrangler.toml") });
  const bindings = (durable_objects?.bindings ?? []).map((binding) => ({ ...binding, script_name: name }));
  const folder = join(stateDir, "dev");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "wrangler.json");
  const config = {
    name: `${name}-dev`,
    compatibility_date,
    compatibility_flags,
    vars,
    d1_databases,
    r2_buckets,
    images,
    send_email,
    ratelimits,
  };
  writeFileSync(file, JSON.stringify({ ...config, durable_objects: { bindings } }));
  return file;
}
