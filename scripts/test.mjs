// npm test: installs, finds a browser, checks formatting, lint and types, then runs the Worker tests and the browser
// journeys. Ends with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, ENV, install, ROOT } from "./local-shop.mjs";

const results = mkdtempSync(join(tmpdir(), "emporia-test-"));
let passed = 0;
let failed = 0;

install();
const { findBrowser } = await import("./find-browser.mjs");
const env = { ...ENV, CHROMIUM_PATH: await findBrowser() };

run("Format and lint", "biome", ["check", "."]);
run("Types", "tsc", ["--noEmit"]);
build();
suite("Worker tests", "vitest.config.ts");
suite("Structure, budgets and browser journeys", "vitest.node.config.ts");

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A check that passes or fails as a whole. */
function run(title, command, args) {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" });
  if (status === 0) passed++;
  else failed++;
}

/** A vitest run, counted test by test; one that ends without a count has failed. */
function suite(title, config) {
  console.log(`\n— ${title}`);
  const file = join(results, `${config}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = spawnSync("vitest", ["run", "--config", config, ...reporters], {
    cwd: ROOT,
    env,
    stdio: "inherit",
  });
  const counted = read(file);
  passed += counted.numPassedTests;
  failed += counted.numFailedTests;
  if (status !== 0 && counted.numFailedTests === 0) failed++;
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}
