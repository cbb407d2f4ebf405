import { spawnSync } from "node:child_process";
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
import { build, CURRENCY_MODULE, ENV, prepare, ROOT } from "../../scripts/local-shop.mjs";
import { wrappedShop } from "./wrapped-shop.ts";

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
/** Seed of the replica's lag in `npm run test:lag`; without one the shop has no replica. */
export const { LAG_SEED } = process.env;

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
  if (LAG_SEED) addReplica(unfinished);
  renameSync(unfinished, state);
}

/** Binding of the database's replica (tests/support/lagging-d1.ts). */
export const REPLICA = `[[d1_databases]]
binding = "DB_REPLICA"
database_name = "replica"
database_id = "00000000-0000-0000-0000-000000000001"
`;

/** Copies the database of a state into the one of its replica. Local files have names by hash, which the engine makes. */
function addReplica(stateDir: string): void {
  const folder = join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  const primary = databasesIn(folder);
  const config = wrappedShop(stateDir, "tests/support/lagging-shop.js", REPLICA);
  const query = ["d1", "execute", "DB_REPLICA", "--local", "--command", "SELECT 1", "--config", config];
  const { status, stderr } = spawnSync("wrangler", [...query, "--persist-to", stateDir], {
    env: ENV,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`No replica: ${stderr}`);
  const [replica] = databasesIn(folder).filter((name) => !primary.includes(name));
  if (primary.length !== 1 || !replica)
    throw new Error(`Of ${primary} and ${replica} none is a copy of the other.`);
  for (const end of ["", "-wal", "-shm"])
    cpSync(join(folder, primary[0] + end), join(folder, replica + end), { force: true });
}

const databasesIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");

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
  const hash = createHash("sha256")
    .update(new Date().toDateString())
    .update(LAG_SEED ? REPLICA : "");
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
