// npm run db:generate -- --name NAME: writes a migration from what changed in the schema, with the triggers that list the
// fields of a record, and adds its hash. Where only a record has changed: npm run db:generate -- --custom --name NAME.
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ENV, install, ROOT } from "./local-shop.mjs";
import { firstMigrations } from "./migration-files.mjs";

const TRIGGERS = join(ROOT, ".wrangler/record-triggers.mjs");

install();
const before = firstMigrations().length;
run("drizzle-kit", ["generate", ...process.argv.slice(2)]);
const [migration] = firstMigrations().slice(before);
const changes = await triggerChanges();
if (migration && changes.length > 0) {
  const statements = changes.map((sql) => `\n--> statement-breakpoint\n${sql}`);
  appendFileSync(join(ROOT, "migrations", migration.name), `${statements.join("")}\n`);
} else if (changes.length > 0) {
  console.error("Triggers have to list other fields: npm run db:generate -- --custom --name NAME");
  process.exit(1);
}
run(process.execPath, ["scripts/hash-migrations.mjs"]);

/** Runs a command. A failure ends this one. */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: ROOT, env: ENV, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Returns what scripts/record-triggers.ts finds, which is in TypeScript since the records are. */
async function triggerChanges() {
  await build({
    entryPoints: [join(ROOT, "scripts/record-triggers.ts")],
    outfile: TRIGGERS,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    alias: { "~": join(ROOT, "app") },
    logLevel: "error",
  });
  return (await import(pathToFileURL(TRIGGERS).href)).triggerChanges();
}
