import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const ROOT = join(import.meta.dirname, "../../..");
const MAX_BYTES = 1_500_000;

test("wrangler deploy has all it needs, and its bundle is ≤ 1.5 MB with gzip", () => {
  const folder = mkdtempSync(join(tmpdir(), "emporia-bundle-"));
  const args = ["deploy", "--dry-run", "--outdir", folder];
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false" };
  const { status, stderr } = spawnSync("wrangler", args, { cwd: ROOT, env, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  expect(stderr).not.toMatch(/WARNING|ERROR/);
  const code = readdirSync(folder).filter((name) => /\.(?:js|mjs|wasm)$/.test(name));
  const bytes = code.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  rmSync(folder, { recursive: true });
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});
