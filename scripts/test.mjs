// npm test: installs, finds browsers, builds, checks format, lint and types, then runs vitest (structure, unit and Worker tests)
// and the journeys under Playwright Test. Ends with `N passed, N failed`.
import "../tests/support/fixed-currency.mjs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, ENV, install, ROOT } from "./local-shop.mjs";

/** Space that the tests' shops need, bytes, with room to spare. */
const MEMORY = 4 * 1024 ** 3;
const temporary = mkdtempSync(join(memoryFolder() ?? tmpdir(), "emporia-test-"));
const vitestReport = join(temporary, "vitest.json");
const playwrightReport = join(temporary, "playwright.json");
/** Lines that are printed again at the end for each step that failed: a CI log is often cut to its end. */
const REPEATED_LINES = 80;
/** Fills the shop of the journeys, which takes one core 10 s; the journeys' runner does so when it has not been done. */
const SEED = `await (await import("./tests/support/seeded-state.ts")).default()`;
const failures = [];
let passed = 0;
let failed = 0;

install();
const { findBrowsers } = await import("./find-browser.mjs");
const browsers = await findBrowsers();
const env = { ...ENV, ...browsers, TMPDIR: temporary, PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport };

build();
const seeding = run("Seeded state", ["node", "--input-type=module", "--eval", SEED]);
await check("Format and lint", ["biome", "check", "."]);
await check("Types", ["tsgo", "--noEmit"]);
await suite(
  "Structure, unit and Worker tests",
  ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${vitestReport}`],
  () => {
    const { numPassedTests, numFailedTests } = read(vitestReport);
    return [numPassedTests, numFailedTests];
  },
);
await seeding;
const projects = ["--project=drills", "--project=journeys"];
await suite("Journeys", ["playwright", "test", ...projects, "--reporter=list,json"], () => {
  const { expected, unexpected } = read(playwrightReport).stats;
  return [expected, unexpected];
});

rmSync(temporary, { recursive: true, force: true });
for (const { title, lines } of failures) console.log(`\n— Failed: ${title}\n${lines.join("\n")}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Finds a file system in memory with enough space: a disk takes a tenth of the time of the tests, which write small files. */
function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > MEMORY ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

/** Runs a command that passes or fails as a whole. */
async function check(title, command) {
  if ((await run(title, command)) === 0) passed++;
  else failed++;
}

/** Runs tests and adds up their counts. A runner that fails outside its tests, or dies without a report, has failed. */
async function suite(title, command, countsOf) {
  const status = await run(title, command);
  const [good, bad] = counted(countsOf);
  passed += good;
  failed += bad;
  if (bad === 0 && (status !== 0 || good === 0)) failed++;
}

/** Runs a command, printing what it prints. @returns its exit status, or null when a signal ended it */
async function run(title, [command, ...args]) {
  console.log(`\n— ${title}`);
  const begun = Date.now();
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ["inherit", "pipe", "pipe"] });
  let tail = "";
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8");
    child[stream].on("data", (text) => {
      process[stream].write(text);
      tail = `${tail}${text}`.split("\n").slice(-REPEATED_LINES).join("\n");
    });
  }
  const [status, signal] = await once(child, "close");
  if (status !== 0) failures.push({ title, lines: [tail, `Ended with ${signal ?? `status ${status}`}.`] });
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
