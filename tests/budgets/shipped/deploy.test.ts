import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { transformSync } from "esbuild";
import { ROOT } from "../../../scripts/local-shop.mjs";

const MAX_BYTES = 1_900_000;

/** Builds the Worker as `wrangler deploy` would. @returns the bundle's files by name */
function bundle(): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "emporia-bundle-"));
  try {
    const args = ["deploy", "--dry-run", "--outdir", folder];
    const env = { ...process.env, WRANGLER_SEND_METRICS: "false" };
    const { status, stderr } = spawnSync("wrangler", args, { cwd: ROOT, env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    expect(stderr).not.toMatch(/WARNING|ERROR/);
    const names = readdirSync(folder).filter((name) => /\.(?:js|mjs|wasm)$/.test(name));
    return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("wrangler deploy has all it needs; its bundle is ≤ 1.9 MB with gzip, and its code in Latin-1", () => {
  const files = [...bundle()];
  const bytes = files.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  // One further character makes V8 store a file with two bytes each, which slows each page down (scripts/worker-build.ts).
  const code = files.filter(([name]) => !name.endsWith(".wasm"));
  const beyondLatin1 = code.map(
    ([, content]) => /.{0,30}[^\0-\xff].{0,30}/.exec(content.toString())?.[0] ?? "",
  );
  expect(beyondLatin1.join("")).toBe("");
});

/** Adds a module of the build and its static imports, transitively. */
function addStaticImports(path: string, found: Set<string>): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  const code = readFileSync(path, "utf8");
  for (const [, name = ""] of code.matchAll(/(?:^|[;\n}])\s*(?:import|export)\b[^"'()]*["'](\.[^"']+)["']/g))
    addStaticImports(join(dirname(path), name), found);
  return found;
}

/** Reads the modules that are evaluated when the Worker starts. */
const modulesAtStart = () =>
  [...addStaticImports(join(ROOT, "build/server/index.js"), new Set())].map((path) =>
    readFileSync(path, "utf8"),
  );

test("the Worker's start does not evaluate the generator of the API's document", () => {
  const evaluated = modulesAtStart();
  expect(evaluated.join("\n")).toContain('import("./openapi.server-');
  expect(evaluated.filter((code) => code.includes("zodOpenApiCreateSchema"))).toEqual([]);
});

test("the Worker's start evaluates neither the PDF library nor its fonts", () => {
  const evaluated = modulesAtStart();
  expect(evaluated.join("\n")).toContain('import("./pdf.server-');
  expect(evaluated.filter((code) => code.includes("data:font/ttf"))).toEqual([]);
  expect(evaluated.filter((code) => /LibPDF|@libpdf/i.test(code))).toEqual([]);
});

const READER = /^mail-reader-.+\.js$/;
const MAX_READER = 30_000;

test("the reader of mails loads in their handler alone, with 30 kB gzip at most", () => {
  const assets = join(ROOT, "build/server/assets");
  const [reader = ""] = readdirSync(assets).filter((name) => READER.test(name));
  const atStart = addStaticImports(join(ROOT, "build/server/index.js"), new Set());
  const own = [...addStaticImports(join(assets, reader), new Set())].filter((path) => !atStart.has(path));
  expect(own).toContain(join(assets, reader));
  // As wrangler deploys it (`minify` of wrangler.toml).
  const deployed = own.map((path) => transformSync(readFileSync(path, "utf8"), { minify: true }).code);
  const bytes = deployed.reduce((sum, code) => sum + gzipSync(code).length, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_READER);
  const importers = [
    join(ROOT, "build/server/index.js"),
    ...readdirSync(assets).map((name) => join(assets, name)),
  ];
  expect(importers.filter((path) => readFileSync(path, "utf8").includes(reader)).length).toBe(1);
});
