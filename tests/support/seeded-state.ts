import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { build, prepare, ROOT } from "../../scripts/local-shop.mjs";

const CACHE = join(ROOT, ".wrangler/seeded");
const SOURCES = ["migrations", "scripts/seed", "scripts/seed.mjs", "scripts/shop-module.mjs", "data"];

/** Builds the shop and seeds the state that every journey starts from, each only when its sources have changed. */
export default function prepareJourneys(): void {
  build();
  const state = seededState();
  if (existsSync(state)) return;
  rmSync(CACHE, { recursive: true, force: true });
  const unfinished = `${state}.${process.pid}`;
  prepare(unfinished);
  renameSync(unfinished, state);
}

/**
 * Copies the seeded state.
 *
 * @param stateDir of the new shop
 */
export function copySeededState(stateDir: string): void {
  mkdirSync(stateDir, { recursive: true });
  cpSync(seededState(), stateDir, { recursive: true });
}

/** The seed fills the ledger up to today, so that the date is part of the key. */
function seededState(): string {
  const hash = createHash("sha256").update(new Date().toDateString());
  for (const path of SOURCES.flatMap((name) => filesBelow(join(ROOT, name))))
    hash.update(path).update(readFileSync(path));
  return join(CACHE, hash.digest("hex").slice(0, 16));
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
