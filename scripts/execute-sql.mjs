// The database of a shop, for scripts: read through the running local shop, otherwise through wrangler.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorOf } from "./deploy-checks.mjs";
import { lockFolder } from "./folder-lock.mjs";
import { ENV, ROOT, stateDirectory } from "./local-shop.mjs";
import { runningShop } from "./operator-client.mjs";

/**
 * Opens reads that the Worker knows by the same names (app/features/health/checks.server.ts): a local shop that runs answers them itself.
 *
 * @param {Record<string, (seq: number) => string[]>} reads statements by name
 * @param {boolean | undefined} isRemote the deployed database instead of the local one
 * @returns {Promise<(name: string, seq?: number) => Promise<Record<string, any>[]>>} returns the rows of all statements
 * @throws {Error} with one sentence
 */
export async function openReads(reads, isRemote) {
  const shop = isRemote ? null : await runningShop(stateDirectory());
  if (shop) return (name, seq = 0) => shop.json("GET", `read?name=${name}&seq=${seq}`);
  if (!isRemote) reserveShop(stateDirectory());
  return async (name, seq = 0) => executeSql(reads[name](seq).join(";\n"), isRemote);
}

/**
 * Reserves a shop that does not run for this process until it ends: of two engines on one database each fails while the
 * other writes.
 *
 * @param {string} stateDir
 * @throws {Error} with one sentence, for no shop and for one that runs
 */
export function reserveShop(stateDir) {
  if (!existsSync(join(stateDir, "v3"))) throw new Error(`There is no shop in ${stateDir}.`);
  const file = lockFolder(stateDir, "in-use");
  if (file)
    throw new Error(
      `A shop is running on ${stateDir}: stop it and run this command again (or, if none is running, delete ${file}).`,
    );
}

/**
 * Runs statements through wrangler, without a shell. The folder of a local shop is reserved before.
 *
 * @param {string} sql
 * @param {boolean | undefined} isRemote the deployed database instead of the local one
 * @returns {Record<string, any>[]} rows of all statements
 * @throws {Error} with wrangler's own words
 */
export function executeSql(sql, isRemote) {
  const where = isRemote ? ["--remote"] : ["--local", "--persist-to", stateDirectory()];
  const args = ["d1", "execute", "DB", ...where, "--json", "--yes", "--command", sql];
  const { status, stdout, stderr, error } = spawnSync("wrangler", args, {
    cwd: ROOT,
    env: ENV,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return JSON.parse(stdout.slice(stdout.indexOf("["))).flatMap(({ results }) => results);
  throw error ?? new Error(printedError(stdout) ?? errorOf({ stdout, stderr }));
}

/** Reads the error that wrangler prints as JSON. @returns {string | undefined} */
function printedError(stdout) {
  try {
    return JSON.parse(stdout.slice(stdout.indexOf("{"))).error.text;
  } catch {
    return undefined;
  }
}
