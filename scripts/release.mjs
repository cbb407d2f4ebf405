// npm run release -- VERSION, by npm before it writes the new version: dates the version in CHANGELOG.md, and stores in
// tests/releases/ a filled shop of it, the writes that filled it, and the migrations' hashes (docs/operations.md).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { ENV, ROOT } from "./local-shop.mjs";

const RELEASES = join(ROOT, "tests/releases");
const CHANGELOG = join(ROOT, "CHANGELOG.md");
/** Limit of a release's files, bytes: they stay in the repository forever. */
const MAX_BYTES = 200_000;

try {
  await release(process.env.npm_new_version ?? "");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Prepares the commit of a version. @throws before anything is stored when the changelog says nothing of it */
async function release(version) {
  if (!version) throw new Error("Run: npm run release -- VERSION");
  const changelog = dated(readFileSync(CHANGELOG, "utf8"), version);
  store(version, await record());
  run("npm", "run", "db:hash");
  writeFileSync(CHANGELOG, changelog);
  run("git", "add", CHANGELOG, RELEASES);
}

/** Moves what is unreleased in a changelog (https://keepachangelog.com) to a version of today. */
function dated(changelog, version) {
  const [, changes = ""] = /^## \[Unreleased\]\n(.*?)^(?:## |\[)/ms.exec(`${changelog}\n## `) ?? [];
  if (!changes.trim()) throw new Error("CHANGELOG.md has nothing under [Unreleased].");
  const today = new Date().toISOString().slice(0, 10);
  const anchor = `#${version.replaceAll(".", "")}---${today}`;
  return changelog
    .replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${today}\n`)
    .replace("[Unreleased]: #unreleased\n", `[Unreleased]: #unreleased\n[${version}]: ${anchor}\n`);
}

function run(command, ...args) {
  const { status } = spawnSync(command, args, { cwd: ROOT, env: ENV, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed.`);
}

/** Runs tests/releases/record.ts. @returns the files that it sends, by name */
async function record() {
  const files = new Map();
  const server = createServer(async (request, response) => {
    files.set(request.url.slice(1), await buffer(request));
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const env = { ...ENV, RELEASE_RECORDER: `http://127.0.0.1:${server.address().port}` };
    const args = ["run", "--project", "recording"];
    const [status] = await once(spawn("vitest", args, { cwd: ROOT, env, stdio: "inherit" }), "close");
    if (status !== 0) throw new Error("Nothing was recorded.");
    return files;
  } finally {
    server.close();
  }
}

function store(version, files) {
  const stored = ["shop.tar", "writes.json"].map((file) => [
    `${file}.gz`,
    gzipSync(files.get(file), { level: 9 }),
  ]);
  for (const [file, { byteLength }] of stored)
    if (byteLength > MAX_BYTES) throw new Error(`${file} has ${byteLength} bytes; ${MAX_BYTES} are allowed.`);
  mkdirSync(join(RELEASES, version), { recursive: true });
  for (const [file, content] of stored) writeFileSync(join(RELEASES, version, file), content);
}
