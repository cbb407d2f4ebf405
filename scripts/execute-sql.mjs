import { spawnSync } from "node:child_process";
import { ENV, ROOT, stateDirectory } from "./local-shop.mjs";

/**
 * Runs statements through wrangler, without a shell.
 *
 * @param {string} sql
 * @param {boolean | undefined} isRemote the deployed database instead of the local one
 * @returns {Record<string, any>[]} rows of all statements
 * @throws {Error} with what wrangler has printed
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
  if (status !== 0) throw error ?? new Error(stderr || stdout);
  return JSON.parse(stdout.slice(stdout.indexOf("["))).flatMap(({ results }) => results);
}
