// What npm start, npm run dev, the tests and the bench do to have a shop on this machine. Plain Node, no dependency.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const BIN = join(ROOT, "node_modules", ".bin");
/** The npm package `node` brings the Node that wrangler needs, whatever the machine has. */
const NODE = join(BIN, process.platform === "win32" ? "node.exe" : "node");

/** Environment of everything we start: our Node first, no telemetry, no update checks. */
export const ENV = {
  ...process.env,
  PATH: `${BIN}${process.platform === "win32" ? ";" : ":"}${process.env.PATH}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
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
  const sources = ["app", "public", "vite.config.ts", "remix.config.js", "package-lock.json"];
  if (existsSync(built) && newest(sources.map((name) => join(ROOT, name))) < statSync(built).mtimeMs) return;
  console.log("Building …");
  const made = spawnSync(NODE, [join(ROOT, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"], {
    cwd: ROOT,
    env: ENV,
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
  const secret = join(stateDir, "secrets.env");
  if (!existsSync(secret))
    writeFileSync(secret, `COOKIE_SECRET=${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  const wrangler = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  const migrated = spawnSync(NODE, [wranglerCli(), ...wrangler], {
    cwd: ROOT,
    env: { ...ENV, CI: "true" },
    encoding: "utf8",
  });
  if (migrated.status !== 0) process.stderr.write(migrated.stdout + migrated.stderr);
  must(migrated, "wrangler d1 migrations apply");
  if (seed)
    must(
      spawnSync(NODE, [join(ROOT, "scripts/seed.mjs"), stateDir], { cwd: ROOT, env: ENV, stdio: "inherit" }),
      "seed",
    );
}

/**
 * Serves the built shop with `wrangler dev`.
 *
 * @param {{ port: number, stateDir: string, quiet?: boolean }} options
 * @returns {{ child: import("node:child_process").ChildProcess, ready: Promise<void> }} `ready` fails when wrangler ends first
 */
export function serve({ port, stateDir, quiet = true }) {
  const temporary = join(stateDir, "tmp");
  mkdirSync(temporary, { recursive: true });
  const args = [
    "dev",
    "--port",
    String(port),
    "--ip",
    "localhost",
    "--inspector-port",
    "0",
    "--persist-to",
    stateDir,
  ];
  const vars = ["--env-file", join(stateDir, "secrets.env"), "--var", `SHOP_URL:http://localhost:${port}`];
  const child = spawn(NODE, [wranglerCli(), ...args, ...vars, "--show-interactive-dev-session=false"], {
    cwd: ROOT,
    env: { ...ENV, TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
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
    child.on("exit", (code) => failed(new Error(`wrangler dev ended (${code}):\n${said}`)));
  });
  return { child, ready };
}

function wranglerCli() {
  return join(ROOT, "node_modules/wrangler/bin/wrangler.js");
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
