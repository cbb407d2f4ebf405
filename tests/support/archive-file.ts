import { readFileSync, writeFileSync } from "node:fs";
import {
  type ArchiveEntry,
  chained,
  type Manifest,
  packEnd,
  packSlice,
  readManifest,
  unpackSlice,
} from "../../app/features/backup/archive";

/** Archive in memory, with each slice as it is sent. */
export interface Archive {
  manifest: Manifest;
  slices: Uint8Array<ArrayBuffer>[];
}

/** Reads an archive from disk. */
export async function readArchive(path: string): Promise<Archive> {
  const bytes = new Uint8Array(readFileSync(path));
  const manifest = await readManifest(bytes.byteLength, async (from, count) =>
    bytes.slice(from, from + count),
  );
  let from = 0;
  const slices = manifest.slices.map((size) => {
    from += size;
    return bytes.slice(from - size, from);
  });
  return { manifest, slices };
}

/** Lists the files of an archive. */
export const entriesOf = async ({ slices }: Archive): Promise<ArchiveEntry[]> =>
  (await Promise.all(slices.map(unpackSlice))).flat();

/** Writes an archive with other slices or another manifest, sealed again. */
export async function writeArchive(path: string, { slices, manifest }: Archive): Promise<void> {
  let sha256 = "";
  for (const slice of slices) sha256 = await chained(sha256, slice);
  const sizes = slices.map(({ byteLength }) => byteLength);
  const end = await packEnd(JSON.stringify({ ...manifest, slices: sizes, sha256 }));
  writeFileSync(path, Buffer.concat([...slices, end]));
}

/** Changes the files of each slice. */
export async function withEntries(
  archive: Archive,
  change: (entry: ArchiveEntry) => ArchiveEntry,
): Promise<Archive> {
  const changed = async (slice: Uint8Array<ArrayBuffer>) => packSlice((await unpackSlice(slice)).map(change));
  return { ...archive, slices: await Promise.all(archive.slices.map(changed)) };
}
