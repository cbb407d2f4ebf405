import { describe, expect, it } from "vitest";
import {
  chained,
  emptyTally,
  type Manifest,
  packEnd,
  packSlice,
  readManifest,
  tallied,
  unpackSlice,
} from "./archive";

const encode = (text: string) => new TextEncoder().encode(text);
const ENTRIES = [
  { name: "tables/users/000000000.jsonl", data: encode('[["a"]]\n') },
  { name: `objects/${"long/".repeat(60)}é.png`, data: new Uint8Array(700), meta: '{"httpMetadata":{}}' },
];

async function archive(changes: Partial<Manifest> = {}): Promise<Uint8Array<ArrayBuffer>> {
  const slice = await packSlice(ENTRIES);
  const manifest: Manifest = {
    format: 1,
    createdAt: "2026-11-22T03:10:00Z",
    migrations: ["0000_tables.sql"],
    columns: {},
    tables: { users: await tallied(emptyTally(), ENTRIES[0] ?? { name: "", data: encode("") }) },
    chats: emptyTally(),
    objects: emptyTally(),
    slices: [slice.byteLength],
    sha256: await chained("", slice),
    ...changes,
  };
  return new Uint8Array(await new Blob([slice, await packEnd(JSON.stringify(manifest))]).arrayBuffer());
}

/** Checks every byte, as the scripts do. */
async function check(bytes: Uint8Array<ArrayBuffer>): Promise<Manifest> {
  const manifest = await readManifest(bytes.byteLength, async (from, count) =>
    bytes.slice(from, from + count),
  );
  let sha256 = "";
  let from = 0;
  for (const count of manifest.slices) {
    sha256 = await chained(sha256, bytes.slice(from, from + count));
    from += count;
  }
  if (sha256 !== manifest.sha256) throw new Error("damaged");
  return manifest;
}

describe("archive", () => {
  it("returns its files as they were", async () => {
    expect(await unpackSlice(await packSlice(ENTRIES))).toEqual(ENTRIES);
    expect((await check(await archive())).migrations).toEqual(["0000_tables.sql"]);
  });

  it("is the same for the same content", async () => {
    expect(await archive()).toEqual(await archive());
  });

  it("is refused with any one byte flipped", async () => {
    const whole = await archive();
    for (let at = 0; at < whole.byteLength; at += 13) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await expect(check(flipped), `byte ${at}`).rejects.toThrow();
    }
  });

  it("is refused truncated, extended, empty and of a newer format", async () => {
    const whole = await archive();
    for (const length of [0, 1, 512, 2048, whole.byteLength - 512, whole.byteLength - 1])
      await expect(check(whole.slice(0, length)), `${length} bytes`).rejects.toThrow();
    await expect(check(new Uint8Array([...whole, 0]))).rejects.toThrow();
    await expect(check(await archive({ format: 2 }))).rejects.toThrow("newer version");
  });
});
