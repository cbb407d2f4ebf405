// Starts the measured shops and references as npm start does, each on a free port.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ENV, prepare, ROOT, serve } from "../scripts/local-shop.mjs";
import { withShopModule } from "../scripts/shop-module.mjs";
import { wrappedShop } from "../tests/support/wrapped-shop.ts";

const WORK = join(ROOT, "bench", ".work");
const START_WITHIN = 60_000;
const STOP_WITHIN = 10_000;

/**
 * @typedef {{ url: string, pid: number, stop(): Promise<void> }} Running
 */

/**
 * Serves the demo shop with generated products, every second one in five sizes, which bench/.work keeps for later runs.
 *
 * @param {number} products
 * @param {string} front proxy in front of it (scripts/serve.mjs)
 * @returns {Promise<Running>}
 */
export async function generatedShop(products, front = "") {
  const stateDir = join(WORK, `shop-${products}`);
  const stamp = join(stateDir, "generated");
  prepare(stateDir);
  if (!existsSync(stamp)) {
    must("node", [join(ROOT, "scripts/generate-catalogue.mjs"), stateDir, String(products)], ROOT);
    writeFileSync(stamp, "");
  }
  return shop(stateDir, front);
}

/**
 * Serves the demo shop with a large ledger, which bench/.work keeps for later runs.
 *
 * @param {number} invoices number of invoices; half as many expenses
 * @returns {Promise<Running>}
 */
export async function ledgerShop(invoices) {
  const stateDir = join(WORK, `ledger-${invoices}`);
  const stamp = join(stateDir, "generated");
  prepare(stateDir);
  if (!existsSync(stamp)) {
    must("node", [join(ROOT, "scripts/generate-ledger.mjs"), stateDir, String(invoices)], ROOT);
    writeFileSync(stamp, "");
  }
  return shop(stateDir);
}

/**
 * Serves the demo shop with many chats in its list, which bench/.work keeps for later runs. Their rooms are empty.
 *
 * @param {number} chats
 * @returns {Promise<Running>}
 */
export async function chatShop(chats) {
  const stateDir = join(WORK, `chats-${chats}`);
  const stamp = join(stateDir, "generated");
  prepare(stateDir);
  if (!existsSync(stamp)) {
    await withShopModule(stateDir, "/scripts/seed/random.ts", async (_, { DB }) => {
      for (let first = 1; first <= chats; first += CHATS_A_STATEMENT)
        await DB.prepare(MANY_CHATS)
          .bind(first, Math.min(first + CHATS_A_STATEMENT - 1, chats))
          .run();
    });
    writeFileSync(stamp, "");
  }
  return shop(stateDir);
}

const CHATS_A_STATEMENT = 5000;
/** One chat a minute, every third closed and every fifth unanswered; triggers index and count them. */
const MANY_CHATS = `
INSERT INTO chats (id, user_name, user_email, last_message, last_message_at, unread_count, revision, created_at, month, state,
  waiting_since)
WITH RECURSIVE many(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM many WHERE n < ?2)
SELECT 'many-' || n, 'Visitor ' || n, 'many' || n || '@mail.example', 'Question ' || n, 1700000000000 + n * 60000, n % 2, 1,
  1700000000 + n * 60,
  strftime('%Y-%m', 1700000000 + n * 60, 'unixepoch'), iif(n % 3 = 0, 'closed', 'open'), iif(n % 5 = 0, 1700000000000 + n * 60000, NULL) FROM many`;

/** @returns {Promise<Running>} the demo shop */
export async function demoShop() {
  const stateDir = join(WORK, "demo");
  prepare(stateDir);
  return shop(stateDir);
}

/**
 * Serves a new demo shop.
 *
 * @param {Record<string, string>} env variables of the engine
 * @returns {Promise<Running>}
 */
