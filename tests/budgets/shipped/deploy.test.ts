import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const ROOT = join(import.meta.dirname, "../../..");
const MAX_BYTES = 1_900_000;

test("wrangler deploy has all it needs, and its bundle is ≤ 1.9 MB with gzip", () => {
  const folder = mkdtempSync(join(tmpdir(), "emporia-bundle-"));
  const args = ["deploy", "--dry-run", "--outdir", folder];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false" };
  const { status, stderr } = spawnSync("wrangler", args, { cwd: ROOT, env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/WARNING|ERROR/);
  const code = readdirSync(folder).filter((name) => /\.(?:js|mjs|wasm)$/.test(name));
  const files = code.map((name) => readFileSync(join(folder, name)));
  rmSync(folder, { recursive: true });
  const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  // Further characters double the Worker's memory and slow each page down (scripts/worker-build.ts).
  const beyondLatin1 = files.map((file) => /.{0,30}[^\0-\xff].{0,30}/.exec(file.toString())?.[0] ?? "");
  expect(beyondLatin1.join("")).toBe("");
});

/** Adds a module of the build and all that it imports statically. */
function addEvaluated(path: string, found: Set<string>): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const code = readFileSync(path, "utf8");
  for (const [, name = ""] of code.matchAll(/(?:^|[;\n}])\s*(?:import|export)\b[^"'()]*["'](\.[^"']+)["']/g))
    addEvaluated(join(dirname(path), name), found);
  return found;
}

/** Reads the modules that the Worker's start evaluates. */
const evaluatedAtStart = () =>
  [...addEvaluated(join(ROOT, "build/server/index.js"), new Set())].map((path) => readFileSync(path, "utf8"));

test("the Worker's start evaluates nothing that writes the API's document", () => {
  const evaluated = evaluatedAtStart();
  expect(evaluated.join()).toContain('import("./openapi.server-');
  expect(evaluated.filter((code) => code.includes("zodOpenApiCreateSchema"))).toEqual([]);
});

test("the Worker's start evaluates neither the PDF library nor its fonts", () => {
  const evaluated = evaluatedAtStart();
  expect(evaluated.join()).toContain('import("./pdf.server-');
  expect(evaluated.filter((code) => code.includes("data:font/ttf"))).toEqual([]);
  expect(evaluated.filter((code) => /LibPDF|@libpdf/i.test(code))).toEqual([]);
});
