// npm run db:hash: adds the hashes of new migrations to tests/releases/migrations.sha256, and changes none that is there.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./local-shop.mjs";
import { migrationHashes } from "./migration-files.mjs";

const FILE = join(ROOT, "tests/releases/migrations.sha256");

const hashes = migrationHashes();
const changed = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => !hashes.split("\n").includes(line));
for (const line of changed)
  console.error(
    `${line.split("  ")[1]} has changed or is gone: mend it by a new migration. If it was never merged, delete its line.`,
  );
if (changed.length > 0) process.exitCode = 1;
else writeFileSync(FILE, hashes);