export async function freshShop(env = {}) {
  const stateDir = join(WORK, `fresh-${process.pid}`);
  rmSync(stateDir, { recursive: true, force: true });
  prepare(stateDir);
  const fresh = await shop(stateDir, "", undefined, env);
  const stop = async () => {
    await fresh.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { ...fresh, stop };
}

/**
 * Serves a new demo shop whose distance to its database each request chooses (bench/distance-worker.js).
 *
 * @returns {Promise<Running>}
 */
export async function distantShop() {
  const stateDir = join(WORK, `distant-${process.pid}`);
  prepare(stateDir);
  const config = wrappedShop(stateDir, "bench/distance-worker.js");
  const distant = await shop(stateDir, "", config);
  const stop = async () => {
    await distant.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { ...distant, stop };
}

/** @returns {Promise<Running>} a standard Socket.IO server on Node with an empty database */
export async function stockChatServer() {
  const port = await freePort();
  const folder = join(WORK, `stock-chat-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = join(ROOT, "bench", "stock-chat", "server.mjs");
  return started("stock-chat", port, [
    "--disable-warning=ExperimentalWarning",
    server,
    String(port),
    join(folder, "messages.sqlite"),
  ]);
}

/**
 * Serves a Worker that forwards every request, in the same way as the shop.
 *
 * @param {string} behind URL of the server to forward to
 * @returns {Promise<Running>}
 */
export function proxyWorker(behind) {
  const folder = join(WORK, "proxy-worker");
  mkdirSync(folder, { recursive: true });
  const source = join(ROOT, "bench", "proxy-worker");
  const template = readFileSync(join(source, "wrangler.toml"), "utf8")
    .replace("worker.js", join(source, "worker.js"))
    .replace('"public"', JSON.stringify(join(source, "public")));
  const config = join(folder, "wrangler.toml");
  writeFileSync(config, `${template}\n[vars]\nBEHIND = ${JSON.stringify(behind)}\n`);
  return reference("proxy-worker", { config });
}

/** @returns {Promise<Running>} a Worker that only answers */
export function emptyWorker() {
  return reference("empty-worker", { front: "engine" });
}

/** @returns {Promise<Running>} a Worker that returns a stored page of `?bytes=` bytes */
export function cachedPage() {
  return reference("cached-page", { front: "engine" });
}

/** @returns {Promise<Running>} Remix with one page that reads D1 once */
export function emptyRemix() {
  const folder = join(ROOT, "bench", "empty-remix");
  must("node", [join(ROOT, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"], folder);
  return reference("empty-remix", { front: "engine" });
}

async function shop(stateDir, front = "", config = undefined, env = {}) {
  const port = await freePort();
  const { child, ready } = serve({ port, stateDir, front, config, env });
  const server = running(port, child);
  await ready;
  return server;
}

async function reference(name, { config = join(ROOT, "bench", name, "wrangler.toml"), front = "" }) {
  const port = await freePort();
  const state = join(WORK, name);
  mkdirSync(state, { recursive: true });
  return started(name, port, [join(ROOT, "scripts/serve.mjs"), String(port), state, config], front);
}

/** Starts a server with Node and waits until it is ready. */
async function started(name, port, args, front = "") {
  const child = spawn("node", args, {
    cwd: join(ROOT, "bench", name),
    env: { ...ENV, FRONT: front, COOKIE_SECRET: "none" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const server = running(port, child);
  let output = "";
  await within(START_WITHIN, (done, failed) => {
    const listen = (chunk) => {
      output = (output + chunk).slice(-5000);
      if (/Ready on http/.test(output)) done();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => failed(new Error(`${name} ended: ${output}`)));
  }).catch(async (error) => {
    await server.stop();
    throw error;
  });
  return server;
}

/** Running child processes, which are stopped when the bench ends. */
const children = new Set();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

function running(port, child) {
  children.add(child);
  const ended = new Promise((done) => child.once("exit", done)).then(() => children.delete(child));
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN);
    await ended;
    clearTimeout(late);
  };
  return { url: `http://localhost:${port}`, pid: child.pid, stop };
}

/** Rejects a promise that takes longer. */
function within(milliseconds, executor) {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(`nothing within ${milliseconds / 1000} s`)), milliseconds);
    const settle = (then) => (value) => {
      clearTimeout(late);
      then(value);
    };
    executor(settle(done), settle(failed));
  });
}

function must(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: ENV, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args[0]} failed:\n${stdout}\n${stderr}`);
}

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
