import { rmSync } from "node:fs";
import { build as bundle } from "esbuild";
import type { TestProject } from "vitest/node";
import { build, CURRENCY_MODULE } from "../../scripts/local-shop.mjs";

const OUTPUT = ".wrangler/test-worker";

let bundled: Promise<void> | undefined;

/** Bundles the Worker of the current source, also before a rerun in watch mode: each test file loads it anew. */
export default async function bundleCurrentSource(project: TestProject): Promise<void> {
  // Once for all projects.
  bundled ??= bundleWorker();
  await bundled;
  project.onTestsRerun(bundleWorker);
}

async function bundleWorker(): Promise<void> {
  build();
  rmSync(OUTPUT, { recursive: true, force: true });
  await bundle({
    entryPoints: ["workers/app.ts"],
    outdir: OUTPUT,
    // The pool would look for the type of `.js` in package.json, and then take all packages below it for ES modules.
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    legalComments: "none",
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["browser", "module", "main"],
    conditions: ["workerd", "worker", "browser"],
    alias: { "~/domain/currency": CURRENCY_MODULE, "~": "./app" },
    external: ["cloudflare:*", "node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
}
