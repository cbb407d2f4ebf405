// npm run test:changed [-- REF]: checks format, lint, types and structure, and runs the unit and Worker tests that the changes
// since REF (HEAD without it) reach. A unit test reaches what it imports; a Worker test also what answers the paths that it
// and its helpers name, and what every request passes through. Journeys and tests of the built shop are left to `npm test`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { TEST_CURRENCY } from "../tests/support/fixed-currency.mjs";
import { ENV, install, ROOT } from "./local-shop.mjs";

install();
process.chdir(ROOT);

/** Files that every test depends on, besides what it imports. */
const EVERYTHING =
  /^(?:migrations\/|package(?:-lock)?\.json|vitest\.config\.ts|wrangler\.toml|vite\.config\.ts|scripts\/\w+-build\.ts|tsconfig\.json)/;
const UNIT_TEST = /^app\/.*\.test\.ts$/;
const WORKER_TEST = /^(?:tests\/(?:api|budgets\/d1|limits)|workers)\/.*\.test\.ts$|\.worker\.test\.ts$/;
const ASSETS = [".css", ".csv", ".sql", ".svg", ".toml", ".ttf", ".webp"];
const API_TABLE = "app/api/routes.server.ts";

const sources = git("ls-files", "--cached", "--others", "--exclude-standard").filter(existsSync);
const tests = sources.filter((file) => UNIT_TEST.test(file) || WORKER_TEST.test(file));
const routes = sources.filter((file) => /^app\/routes\/.*\.tsx?$/.test(file));
const changed = changedSince(process.argv[2] ?? "HEAD");
const imports = await importGraph([...tests, ...routes, "workers/app.ts", API_TABLE]);
const reached = changed.some((file) => EVERYTHING.test(file)) ? tests : tests.filter(isReached);

console.log(`${changed.length} files changed; ${reached.length} of ${tests.length} test files are reached`);
const steps = [
  ["biome", "check", "."],
  ["tsgo", "--noEmit"],
  ["vitest", "run", "--project=structure"],
  ...(reached.length > 0 ? [["vitest", "run", "--project=!structure", ...reached]] : []),
];
for (const [command, ...args] of steps) {
  const { status } = spawnSync(command, args, { env: ENV, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs git. @returns the lines that it prints */
function git(...args) {
  return execFileSync("git", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

/** Lists changed, deleted and untracked files. */
function changedSince(ref) {
  return [...git("diff", "--name-only", ref), ...git("ls-files", "--others", "--exclude-standard")];
}

/** Reads which files each file imports, types aside, which the compiler checks. */
async function importGraph(entryPoints) {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    metafile: true,
    write: false,
    outdir: "unused",
    packages: "external",
    external: ["../build/server", "worker-under-test"],
    loader: Object.fromEntries(ASSETS.map((ending) => [ending, "empty"])),
    alias: { "~/domain/currency": `./${TEST_CURRENCY}`, "~": "./app" },
    format: "esm",
    platform: "neutral",
    logLevel: "error",
  });
  return new Map(
    Object.entries(metafile.inputs).map(([file, { imports: found }]) => [
      withoutQuery(file),
      found.filter(({ external }) => !external).map(({ path }) => withoutQuery(path)),
    ]),
  );
}

/** Removes the part of an import that tells Vite how to read the file: `?raw`. */
function withoutQuery(path) {
  return path.replace(/\?.*$/, "");
}

/** Collects what files import, directly and not. @param without files that are not followed */
function closure(entries, without = []) {
  const found = new Set();
  const queue = [...entries];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file) || without.includes(file)) continue;
    found.add(file);
    queue.push(...(imports.get(file) ?? []));
  }
  return found;
}

function isReached(test) {
  const own = closure([test]);
  const read = WORKER_TEST.test(test) ? new Set([...own, ...closure(answering(own), [API_TABLE])]) : own;
  return changed.some((file) => read.has(file));
}

/** Lists the modules that answer the paths which files name, with those that every request passes. */
function answering(sources) {
  const ours = [...sources].filter((file) => file.startsWith("tests/") || file.endsWith(".test.ts"));
  const paths = ours.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/["'`](\/[a-z][\w./$-]*)/gi)].map(([, path]) => path),
  );
  const pages = routes.filter((route) => paths.some((path) => isBelow(path, pagePath(route))));
  const operations = apiModules().filter(([key]) => paths.some((path) => isBelow(path, `/api/${key}`)));
  return ["workers/app.ts", "app/root.tsx", ...pages, ...operations.map(([, module]) => module)];
}

/** Tells whether a path begins with the first two parts of another, or with its only one. */
function isBelow(path, pattern) {
  const parts = path.split("/").slice(1, 3);
  const own = pattern.split("/").slice(1, 3);
  return own.every((part, i) => part.startsWith("$") || parts[i] === undefined || parts[i] === part);
}

/** Returns the path of a route's file: `/admin/customers/$id`. */
function pagePath(route) {
  const name = route.slice("app/routes/".length).replace(/\.tsx?$/, "");
  const parts = name.replaceAll("[.]", "·").split(".");
  return `/${parts
    .filter((part) => part !== "_index" && part !== "_shop")
    .map((part) => part.replace(/_$/, "").replaceAll("·", "."))
    .join("/")}`;
}

/** Lists the first part of each API path with the module of its operation. */
function apiModules() {
  const declared = /^\s+(?:route: ["`][A-Z]+ |api: \{ path: ")([a-z]+)/gm;
  return sources
    .filter((file) => /^app\/features\/.*\.server\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(declared)].map(([, segment]) => [segment, file]),
    );
}
