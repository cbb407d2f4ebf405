// Installs, builds, migrates, seeds and serves a local shop, for npm start, npm run dev, tests and bench. No dependencies.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv, stripVTControlCharacters } from "node:util";
import { lockFolder } from "./folder-lock.mjs";
import {
  firstMigrations,
  MIGRATIONS_TABLE,
  migrationsHash,
  missingMigrations,
  statementsOf,
} from "./migration-files.mjs";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules", ".bin");
/** Node of the npm package `node`, which is new enough for wrangler. */
const NODE = join(BIN, process.platform === "win32" ? "node.exe" : "node");

const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
/** Entry of the bundled Worker. */
export const WORKER = join(ROOT, "build/worker/entry.js");

/**
 * Module of the currency: the shop's own, or the one that tests set in its place (tests/support/fixed-currency.mjs).
 * `~/domain/currency` leads to it wherever the shop is built or run.
 */
export const CURRENCY_MODULE = join(ROOT, process.env.CURRENCY_MODULE || "app/domain/currency.ts");
/** Definitions of the currency that the last build has. Vite empties the folder, so that other builds have no such file. */
const BUILT_CURRENCY = join(ROOT, "build/server/currency.txt");

/**
 * Environment of child processes: the project's Node first, no telemetry, no update checks, and no trace of every request
 * and query on disk, which took longer than the requests themselves.
 */
export const ENV = {
  ...process.env,
  PATH: `${BIN}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
  CI: process.env.CI ?? "",
  // Compiled code of wrangler and other tools: a shop starts a second earlier.
  NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/node"),
};

/**
 * Installs the packages of package-lock.json unless node_modules is up to date.
 *
 * npm's warnings are hidden: on an older Node it prints EBADENGINE for wrangler, whose newer Node is being installed here.
 */
export function install() {
  if (isInstalled()) return;
  console.log("Installing packages …");
  must(spawnSync("npm", ["ci", "--loglevel=error"], { cwd: ROOT, stdio: "inherit" }), "npm ci");
}

/** Compares package-lock.json with npm's record of node_modules, which omits packages of other platforms. */
function isInstalled() {
  const record = join(ROOT, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = packagesIn(record);
  const { "": _project, ...locked } = packagesIn(join(ROOT, "package-lock.json"));
  const isCurrent = ([path, { version, integrity, optional }]) =>
    path in installed
      ? installed[path].version === version && installed[path].integrity === integrity
      : optional === true;
  return Object.entries(locked).every(isCurrent) && Object.keys(installed).every((path) => path in locked);
}

function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}

/**
 * Reads PORT (default 8787) and exits with a message when it is not available.
 *
 * @param {string} command to suggest with another port, such as `npm start`
 * @param {(port: number) => number[]} neighbours further ports that the command listens on
 * @returns {Promise<number>}
 */
export async function requirePort(command, neighbours = () => []) {
  const port = Number(process.env.PORT || 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    exitWith(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`);
  for (const candidate of [port, ...neighbours(port)]) {
    const reason = (await listenError(candidate, "127.0.0.1")) ?? (await listenError(candidate, "::1"));
    if (reason === "EADDRINUSE")
      exitWith(
        `Port ${candidate} is in use. Stop the program that uses it, or choose another port: PORT=${port + 10} ${command}`,
      );
    if (reason === "EACCES") exitWith(`Port ${candidate} may not be used by you: PORT=8787 ${command}`);
  }
  return port;
}

