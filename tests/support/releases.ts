import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/local-shop.mjs";

const FOLDER = join(ROOT, "tests/releases");

/** Recorded releases, oldest first: version, and the files that `npm run release` stored of it. */
export const RELEASES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    version: name,
    archive: join(FOLDER, name, "shop.tar"),
    writes: join(FOLDER, name, "writes.json.gz"),
  }))
  .toSorted((a, b) => a.version.localeCompare(b.version, "en", { numeric: true }));

/** Finds the release whose schema is the farthest from today's. @throws without any */
export function oldestRelease() {
  const [oldest] = RELEASES;
  if (!oldest) throw new Error(`No release is recorded in ${FOLDER}.`);
  return oldest;
}
