import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

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

/** Lists source files without tests. */
export const sourcesIn = (...folders: string[]) => filesIn(folders, /(?<!\.test)\.tsx?$/);

/** Lists the imports of a file, types included, as paths from the root or package names. */
export function importsOf(file: string): string[] {
  const text = read(file);
  const specifiers = [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"/gms)].map(
    (match) => match[1] ?? "",
  );
  const others = [...text.matchAll(/\bimport(?:\(|\s+)"([^"]+)"/g)].map((match) => match[1] ?? "");
  return [...specifiers, ...others].map((name) => {
    if (name.startsWith("~/")) return withExtension(`app/${name.slice(2)}`);
    return name.startsWith(".")
      ? withExtension(relative(ROOT, normalize(join(ROOT, dirname(file), name))))
      : name;
  });
}

/** Adds the extension of a component, by which rules recognise it. */
const withExtension = (path: string) => (existsSync(join(ROOT, `${path}.tsx`)) ? `${path}.tsx` : path);
