// npm test: installs, finds a browser, checks formatting, lint and types, then runs the Worker tests and the browser
// journeys. Ends with `N passed, N failed`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
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
await suite("Worker tests", "vitest.config.ts");
// One browser at a time: two beside each other on two cores starved each other. What needs none goes along.
await Promise.all([
  suite("Shoppers", "vitest.node.config.ts", ["tests/e2e/shop/", "tests/e2e/chat/"]),
  suite("House", "vitest.node.config.ts", ["tests/structure/", "tests/budgets/shipped/", "tests/e2e/live/"]),
]);
await suite("Staff", "vitest.node.config.ts", ["tests/e2e/office/"]);

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** A check that passes or fails as a whole. */
function run(title, command, args) {
  console.log(`\n— ${title}`);
  const { status } = spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" });
  if (status === 0) passed++;
  else failed++;
}

/** A vitest run, counted test by test, its lines under its title; one that ends without a count has failed. */
async function suite(title, config, folders = []) {
  const file = join(results, `${title}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const child = spawn("vitest", ["run", "--config", config, ...reporters, ...folders], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => console.log(`${title} │ ${line}`));
  const [status] = await once(child, "close");
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
