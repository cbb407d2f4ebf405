import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Folders with source code. */
export const SOURCE_FOLDERS = ["app", "workers", "scripts", "tests", "bench"];

/**
 * Lists the project's files in folders, without those that Git ignores.
 *
 * @param folders folders or files, relative to the root
 * @param pattern pattern that a path matches
 * @returns paths relative to the root, sorted
 */
export function filesIn(folders: string[], pattern = /\.(?:tsx?|mjs)$/): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...folders];
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  return [...new Set(listed)].filter((path) => pattern.test(path) && existsSync(join(ROOT, path))).sort();
}

/** Reads a file by its path from the root. */
export const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Lists TypeScript files that are not tests. */
export const sourcesIn = (...folders: string[]) => filesIn(folders, /(?<!\.test)\.tsx?$/);

/** Lists the imports of a file, including types, as paths from the root or package names. */
export function importsOf(file: string): string[] {
  const text = read(file);
  const fromClauses = [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"/gms)].map(
    (match) => match[1] ?? "",
  );
  const bareImports = [...text.matchAll(/\bimport(?:\(|\s+)"([^"]+)"/g)].map((match) => match[1] ?? "");
  return [...fromClauses, ...bareImports].map((name) => {
    if (name.startsWith("~/")) return withExtension(`app/${name.slice(2)}`);
    return name.startsWith(".")
      ? withExtension(relative(ROOT, normalize(join(ROOT, dirname(file), name))))
      : name;
  });
}

/** Adds .tsx to a component's path, by which rules recognise components. */
const withExtension = (path: string) => (existsSync(join(ROOT, `${path}.tsx`)) ? `${path}.tsx` : path);
