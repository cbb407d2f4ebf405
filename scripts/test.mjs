// npm test: installs, finds a browser, checks format, lint and types, then runs vitest (structure, unit and Worker tests)
// and the journeys under Playwright Test. Ends with `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, ENV, install, ROOT } from "./local-shop.mjs";

const reports = mkdtempSync(join(tmpdir(), "emporia-test-"));
const vitestReport = join(reports, "vitest.json");
const playwrightReport = join(reports, "playwright.json");
let passed = 0;
let failed = 0;

install();
const { findBrowser } = await import("./find-browser.mjs");
const env = { ...ENV, CHROMIUM_PATH: await findBrowser(), PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport };

check("Format and lint", ["biome", "check", "."]);
check("Types", ["tsc", "--noEmit"]);
build();
suite(
  "Structure, unit and Worker tests",
  ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
  () => {
    const { numPassedTests, numFailedTests } = read(vitestReport);
    return [numPassedTests, numFailedTests];
  },
);
suite("Journeys", ["playwright", "test", "--project=journeys", "--reporter=list,json"], () => {
  const { expected, unexpected } = read(playwrightReport).stats;
  return [expected, unexpected];
});

rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs a command that passes or fails as a whole. */
function check(title, command) {
  if (run(title, command) === 0) passed++;
  else failed++;
}

/** Runs tests and adds up their counts. A runner that fails outside its tests, or dies without a report, has failed. */
function suite(title, command, countsOf) {
  const status = run(title, command);
  const [good, bad] = counted(countsOf);
  passed += good;
  failed += bad;
  if (bad === 0 && (status !== 0 || good === 0)) failed++;
}

function run(title, [command, ...args]) {
  console.log(`\n— ${title}`);
  const begun = Date.now();
  const { status } = spawnSync(command, args, { cwd: ROOT, env, stdio: "inherit" });
  console.log(`— ${title}: ${Math.round((Date.now() - begun) / 1000)} s`);
  return status;
}

function counted(countsOf) {
  try {
    return countsOf();
  } catch {
    return [0, 0];
  }
}

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
