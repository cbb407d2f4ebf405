// Bundles the simulation: with substitutes of the platform, and perhaps with a planted bug.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../../..");
const RUNTIME = "tests/simulation/runtime";
const PLANTED = join(ROOT, "tests/simulation/planted");
const path = (name) => join(ROOT, name);

/** Modules in place of those of the platform, and of one that uses its threads. */
const SUBSTITUTES = {
  "cloudflare:workers": path(`${RUNTIME}/cloudflare-workers.ts`),
  "cloudflare:email": path(`${RUNTIME}/cloudflare-workers.ts`),
  "@block65/webcrypto-web-push": path(`${RUNTIME}/web-push.ts`),
};
/** Module in place of Remix's build. */
const BUILD = { pattern: /^\.\.\/build\/server$/, module: path(`${RUNTIME}/build.ts`) };
/** Lists the planted bugs by name. */
export const plantedBugs = () =>
  readdirSync(PLANTED)
    .filter((name) => name.endsWith(".patch"))
    .map((name) => name.slice(0, -".patch".length));

/**
 * Reads a planted bug: a unified diff of one line.
 *
 * @returns its file, relative to the root, and a function that replaces the line
 */
export function readPatch(name) {
  const lines = readFileSync(join(PLANTED, `${name}.patch`), "utf8").split("\n");
  const file = lines.find((line) => line.startsWith("+++ b/"))?.slice("+++ b/".length);
  const changed = (sign) => lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)));
  const text = (sign) =>
    changed(sign)
      .map((line) => line.slice(1))
      .join("\n");
  const [before, after] = [text("-"), text("+")];
  if (!file || changed("-").length !== 1) throw new Error(`${name}.patch does not change one line`);
  const apply = (source) => {
    if (source.split(before).length !== 2) throw new Error(`${name}.patch: its line is not in ${file} once`);
    return source.replace(before, () => after);
  };
  return { file, apply };
}

/** Builds the module whose default export is the SQL of all migrations. @param patch planted bug, if any */
function migrationsModule(patch) {
  const names = readdirSync(path("migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const read = (name) => {
    const sql = readFileSync(path(`migrations/${name}`), "utf8");
    return patch?.file === `migrations/${name}` ? patch.apply(sql) : sql;
  };
  const recorded = names.map((name) => `INSERT INTO d1_migrations (name) VALUES ('${name}');`);
  const table = "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT);";
  return `export default ${JSON.stringify([...names.map(read), table, ...recorded].join("\n"))};`;
}

/** Plugin of esbuild. @param patch planted bug, if any */
const simulationPlugin = (patch) => ({
  name: "simulation",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: BUILD.pattern }, () => ({ path: BUILD.module }));
    onResolve({ filter: /^simulation:/ }, ({ path }) => ({ path, namespace: "simulation" }));
    onLoad({ filter: /./, namespace: "simulation" }, () => ({
      contents: migrationsModule(patch),
      loader: "js",
    }));
    onLoad({ filter: /\/(?:app|workers)\/.*\.tsx?$/ }, ({ path }) => {
      if (relative(ROOT, path) !== patch?.file) return undefined;
      return { contents: patch.apply(readFileSync(path, "utf8")), loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
});

/**
 * Bundles the shop with the simulation.
 *
 * @param entry below tests/simulation
 * @param patch planted bug, if any
 */
export async function bundleSimulation(entry, outfile, patch = null) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`tests/simulation/${entry}`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    sourcemap: true,
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker"],
    alias: { ...SUBSTITUTES, "~/domain/currency": "./tests/support/currency.ts", "~": "./app" },
    plugins: [simulationPlugin(patch)],
    loader: { ".css": "empty", ".svg": "dataurl", ".woff": "binary", ".ttf": "binary" },
    // Packages in CommonJS require Node's modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
}
