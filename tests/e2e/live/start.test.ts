import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { prepare, ROOT } from "../../../scripts/local-shop.mjs";
import { freePort, OWN_CONNECTION } from "../../support/running-shop";
import { copySeededState } from "../../support/seeded-state";

const stateDir = mkdtempSync(join(tmpdir(), "emporia-start-"));
/** Groups of processes that the test has started. */
const groups: number[] = [];

test.beforeAll(() => copySeededState(stateDir));
test.afterAll(() => {
  for (const group of groups) killGroup(group);
  rmSync(stateDir, { recursive: true, force: true });
});

/** Runs `npm start` in a group of its own, as a process manager does. */
async function npmStart(port: number): Promise<{ npm: ChildProcess; printed(): string }> {
  const env = { ...process.env, PORT: String(port), STATE_DIR: stateDir };
  const npm = spawn("npm", ["start"], { cwd: ROOT, env, detached: true });
  groups.push(npm.pid ?? 0);
  let text = "";
  for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (chunk) => (text += chunk));
  return { npm, printed: () => text };
}

/** Waits, on a busy machine too, until a shop says that it is open. */
const isOpen = (printed: () => string) =>
  expect.poll(printed, { timeout: 90_000 }).toContain("Emporia is open");

/** Ends what is left of a group, at once. */
function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It had ended.
  }
}

/** Lists the processes of a group; those that have ended and were not collected are none. */
function processesOf(group: number): string[] {
  const listed = execFileSync("ps", ["-Ao", "pgid=,stat=,args="], { encoding: "utf8" });
  const rows = listed.split("\n").map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([pgid, stat = ""]) => pgid === String(group) && !stat.startsWith("Z"))
    .map((row) => row.slice(2).join(" "));
}

const healthz = (port: number) =>
  fetch(`http://localhost:${port}/healthz`, { headers: OWN_CONNECTION }).then(
    ({ status }) => status,
    () => "no answer",
  );

for (const signal of ["SIGTERM", "SIGINT"] as const)
  test(`${signal} to npm alone ends every process of the shop and frees its folder`, async () => {
    const port = await freePort();
    const { npm, printed } = await npmStart(port);
    await isOpen(printed);
    expect(await healthz(port)).toBe(200);
    npm.kill(signal);
    await expect.poll(() => processesOf(npm.pid ?? 0)).toEqual([]);
    expect(existsSync(join(stateDir, "in-use"))).toBe(false);
  });

test("a second shop on the folder is refused, and one that was killed is followed by the next", async () => {
  const [port, other] = [await freePort(), await freePort()];
  const first = await npmStart(port);
  await isOpen(first.printed);
  const second = await npmStart(other);
  expect(await once(second.npm, "exit")).toEqual([1, null]);
  expect(second.printed()).toContain("A shop is running on");
  expect(await healthz(port)).toBe(200);
  killGroup(first.npm.pid ?? 0);
  await once(first.npm, "exit");
  expect(existsSync(join(stateDir, "in-use"))).toBe(true);
  const next = await npmStart(port);
  await isOpen(next.printed);
  expect(await healthz(port)).toBe(200);
});

function query(dir: string, sql: string) {
  const args = ["d1", "execute", "DB", "--local", "--persist-to", dir, "--json", "--command", sql];
  const env = { ...process.env, CI: "true" };
  return JSON.parse(
    execFileSync(join(ROOT, "node_modules/.bin/wrangler"), args, { cwd: ROOT, env, encoding: "utf8" }),
  );
}

test("a migration that fails is named, with its error, and those before it stay", () => {
  const dir = join(stateDir, "failing");
  const migrations = [
    { name: "0000_shelves.sql", sql: "CREATE TABLE shelves (id);" },
    { name: "0001_boxes.sql", sql: "CREATE TABLE boxes (id); INSERT INTO crates VALUES (1);" },
    { name: "0002_lids.sql", sql: "CREATE TABLE lids (id);" },
  ];
  const script = `import { applyMigrations } from "./scripts/local-shop.mjs";
    applyMigrations(${JSON.stringify(dir)}, ${JSON.stringify(migrations)});`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("Migration 0001_boxes.sql failed: no such table: crates"),
  ]);
  expect(query(dir, "SELECT name FROM d1_migrations")[0].results).toEqual([{ name: "0000_shelves.sql" }]);
});

test("a database without tables, which the build leaves behind, is filled", () => {
  const dir = join(stateDir, "without-tables");
  query(dir, "SELECT 1");
  prepare(dir, { seed: false });
  const [{ results }] = query(dir, "SELECT count(*) AS applied, max(name) AS latest FROM d1_migrations");
  const released = readFileSync(join(ROOT, "tests/releases/migrations.sha256"), "utf8").trim().split("\n");
  expect(results[0].applied).toBeGreaterThanOrEqual(released.length);
  expect(query(dir, "SELECT count(*) AS products FROM products")[0].results).toEqual([{ products: 0 }]);
});
