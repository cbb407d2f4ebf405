// What npm start, npm run dev, the tests and the bench do to have a shop on this machine. Plain Node, no dependency.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules", ".bin");
/** The npm package `node` brings the Node that wrangler needs, whatever the machine has. */
const NODE = join(BIN, process.platform === "win32" ? "node.exe" : "node");

const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");

/**
 * Environment of everything we start: our Node first, no telemetry, no update checks, and no trace of every request and
 * query written to the disk, which took more time than the requests themselves.
 */
export const ENV = {
  ...process.env,
  PATH: `${BIN}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
  CI: process.env.CI ?? "",
};

/** Installs what package-lock.json names, unless that is what was installed last. */
export function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(ROOT, "package-lock.json")))
    .digest("hex");
  const stamp = join(ROOT, "node_modules", ".installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log("Installing packages …");
  must(spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: ROOT, stdio: "inherit" }), "npm ci");
  writeFileSync(stamp, lock);
}

/** Builds pages and server, unless nothing that they are made of is newer than the last build. */
export function build() {
  const built = join(ROOT, "build", "server", "index.js");
  const sources = ["app", "public", "scripts", "vite.config.ts", "remix.config.js", "package-lock.json"];
  if (existsSync(built) && newest(sources.map((name) => join(ROOT, name))) < statSync(built).mtimeMs) return;
  console.log("Building …");
  const made = spawnSync(NODE, [join(ROOT, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"], {
    cwd: ROOT,
    // A test runner sets NODE_ENV to "test", for which React's development build would be bundled.
    env: { ...ENV, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (made.status !== 0) process.stderr.write(made.stdout + made.stderr);
  must(made, "remix vite:build");
}

function newest(paths) {
  let latest = 0;
  for (const path of paths) {
    const found = statSync(path);
    latest = Math.max(
      latest,
      found.isDirectory() ? newest(readdirSync(path).map((name) => join(path, name))) : found.mtimeMs,
    );
  }
  return latest;
}

/**
 * Brings the database to the newest migration and fills an empty shop with the demo.
 *
 * @param {string} stateDir where D1, R2 and Durable Objects are kept
 * @param {{ seed?: boolean }} options
 */
export function prepare(stateDir, { seed = true } = {}) {
  mkdirSync(stateDir, { recursive: true });
  const stamp = join(stateDir, "prepared");
  const state = `${migrationsHash()} ${seed ? "seeded" : "empty"}`;
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  const apply = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  const migrated = spawnSync(NODE, [WRANGLER, ...apply], {
    cwd: ROOT,
    env: { ...ENV, CI: "true" },
    encoding: "utf8",
  });
  if (migrated.status !== 0) process.stderr.write(migrated.stdout + migrated.stderr);
  must(migrated, "wrangler d1 migrations apply");
  if (seed) {
    const seeded = spawnSync(NODE, [join(ROOT, "scripts/seed.mjs"), stateDir], {
      cwd: ROOT,
      env: ENV,
      stdio: "inherit",
    });
    must(seeded, "seed");
  }
  writeFileSync(stamp, state);
}

function migrationsHash() {
  const folder = join(ROOT, "migrations");
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const hash = createHash("sha256");
  for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

/**
 * Serves the built shop (scripts/serve.mjs).
 *
 * @param {{ port: number, stateDir: string, quiet?: boolean, front?: string, vars?: Record<string, string> }} options
 *   `front`, `vars`: see scripts/serve.mjs
 * @returns {{ child: import("node:child_process").ChildProcess, ready: Promise<void> }} `ready` fails when it ends first
 */
export function serve({ port, stateDir, quiet = true, front = "", vars = {} }) {
  const temporary = join(stateDir, "tmp");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const child = spawn(NODE, [join(ROOT, "scripts/serve.mjs"), String(port), stateDir], {
    cwd: ROOT,
    env: {
      ...ENV,
      FRONT: front,
      VARS: JSON.stringify(vars),
      TMPDIR: temporary,
      COOKIE_SECRET: cookieSecret(stateDir),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ready = new Promise((done, failed) => {
    let said = "";
    const listen = (chunk) => {
      said = (said + chunk).slice(-20_000);
      if (!quiet) process.stdout.write(chunk);
      if (/Ready on http/.test(said)) done();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => failed(new Error(`The shop ended (${code}):\n${said}`)));
  });
  return { child, ready };
}

/**
 * The secret that this shop's cookies are signed with, drawn when the state was made.
 *
 * @param {string} stateDir
 */
export function cookieSecret(stateDir) {
  const file = join(stateDir, "cookie-secret");
  mkdirSync(stateDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

function must({ status, error }, what) {
  if (status === 0) return;
  console.error(`${what} failed${error ? `: ${error.message}` : ""}`);
  process.exit(status || 1);
}

/** Where a shop's state is kept: STATE_DIR, or the ignored .wrangler/. */
export function stateDirectory() {
  return resolve(ROOT, process.env.STATE_DIR || ".wrangler/state");
}

/** Demo sign-ins, as printed at start; none of them exists in a deployed shop. */
export const DEMO_SIGN_INS = JSON.parse(readFileSync(join(ROOT, "scripts/seed/sign-ins.json"), "utf8"));
