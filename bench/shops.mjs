// The shops and references that are measured, each served as npm start does, on a free port of its own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ENV, prepare, ROOT, serve } from "../scripts/local-shop.mjs";

const WORK = join(ROOT, "bench", ".work");

/**
 * @typedef {{ url: string, pid: number, stop(): Promise<void> }} Running
 */

/**
 * Serves a shop of generated products; they are kept in bench/.work for the next time.
 *
 * @param {number} products
 * @returns {Promise<Running>}
 */
export async function generatedShop(products) {
  const stateDir = join(WORK, `shop-${products}`);
  const stamp = join(stateDir, "generated");
  prepare(stateDir, { seed: false });
  if (!existsSync(stamp)) {
    must("node", [join(ROOT, "scripts/generate-catalogue.mjs"), stateDir, String(products)], ROOT);
    writeFileSync(stamp, "");
  }
  return shop(stateDir);
}

/**
 * Serves the demo shop with large books; they are kept in bench/.work for the next time.
 *
 * @param {number} invoices and half as many expenses
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

/** @returns {Promise<Running>} the demo shop */
export async function demoShop() {
  const stateDir = join(WORK, "demo");
  prepare(stateDir);
  return shop(stateDir);
}

/** @returns {Promise<Running>} a Worker that has nothing to do */
export function emptyWorker() {
  return reference("empty-worker");
}

/** @returns {Promise<Running>} a Worker that passes a kept page on, of as many bytes as `?bytes=` says */
export function keptPage() {
  return reference("kept-page");
}

/** @returns {Promise<Running>} Remix with one page that reads D1 once */
export function emptyRemix() {
  const folder = join(ROOT, "bench", "empty-remix");
  must("node", [join(ROOT, "node_modules/@remix-run/dev/dist/cli.js"), "vite:build"], folder);
  return reference("empty-remix");
}

async function shop(stateDir) {
  const port = await freePort();
  const { child, ready } = serve({ port, stateDir });
  await ready;
  return running(port, child);
}

async function reference(name) {
  const port = await freePort();
  const state = join(WORK, name);
  mkdirSync(state, { recursive: true });
  const config = join(ROOT, "bench", name, "wrangler.toml");
  const child = spawn("node", [join(ROOT, "scripts/serve.mjs"), String(port), state, config], {
    cwd: join(ROOT, "bench", name),
    env: { ...ENV, COOKIE_SECRET: "none" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  await new Promise((done, failed) => {
    const listen = (chunk) => {
      said = (said + chunk).slice(-5000);
      if (/Ready on http/.test(said)) done();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => failed(new Error(`${name} ended: ${said}`)));
  });
  return running(port, child);
}

function running(port, child) {
  const stop = () =>
    new Promise((done) => {
      child.once("exit", done);
      child.kill("SIGTERM");
    });
  return { url: `http://localhost:${port}`, pid: child.pid, stop };
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
