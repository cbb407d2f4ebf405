// The database of a shop, for scripts: read through the running local shop, otherwise through wrangler.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { errorOf } from "./deploy-checks.mjs";
import { lockFolder } from "./folder-lock.mjs";
import { ENV, ROOT, stateDirectory } from "./local-shop.mjs";
import { runningShop } from "./operator-client.mjs";

/**
 * Opens a shop's database for named reads. A local shop that is running executes them itself: its Worker has the same
 * statements under the same names (app/features/health/checks.server.ts).
 *
 * @param {Record<string, (seq: number) => string[]>} reads statements by name; `seq` is a row of the audit log
 * @param {boolean | undefined} isRemote the deployed database instead of the local one
 * @returns {Promise<(name: string, seq?: number) => Promise<Record<string, any>[]>>} function that executes a read and returns
 *   the rows of all its statements
 * @throws {Error} with one sentence, for no local shop and for one that cannot be reserved
 */
export async function openReads(reads, isRemote) {
  const shop = isRemote ? null : await runningShop(stateDirectory());
  if (shop) return (name, seq = 0) => shop.json("GET", `read?name=${name}&seq=${seq}`);
  if (!isRemote) reserveShop(stateDirectory());
  return async (name, seq = 0) => executeSql(reads[name](seq).join(";\n"), isRemote);
}

/**
 * Reserves the folder of a stopped shop until this process ends: two engines on one database make each other's reads fail
 * during writes.
 *
 * @param {string} stateDir
 * @throws {Error} with one sentence, for a folder without a shop and for a shop that is running
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
 * Runs statements through wrangler, without a shell. Of a local shop, `reserveShop` comes first.
 *
 * @param {string} sql statements, separated by semicolons
 * @param {boolean | undefined} isRemote the deployed database instead of the local one
 * @returns {Record<string, any>[]} rows of all statements
 * @throws {Error} with wrangler's message
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
