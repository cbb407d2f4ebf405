import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { ENV, ROOT } from "../../../scripts/local-shop.mjs";
import { type CloudflareApi, startCloudflareApi, ZONE } from "../../support/cloudflare-api";

const HOST = `shop.${ZONE}`;
/** Sends requests for the shop's address to the API on this machine, in the process that waits for the shop. */
const TO_LOOPBACK = `const { fetch: real } = globalThis;
globalThis.fetch = (url, init) =>
  real(String(url).replace("https://${HOST}", process.env.CLOUDFLARE_API_BASE_URL), init);`;
/** The build of the same source that the journeys use, in place of a second one, which takes a core for a minute. */
const BUILD = `#!/bin/sh
test "$*" = vite:build && cp -R '${join(ROOT, "build")}' build`;
/** Wrangler starts a dozen times. */
const TIMEOUT_MS = 600_000;
/** It prints all migrations again for each that it applies. */
const OUTPUT_BYTES = 16e6;

const folder = mkdtempSync(join(tmpdir(), "emporia-guide-"));
const preload = `${folder}.mjs`;
let api: CloudflareApi;
test.beforeAll(async () => {
  writeFileSync(preload, TO_LOOPBACK);
  api = await startCloudflareApi();
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const file of String(files).split("\0").filter(Boolean)) {
    if (/^(?:tests|bench|docs)\//.test(file)) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  installPackages();
});
test.afterAll(async () => {
  await api.stop();
  for (const path of [folder, preload]) rmSync(path, { recursive: true, force: true });
});

/** Links the packages, in place of npm ci. */
function installPackages(): void {
  const [from, to] = [join(ROOT, "node_modules"), join(folder, "node_modules")];
  mkdirSync(join(to, ".bin"), { recursive: true });
  const linked = [...readdirSync(from), ...readdirSync(join(from, ".bin")).map((name) => join(".bin", name))];
  for (const name of linked)
    if (![".bin", ".bin/remix"].includes(name)) symlinkSync(join(from, name), join(to, name));
  writeFileSync(join(to, ".bin/remix"), BUILD, { mode: 0o755 });
}

/** Runs a line of the guide in a shell. @returns what it prints */
async function shell(line: string): Promise<{ status: number; output: string }> {
  const env = {
    ...ENV,
    ...api.env,
    NODE_OPTIONS: `--import=${preload}`,
    CI: "true",
  } as NodeJS.ProcessEnv;
  try {
    const options = { cwd: folder, env, maxBuffer: OUTPUT_BYTES };
    const { stdout, stderr } = await promisify(execFile)("sh", ["-c", line], options);
    return { status: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, output: stdout + stderr };
  }
}

const guide = () => readFileSync(join(ROOT, "docs/operations.md"), "utf8");

/** Lists the commands of the guide's first deploy. */
function guideLines(): string[] {
  const [, block = ""] = /## First deploy[\s\S]*?```sh\n([\s\S]*?)```/.exec(guide()) ?? [];
  return block.split("\n").filter(Boolean);
}

/** Settings that the guide asks for. */
const SETTINGS = {
  SHOP_URL: `https://${HOST}`,
  SUPPORT_EMAIL: `hello@${ZONE}`,
  LEGAL_EMAIL: `legal@${ZONE}`,
  MAIL_FROM: `no-reply@${ZONE}`,
  SHOP_ADDRESS: "12 Rue Sablier, Montréal",
  SHOP_MAP_URL: "",
  SHOP_PHONE: "+1 514 867 5309",
  SELLER_SMS: "+15148675309",
  SOCIAL_INSTAGRAM: "",
  SOCIAL_FACEBOOK: "",
  SOCIAL_TIKTOK: "",
};
const config = join(folder, "wrangler.toml");

/** Edits wrangler.toml as the guide says. */
function configure(): void {
  let text = readFileSync(config, "utf8");
  for (const [name, value] of Object.entries(SETTINGS))
    text = text.replace(new RegExp(`^${name} = .*$`, "m"), `${name} = ${JSON.stringify(value)}`);
  const [, domain = ""] = /```toml\n([\s\S]*?)```/.exec(guide()) ?? [];
  const lines = domain.replace("shop.your-domain.com", HOST).replace(/^ +/gm, "");
  writeFileSync(config, text.replace(/^# Hashed files/m, `${lines}\n$&`));
}

function setDatabase(printed: string): void {
  const [id = ""] = /[\da-f]{8}-[\da-f-]{27}/.exec(printed) ?? [];
  const text = readFileSync(config, "utf8");
  writeFileSync(config, text.replace("00000000-0000-0000-0000-000000000000", id));
}

test("the guide's first deploy leads from an empty folder to a shop that is ready", async () => {
  test.setTimeout(TIMEOUT_MS);
  configure();
  const printed: string[] = [];
  for (const line of guideLines()) {
    if (/npm ci|wrangler login/.test(line)) continue;
    const { status, output } = await shell(line);
    expect(status, `${line}\n${output}`).toBe(0);
    if (line.includes("d1 create")) setDatabase(output);
    printed.push(output);
  }
  expect(printed.at(-2)).toContain("The shop is ready.");
  expect(printed.at(-2)).toContain(`wrangler email sending enable ${ZONE}`);
  expect(printed.at(-2)).toContain(`no rule of Email Routing sends chat@${ZONE} to the Worker emporia`);
  expect(printed.at(-1)).toContain("you@example.com is an admin now.");
  const { databases, buckets, secrets, tag, domains, crons, files } = api.account;
  expect([...buckets, ...secrets, tag, ...domains, ...crons]).toEqual([
    ...["emporia-images", "COOKIE_SECRET", "BACKUP_KEY", "v3", HOST, "10 8 * * *", "*/15 * * * *"],
  ]);
  expect(files.size).toBeGreaterThan(50);
  const [database] = databases.values();
  const admins = database?.rows.prepare("SELECT email FROM users WHERE is_admin = 1").all();
  expect(admins).toEqual([expect.objectContaining({ email: "you@example.com" })]);
  expect(api.unknown.filter((request) => request !== "POST /graphql")).toEqual([]);
});