/** @returns {Promise<string | null>} error code of listening on the port; null if it is free */
function listenError(port, host) {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", ({ code }) => done(code));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}

function exitWith(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Reserves a state folder for this shop, and exits with a message when another one uses it.
 *
 * @param {string} stateDir
 * @param {string} command to suggest with another folder, such as `npm start`
 */
export function requireFolder(stateDir, command) {
  const file = lockFolder(stateDir, "in-use");
  if (!file) return;
  exitWith(`A shop is running on ${stateDir}. Stop it, or give the second one a folder and a port of its own:
PORT=8797 STATE_DIR=.wrangler/second ${command}
(If none is running, delete ${file}.)`);
}

/**
 * Builds the shop, and the Worker as it is deployed, when a source file is newer than the last build, or when that has
 * another currency.
 */
export function build() {
  const built = join(ROOT, "build", "server", "index.js");
  const sources = ["app", "public", "scripts", "vite.config.ts", "remix.config.js", "package-lock.json"];
  const currency = withoutComments(readFileSync(CURRENCY_MODULE, "utf8"));
  const builtCurrency = existsSync(BUILT_CURRENCY) ? readFileSync(BUILT_CURRENCY, "utf8") : "";
  if (isOlder(built, sources) || builtCurrency !== currency) {
    console.log("Building …");
    must(quietly([join(ROOT, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"]), "remix vite:build");
    writeFileSync(BUILT_CURRENCY, currency);
  }
  if (isOlder(WORKER, [...sources, "workers", "wrangler.toml", "build/server/index.js"])) bundle();
}

const withoutComments = (code) => code.replace(/\/\*[\s\S]*?\*\//g, "").trim();

function isOlder(file, sources) {
  return !existsSync(file) || newest(sources.map((name) => join(ROOT, name))) >= statSync(file).mtimeMs;
}

/** Bundles once what wrangler would bundle at each start, which takes half as long as the whole start. */
function bundle() {
  const folder = dirname(WORKER);
  rmSync(folder, { recursive: true, force: true });
  const alias = `~/domain/currency:./${relative(ROOT, CURRENCY_MODULE)}`;
  const args = ["deploy", "--dry-run", "--outdir", folder, "--alias", alias];
  must(quietly([WRANGLER, ...args]), "wrangler deploy --dry-run");
  // Wrangler parses the entry at each start, to find its format.
  writeFileSync(WORKER, 'export * from "./app.js";\nexport { default } from "./app.js";\n');
}

/** Runs a script, and prints what it prints if it fails. */
function quietly(args) {
  const made = spawnSync(NODE, args, {
    cwd: ROOT,
    // A test runner sets NODE_ENV to "test", for which React's development build would be bundled.
    env: { ...ENV, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (made.status !== 0) process.stderr.write(made.stdout + made.stderr);
  return made;
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
 * Applies migrations and fills an empty shop with demo data.
 *
 * @param {string} stateDir folder of D1, R2 and Durable Objects
 * @param {{ seed?: boolean, data?: string }} options `data`: folder of the demo's data instead of data/
 */
export function prepare(stateDir, { seed = true, data = "" } = {}) {
  mkdirSync(stateDir, { recursive: true });
  const stamp = join(stateDir, "prepared");
  const state = stateOf(seed);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
  migrate(stateDir);
  if (seed) {
    const seeded = spawnSync(NODE, [join(ROOT, "scripts/seed.mjs"), stateDir], {
      cwd: ROOT,
      env: { ...ENV, DEMO_DATA: data },
      stdio: "inherit",
    });
    must(seeded, "seed");
  }
  writeFileSync(stamp, state);
}

const stateOf = (seed) => `${migrationsHash()} ${seed ? "seeded" : "empty"}`;

/** Applies what is missing, all at once as well. The build leaves a database without tables in the default folder. */
function migrate(stateDir) {
  if (createDatabase(stateDir)) return;
  const applied = `${MIGRATIONS_TABLE} SELECT name FROM d1_migrations`;
  const { results } = JSON.parse(d1(stateDir, ["execute", "DB", "--json", "--command", applied])).at(-1);
  const missing = missingMigrations(results.map(({ name }) => name));
  if (missing.length === 0) return;
  if (results.length > 0) return applyMissing(stateDir, missing);
  console.log("Creating the database …");
  applyMigrations(stateDir, missing);
}

/** Applies migrations to a database that has others, and says which. */
function applyMissing(stateDir, missing) {
  const migrations = missing.length === 1 ? "1 migration" : `${missing.length} migrations`;
  console.log(`Applying ${migrations}: ${missing.map(({ name }) => name).join(", ")} …`);
  applyMigrations(stateDir, missing);
  console.log(`${migrations} applied`);
}

/**
 * Applies migrations to a new database, all at once because wrangler takes half a second for each.
 *
 * @param {string} stateDir
 * @param {number} [count] of the first ones; all by default
 * @returns {boolean} false where there is a database, which stays as it is
 */
export function createDatabase(stateDir, count) {
  if (existsSync(join(stateDir, "v3", "d1"))) return false;
  console.log("Creating the database …");
  applyMigrations(stateDir, firstMigrations(count));
  return true;
}

/** Applies the later migrations to a database that has the first ones. @param {string[]} applied names of the first ones */
export function completeDatabase(stateDir, applied) {
  applyMissing(stateDir, missingMigrations(applied));
  writeFileSync(join(stateDir, "prepared"), stateOf(false));
}

/**
 * Applies migrations at once. Of those that fail nothing is stored: their halves are applied, until the faulty one is left,
 * which ends the program with its name. Those before it stay applied.
 *
 * @param {string} stateDir
 * @param {{ name: string, sql: string }[]} migrations
 */
export function applyMigrations(stateDir, migrations) {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, "migrations.sql");
  writeFileSync(file, statementsOf(migrations));
  const done = runD1(stateDir, ["execute", "DB", "--file", file]);
  if (done.status === 0) return;
  const [{ name }, ...others] = migrations;
  if (others.length === 0) exitWith(`Migration ${name} failed: ${errorOf(done)}`);
  const half = Math.ceil(migrations.length / 2);
  applyMigrations(stateDir, migrations.slice(0, half));
  applyMigrations(stateDir, migrations.slice(half));
}

/** Finds the error in what wrangler has printed. */
function errorOf({ stdout, stderr, error }) {
  const printed = stripVTControlCharacters(`${stdout}${stderr}`);
  return /\[ERROR\] (.+)/.exec(printed)?.[1] ?? error?.message ?? printed;
}

function d1(stateDir, command) {
  const done = runD1(stateDir, command);
  if (done.status !== 0) process.stderr.write(done.stdout + done.stderr);
  must(done, `wrangler d1 ${command[0]}`);
  return done.stdout;
}

const runD1 = (stateDir, command) =>
  spawnSync(NODE, [WRANGLER, "d1", ...command, "--local", "--persist-to", stateDir], {
    cwd: ROOT,
    env: { ...ENV, CI: "true" },
    encoding: "utf8",
  });

/**
 * Serves the built shop (scripts/serve.mjs).
 *
 * @param {{ port: number, stateDir: string, quiet?: boolean, front?: string, config?: string, vars?: Record<string, string>, env?: object }} options
 *   `config`: of a Worker other than the shop; `front`, `vars`, `env`: see scripts/serve.mjs
 * @returns {{ child: import("node:child_process").ChildProcess, ready: Promise<void> }} `ready` rejects when the server ends first
 */
export function serve({ port, stateDir, quiet = true, front = "", config, vars = {}, env = {} }) {
  const temporary = join(stateDir, "tmp");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const args = [join(ROOT, "scripts/serve.mjs"), String(port), stateDir, ...(config ? [config] : [])];
  const child = spawn(NODE, args, {
    cwd: ROOT,
    env: {
      ...ENV,
      FRONT: front,
      VARS: JSON.stringify(vars),
      TMPDIR: temporary,
      COOKIE_SECRET: cookieSecret(stateDir),
      BACKUP_KEY: backupKey(stateDir),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ready = new Promise((done, failed) => {
    let output = "";
    const listen = (chunk) => {
      output = (output + chunk).slice(-20_000);
      if (!quiet) process.stdout.write(chunk);
      if (!/Ready on http/.test(output)) return;
      writeFileSync(join(stateDir, "address"), `http://localhost:${port}`);
      done();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("exit", (code) => failed(new Error(`The shop ended (${code}):\n${output}`)));
  });
  return { child, ready };
}

/** Reads the secret that signs cookies, or creates it with a new state folder. */
export const cookieSecret = (stateDir) => secret(stateDir, "cookie-secret");

/** Reads the key that opens backups and restores, or creates it. */
export const backupKey = (stateDir) => secret(stateDir, "backup-key");

function secret(stateDir, name) {
  const file = join(stateDir, name);
  mkdirSync(stateDir, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/**
 * Reads the local shop's secrets from .dev.vars.
 *
 * @returns {Record<string, string>}
 */
export function localSecrets() {
  const file = join(ROOT, ".dev.vars");
  return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
}

function must({ status, error }, command) {
  if (status === 0) return;
  console.error(`${command} failed${error ? `: ${error.message}` : ""}`);
  process.exit(status || 1);
}

/** Returns the state folder: STATE_DIR, or one in the ignored .wrangler/. */
export function stateDirectory() {
  return resolve(ROOT, process.env.STATE_DIR || ".wrangler/state");
}

/** Demo sign-ins, printed at start; a deployed shop has none of them. */
export const DEMO_SIGN_INS = JSON.parse(readFileSync(join(ROOT, "scripts/seed/sign-ins.json"), "utf8"));
