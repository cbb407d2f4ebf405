// npm run release:record -- NAME: stores a filled shop of this version and the writes that filled it in tests/releases/
// (docs/operations.md).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { ENV, ROOT } from "./local-shop.mjs";

const RELEASES = join(ROOT, "tests/releases");
/** Limit of a release's files, bytes: they stay in the repository forever. */
const MAX_BYTES = 200_000;

const [name = ""] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name)) {
  console.error("Name the release, such as: npm run release:record -- 2026-11-25");
  process.exit(2);
}
try {
  store(await record());
  console.log(`Recorded in tests/releases/${name}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
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

function store(files) {
  const stored = [
    ["shop.tar", files.get("shop.tar")],
    ["writes.json.gz", gzipSync(files.get("writes.json"), { level: 9 })],
  ];
  for (const [file, { byteLength }] of stored)
    if (byteLength > MAX_BYTES) throw new Error(`${file} has ${byteLength} bytes; ${MAX_BYTES} are allowed.`);
  mkdirSync(join(RELEASES, name), { recursive: true });
  for (const [file, content] of stored) writeFileSync(join(RELEASES, name, file), content);
}
