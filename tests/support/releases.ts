import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ROOT } from "../../scripts/local-shop.mjs";
import type { Facts } from "../releases/fill";

const FOLDER = join(ROOT, "tests/releases");

/** Versions of the recorded releases, oldest first. */
export const RELEASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));

const [OLDEST = ""] = RELEASES;

const unpacked = (file: string) => gunzipSync(readFileSync(join(FOLDER, OLDEST, file)));

/** Stores the archive of the oldest release, whose schema is the farthest from today's. @returns its path in the folder */
export function unpackOldest(folder: string): string {
  const path = join(folder, `release-${OLDEST}.tar`);
  writeFileSync(path, unpacked("shop.tar.gz"));
  return path;
}

/** Reads what was noted when the oldest release was recorded. */
export const factsOfOldest = () => JSON.parse(String(unpacked("writes.json.gz"))).facts as Facts;
