import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ENV, ROOT } from "../../../scripts/local-shop.mjs";
import { readArchive } from "../../support/archive-file";
import { type CloudflareApi, startCloudflareApi } from "../../support/cloudflare-api";
import { unpackOldest } from "../../support/releases";

/** Runs the checks of npm run deploy in a process of its own: they wait for wrangler, which asks the API of this one. */
const CHECKS = `
import { spawnSync } from "node:child_process";
import { unstable_readConfig as readConfig } from "wrangler";
import { checkAccount } from "./scripts/deploy-checks.mjs";
const file = process.env.CONFIG;
const wrangler = (args) => spawnSync("wrangler", [...args, "--config", file], { encoding: "utf8" });
console.log(JSON.stringify(checkAccount(readConfig({ config: file }), wrangler)));`;
/** Each starts wrangler up to three times. */
const TIMEOUT_MS = 180_000;
/** Wrangler prints all migrations again for each that it applies. */
const OUTPUT_BYTES = 16e6;

const folder = mkdtempSync(join(tmpdir(), "emporia-account-"));
const file = join(folder, "wrangler.toml");
let api: CloudflareApi;
test.beforeAll(async () => {
  api = await startCloudflareApi();
});
test.afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

const run = async (command: string, args: string[], env: Record<string, string> = {}) => {
  const all = { ...ENV, ...api.env, CONFIG: file, ...env };
  return (await promisify(execFile)(command, args, { cwd: ROOT, env: all, maxBuffer: OUTPUT_BYTES })).stdout;
};

/** Writes the shop's configuration for a database. */
function configure(databaseId: string): void {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8")
    .replace("00000000-0000-0000-0000-000000000000", databaseId)
    .replace('"migrations"', JSON.stringify(join(ROOT, "migrations")))
    .replace("workers/app.ts", join(ROOT, "workers/app.ts"));
  writeFileSync(file, config);
}

const checks = async (env: Record<string, string> = {}) =>
  JSON.parse(await run("node", ["--input-type=module", "--eval", CHECKS], env)) as {
    problems: string[];
    notes: string[];
  };

test.describe("the checks of npm run deploy, with the real wrangler", () => {
  test.describe.configure({ timeout: TIMEOUT_MS });

  test("read an account", async () => {
    configure(await api.createDatabase());
    const { problems, notes } = await checks();
    expect(problems).toEqual([
      "Migrations are missing: npx wrangler d1 migrations apply DB --remote",
      expect.stringContaining("The Worker has no secret COOKIE_SECRET"),
    ]);
    expect(notes).toEqual(["Read replication of the database is on."]);
    await run("wrangler", ["d1", "migrations", "apply", "DB", "--remote", "--config", file], { CI: "true" });
    api.setSecrets("COOKIE_SECRET", "BACKUP_KEY");
    expect((await checks()).problems).toEqual([]);
    // Statistics of the database, which the checks do without.
    expect(api.unknown.filter((request) => request !== "POST /graphql")).toEqual([]);
  });

  const refusals = {
    "a token that is refused": [{ CLOUDFLARE_API_TOKEN: "wrong" }, /Authentication error \[code: 10000\]/],
    "a database that is missing": [{}, /could not be found \[code: 7404\]/],
  } as const;
  for (const [what, [env, words]] of Object.entries(refusals))
    test(`repeat Cloudflare's own words: ${what}`, async () => {
      configure("5b4d9c1e-52f1-4d0e-8a34-7f2f6d9a1c55");
      const { problems } = await checks(env);
      expect(problems).toEqual([expect.stringMatching(words)]);
    });
});

test("the guide's restore of an older archive creates its schema, and applies the later migrations", async () => {
  test.setTimeout(TIMEOUT_MS);
  const id = api.createDatabase();
  configure(id);
  const archive = unpackOldest(folder);
  const schema = join(folder, "schema.sql");
  await run("node", ["scripts/backup.mjs", "restore", "--schema", schema, archive]);
  const wrangler = (...args: string[]) =>
    run("wrangler", ["d1", ...args, "--remote", "--config", file], { CI: "true" });
  await wrangler("execute", "DB", "--file", schema);
  const applied = () =>
    api.account.databases
      .get(id)
      ?.rows.prepare("SELECT name FROM d1_migrations ORDER BY id")
      .all()
      .map(({ name }) => name);
  expect(applied()).toEqual((await readArchive(archive)).manifest.migrations);
  await wrangler("migrations", "apply", "DB");
  expect(applied()).toEqual(readdirSync(join(ROOT, "migrations")).filter((name) => name.endsWith(".sql")));
});
