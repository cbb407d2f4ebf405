import { createHash } from "node:crypto";
import {
  copyFileSync,
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
import { build, CURRENCY_MODULE, prepare, ROOT } from "../../scripts/local-shop.mjs";

const CACHE = join(ROOT, ".wrangler/seeded");
const SEED = join(ROOT, "scripts/seed");
const SOURCES = [
  "migrations",
  "scripts/seed",
  "scripts/seed.mjs",
  "scripts/shop-module.mjs",
  "data",
  "tests/support/seeded-state.ts",
];
/** Width of the pictures, px: resizing and drawing those of the demo, 800 px, takes a sixth of the journeys' time. */
const PICTURE_WIDTH = 80;

/** Builds the shop and seeds the state that every journey starts from, each only when its sources have changed. */
export default async function prepareJourneys(): Promise<void> {
  build();
  const state = join(CACHE, sourcesHash());
  // For the workers, which are started later and inherit it.
  process.env.SEEDED_STATE = state;
  if (existsSync(state)) return;
  rmSync(CACHE, { recursive: true, force: true });
  const unfinished = `${state}.${process.pid}`;
  const data = await withSmallPictures(`${unfinished}.data`);
  prepare(unfinished, { data });
  rmSync(data, { recursive: true });
  renameSync(unfinished, state);
}

/** Writes the demo's data into a folder, with its pictures reduced. @returns the folder */
async function withSmallPictures(folder: string): Promise<string> {
  // Here, so that the workers of the journeys do not load it.
  const { default: sharp } = await import("sharp");
  const [from, to] = [join(ROOT, "data"), join(folder, "pictures")];
  mkdirSync(to, { recursive: true });
  copyFileSync(join(from, "catalogue.json"), join(folder, "catalogue.json"));
  const pictures = readdirSync(join(from, "pictures"));
  await Promise.all(
    pictures.map((name) =>
      sharp(join(from, "pictures", name))
        .resize(PICTURE_WIDTH)
        .toFile(join(to, name)),
    ),
  );
  return folder;
}

/**
 * Copies the seeded state.
 *
 * @param stateDir of the new shop
 */
export function copySeededState(stateDir: string): void {
  mkdirSync(stateDir, { recursive: true });
  cpSync(process.env.SEEDED_STATE ?? "", stateDir, { recursive: true });
}

/** Hashes what the state is made of. The seed fills the ledger up to today, so that the date is part of it. */
function sourcesHash(): string {
  const hash = createHash("sha256").update(new Date().toDateString());
  const files = [...SOURCES.map((name) => join(ROOT, name)), CURRENCY_MODULE].flatMap(filesBelow);
  for (const path of [...files, ...files.flatMap(importedFromApp)])
    hash.update(path).update(readFileSync(path));
  return hash.digest("hex").slice(0, 16);
}

/** Finds the modules of the shop that a file of the seed imports. */
function importedFromApp(path: string): string[] {
  if (!path.startsWith(SEED) || !path.endsWith(".ts")) return [];
  const imports = readFileSync(path, "utf8").matchAll(/from "(\.\.\/\.\.\/app\/[^"]+)"/g);
  return [...imports].map(([, name = ""]) => `${join(SEED, name)}.ts`);
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}
