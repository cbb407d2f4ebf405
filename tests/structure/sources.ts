import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Folders with source files of the project. */
export const SOURCE_FOLDERS = ["app", "workers", "scripts", "tests", "bench"];

/**
 * Lists the project's files below folders, without ignored ones.
 *
 * @param folders folders or files, relative to the root
 * @param pattern of the path
 * @returns paths relative to the root, sorted
 */
export function filesIn(folders: string[], pattern = /\.(?:tsx?|mjs)$/): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...folders];
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  return [...new Set(listed)].filter((path) => pattern.test(path) && existsSync(join(ROOT, path))).sort();
}

/** Reads a file by its path from the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
