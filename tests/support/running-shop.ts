import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Route } from "@playwright/test";
import { collectMail } from "../../scripts/collect-mail.mjs";
import { serve } from "../../scripts/local-shop.mjs";
import { copySeededState, LAG_REPORT, LAG_SEED, REPLICA } from "./seeded-state";
import { wrappedShop } from "./wrapped-shop";

/** A demo shop that serves one test worker. */
export interface RunningShop {
  /** Address without a trailing slash. */
  url: string;
  /** Folder of its state; mails are in mail/. */
  stateDir: string;
  stop(): Promise<void>;
}

let current: RunningShop | undefined;

/**
 * Returns the shop of this test worker.
 *
 * @throws Error outside a test
 */
export function runningShop(): RunningShop {
  if (!current) throw new Error("The shop runs only while a test of tests/support/browser.ts does.");
  return current;
}

/**
 * Starts a shop on a free port, on a copy of the seeded state.
 *
 * @param vars replace variables of wrangler.toml
 */
export async function startShop(vars: Record<string, string> = {}): Promise<RunningShop> {
  const stateDir = mkdtempSync(join(tmpdir(), "emporia-shop-"));
  copySeededState(stateDir);
  const port = await freePort();
  const { child, ready } = serve({
    port,
    stateDir,
    vars,
    ...(LAG_SEED ? lagging(stateDir, vars, LAG_SEED) : {}),
  });
  await ready;
  const ended = new Promise((done) => child.once("exit", done));
  const reportExit = (code: number | null) => console.error(`The shop under test ended (${code}).`);
  child.once("exit", reportExit);
  const stopCollecting = collectMail(stateDir);
  const stop = async () => {
    stopCollecting();
    child.off("exit", reportExit);
    child.kill("SIGTERM");
    await ended;
    rmSync(stateDir, { recursive: true, force: true });
    current = undefined;
  };
  current = { url: `http://localhost:${port}`, stateDir, stop };
  return current;
}

/** Options of a shop on a database whose replica lags behind. */
const lagging = (stateDir: string, vars: Record<string, string>, LAG_SEED: string) => ({
  config: wrappedShop(stateDir, "tests/support/lagging-shop.js", REPLICA),
  vars: { ...vars, LAG_SEED, ...(LAG_REPORT && { LAG_REPORT }) },
});

/**
 * Header for requests of Node. The Worker closes a connection that was idle for five seconds; a request in that moment is
 * lost, which browsers repeat and Node does not.
 */
export const OWN_CONNECTION = { Connection: "close" };

/** Requests a path of the shop of this test worker. */
export function fetchShop(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  const all = { ...Object.fromEntries(new Headers(headers)), ...OWN_CONNECTION };
  return fetch(runningShop().url + path, { ...init, headers: all });
}

/** Sends a request of a page that a route has held, on a connection of its own. */
export const fetchRoute = (route: Route, options: Parameters<Route["fetch"]>[0] = {}) =>
  route.fetch({ ...options, headers: { ...route.request().headers(), ...OWN_CONNECTION } });

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
