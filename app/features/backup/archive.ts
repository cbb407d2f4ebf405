import { createHash, type Hash } from "node:crypto";
import { createTarDecoder, packTar, type TarHeader, unpackTar } from "modern-tar";

// Archive format (docs/decisions/0027-backup.md): a tar file in slices, each made by one request. Runs in the Worker and
// in the scripts.

/** Version of the format; a reader refuses newer ones. */
export const FORMAT = 1;
/**
 * Bytes of a slice. A row is never divided, so that a slice can be larger by one. A larger file is a slice of its own, which
 * is never held as a whole.
 */
export const SLICE_BYTES = 2_000_000;
/** Bytes of a request that stores a slice, but for rows of older archives and large files. */
export const MAX_REQUEST_BYTES = 2 * SLICE_BYTES;
/** Bytes of a part of a chat. */
export const CHAT_PART_BYTES = 100_000;

/** File of an archive. */
export interface ArchiveEntry {
  name: string;
  data: Uint8Array<ArrayBuffer>;
  /** Metadata of an R2 object, JSON. */
  meta?: string;
}

/** Number of things, their size and the SHA-256 over the digest before and each file. */
export interface Tally {
  count: number;
  bytes: number;
  sha256: string;
}

/** Last file but one of an archive. */
export interface Manifest {
  format: number;
  /** ISO time of the snapshot of D1. */
  createdAt: string;
  /** Names of the applied migrations. */
  migrations: string[];
  /** Columns by table, in the order of the values of each row. */
  columns: Record<string, string[]>;
  tables: Record<string, Tally>;
  chats: Tally;
  objects: Tally;
  /** Bytes of the slices before the manifest, and the SHA-256 over the digest before and each slice. */
  slices: number[];
  sha256: string;
  /** Chats that could not be read, each with the error; missing without any. */
  damaged?: DamagedChat[];
}

/** Chat that could not be read or stored. */
export interface DamagedChat {
  id: string;
  error: string;
}

/** Last file of an archive, which finds and protects the manifest. */
interface Seal {
  bytes: number;
  sha256: string;
}

const BLOCK_BYTES = 512;
/** Zero bytes at the end of a tar file. */
const END_BYTES = 2 * BLOCK_BYTES;
/** Bytes of the seal with its header, and of the end. */
const SEAL_BYTES = 2 * BLOCK_BYTES + END_BYTES;
const META = "EMPORIA.metadata";
/** The same for all files, so that equal shops have equal archives. */
const NO_TIME = new Date(0);

export const emptyTally = (): Tally => ({ count: 0, bytes: 0, sha256: "" });

/** File whose content is not held as a whole. */
export interface LargeFile extends Omit<ArchiveEntry, "data"> {
  size: number;
  body: ReadableStream<Uint8Array>;
}

/** Summary of a file in an archive, with the SHA-256 of its content. */
type FileSummary = Omit<LargeFile, "body"> & { digest: string };

/** Adds a file to a tally. @param count things in the file */
export async function tallied(tally: Tally, { data, ...file }: ArchiveEntry, count = 1): Promise<Tally> {
  return talliedFile(tally, { ...file, size: data.byteLength, digest: await sha256(data) }, count);
}

/** Adds a file to a tally by its summary. */
export async function talliedFile(
  tally: Tally,
  { name, meta, size, digest }: FileSummary,
  count = 1,
): Promise<Tally> {
  const text = JSON.stringify([tally.sha256, name, meta ?? null, digest]);
  return { count: tally.count + count, bytes: tally.bytes + size, sha256: await sha256(encode(text)) };
}

/** Adds a slice to the digest of all slices before. */
export async function chained(before: string, slice: Uint8Array<ArrayBuffer>): Promise<string> {
  return chainedDigest(before, await sha256(slice));
}

/** Adds the digest of a slice to that of all slices before. */
export const chainedDigest = (before: string, slice: string): Promise<string> =>
  sha256(encode(before + slice));

/** Packs files as a part of a tar file. */
export async function packSlice(entries: ArchiveEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const files = entries.map(({ data, ...file }) => ({
    header: tarHeader({ ...file, size: data.byteLength }),
    body: data,
  }));
  const tar = await packTar(files);
  return tar.subarray(0, tar.byteLength - END_BYTES) as Uint8Array<ArrayBuffer>;
}

/** Describes a file to the tar format. */
export const tarHeader = ({ name, meta, size }: Omit<LargeFile, "body">): TarHeader => ({
  name,
  size,
  mtime: NO_TIME,
  ...(meta !== undefined && { pax: { [META]: meta } }),
});

/** Returns the bytes of a file in a tar file: header, content and padding. */
export async function packedSize({ name, meta, size }: Omit<LargeFile, "body">): Promise<number> {
  const empty = await packSlice([{ name, data: new Uint8Array(), ...(meta !== undefined && { meta }) }]);
  return empty.byteLength + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

/** Unpacks a part of a tar file. @throws Error for a damaged one */
export async function unpackSlice(slice: Uint8Array<ArrayBuffer>): Promise<ArchiveEntry[]> {
  const whole = new Uint8Array(slice.byteLength + END_BYTES);
  whole.set(slice);
  const files = await unpackTar(whole, { strict: true });
  return files.map(({ header, data }) => {
    const meta = header.pax?.[META];
    return { name: header.name, data: data ?? new Uint8Array(), ...(meta !== undefined && { meta }) };
  });
}

/**
 * Unpacks a part of a tar file while it arrives. The content of a large file must be read before the next file.
 *
 * @throws Error for a damaged one
 */
export async function* unpackStream(
  slice: ReadableStream<Uint8Array>,
): AsyncGenerator<ArchiveEntry | LargeFile, void> {
  const end = new TransformStream<Uint8Array, Uint8Array>({
    flush: (controller) => controller.enqueue(new Uint8Array(END_BYTES)),
  });
  const files = slice.pipeThrough(end).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of files) {
    const { name, size, pax } = header;
    const file = { name, ...(pax?.[META] !== undefined && { meta: pax[META] }) };
    if (name.startsWith("objects/") && size > SLICE_BYTES) yield { ...file, size, body };
    else yield { ...file, data: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

/** Header of an answer that has a slice, with its bytes. The cursor of the next slice follows them as JSON. */
export const SLICE_HEADER = "X-Slice-Bytes";

/** Reads a slice, and the cursor of the next one. @throws Error for an answer of an older version or one that broke off */
export async function readSlice(
  answer: Response,
): Promise<{ slice: Uint8Array<ArrayBuffer>; next: unknown }> {
  const bytes = Number(answer.headers.get(SLICE_HEADER) ?? Number.NaN);
  if (Number.isNaN(bytes))
    throw new Error(
      "The shop is of another version: take the command of its own version, or deploy this one.",
    );
  const data = new Uint8Array(await answer.arrayBuffer());
  if (data.byteLength <= bytes) throw new Error("The answer broke off.");
  return { slice: data.subarray(0, bytes), next: parse(data.subarray(bytes)) };
}

/** Content of a chat's file. */
export interface ChatFile {
  tables: Record<string, { columns: string[]; rows: unknown[][] }>;
  /** Seq after which the next file begins; null in the last one. */
  next: number | null;
}

/**
 * Divides a slice into parts that one request can store. Older archives have larger slices, and files of chats without a
 * limit of bytes. Rows stay together, because a repeated part would store them twice.
 */
export async function* requestParts(
  slice: Uint8Array<ArrayBuffer>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (slice.byteLength <= MAX_REQUEST_BYTES) return void (yield slice);
  const entries = await unpackSlice(slice);
  if (entries.some(({ name }) => name.startsWith("tables/"))) return void (yield slice);
  let part: ArchiveEntry[] = [];
  let bytes = 0;
  for (const entry of entries.flatMap(chatParts)) {
    if (part.length > 0 && bytes + entry.data.byteLength > SLICE_BYTES) {
      yield packSlice(part);
      part = [];
      bytes = 0;
    }
    part.push(entry);
    bytes += entry.data.byteLength;
  }
  yield packSlice(part);
}

/** Divides a chat's file by its messages; other files stay as they are. */
function chatParts(entry: ArchiveEntry): ArchiveEntry[] {
  if (!entry.name.startsWith("chats/") || entry.data.byteLength <= SLICE_BYTES / 4) return [entry];
  const { tables, next } = parse(entry.data) as ChatFile;
  const { messages = { columns: [], rows: [] }, ...others } = tables;
  const parts: unknown[][][] = [[]];
  let bytes = 0;
  for (const row of messages.rows) {
    const size = encode(JSON.stringify(row)).byteLength;
    if (bytes > 0 && bytes + size > CHAT_PART_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(row);
    bytes += size;
  }
  return parts.map((rows, i) => {
    const part = { tables: { ...(i === 0 && others), messages: { ...messages, rows } }, next };
    return { name: entry.name, data: encode(JSON.stringify(part)) };
  });
}

/** Table of a chat: its columns, and the digest of its rows. */
interface ChatTable {
  columns: string[];
  digest: string;
}

/**
 * Digests the tables of an archive's chats.
 *
 * @param of compares with these tables: of each only their columns count, since a later version stores more
 * @returns tables by the chat's id and table
 */
export async function chatDigests(
  slices: AsyncIterable<Uint8Array<ArrayBuffer>>,
  of: ReadonlyMap<string, ChatTable> = new Map(),
): Promise<Map<string, ChatTable>> {
  const found = new Map<string, { columns: string[]; hash: Hash }>();
  for await (const slice of slices)
    for (const file of await unpackSlice(slice))
      for (const [key, { columns, rows }] of chatTables(file)) {
        const compared = of.get(key)?.columns ?? columns;
        const places = compared.map((column) => columns.indexOf(column));
        const entry = found.get(key) ?? { columns: compared, hash: createHash("sha256") };
        for (const row of rows) entry.hash.update(JSON.stringify(places.map((place) => row[place])));
        found.set(key, entry);
      }
  return new Map(
    [...found].map(([key, { columns, hash }]) => [key, { columns, digest: hash.digest("hex") }]),
  );
}

/** Lists the tables of a file of an archive by the chat's id and table; none for the file of something else. */
function chatTables({ name, data }: Awaited<ReturnType<typeof unpackSlice>>[number]) {
  const [folder, id] = name.split("/");
  if (folder !== "chats") return [];
  const tables = (parse(data) as ChatFile | null)?.tables ?? { [MISSING]: { columns: [], rows: [[]] } };
  return Object.entries(tables).map(([table, content]) => [`${id} ${table}`, content] as const);
}

/** Table of a chat that the backup could not read. */
const MISSING = "missing";

/**
 * Describes the chats that a restored shop has otherwise than the archive, in one sentence each.
 *
 * @returns sentences by the chat's id
 */
export function chatDifferences(
  archived: ReadonlyMap<string, ChatTable>,
  restored: ReadonlyMap<string, ChatTable>,
): Map<string, string> {
  const differing = new Map<string, string[]>();
  for (const key of new Set([...archived.keys(), ...restored.keys()])) {
    const [id = "", table = ""] = key.split(" ");
    if (archived.get(key)?.digest !== restored.get(key)?.digest)
      differing.set(id, [...(differing.get(id) ?? []), table]);
  }
  const has = (tables: ReadonlyMap<string, ChatTable>, id: string) =>
    [...tables.keys()].some((key) => key.startsWith(`${id} `) && key !== `${id} ${MISSING}`);
  const sentence = (id: string, tables: string[]) => {
    if (!has(restored, id)) return "is missing in the restored shop.";
    if (!has(archived, id)) return "is in the restored shop, but not in the archive.";
    return `differs in the restored shop: ${tables.join(", ")}.`;
  };
  return new Map(
    [...differing].map(([key, tables]) => {
      const id = decodeURIComponent(key);
      return [id, `The chat ${id} ${sentence(key, tables)}`];
    }),
  );
}

/** Packs the end of an archive: manifest, seal and end of file. */
export async function packEnd(manifest: string): Promise<Uint8Array<ArrayBuffer>> {
  const data = encode(manifest);
  const seal: Seal = { bytes: data.byteLength, sha256: await sha256(data) };
  const files = await packSlice([
    { name: "manifest.json", data },
    { name: "manifest.seal", data: encode(JSON.stringify(seal)) },
  ]);
  const end = new Uint8Array(files.byteLength + END_BYTES);
  end.set(files);
  return end;
}

/**
 * Reads and checks the manifest of an archive and its size. The slices are checked with `chained`.
 *
 * @param size bytes of the archive
 * @param readBytes reads a part of the archive
 * @throws Error for a truncated, damaged or newer archive
 */
export async function readManifest(
  size: number,
  readBytes: (from: number, bytes: number) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Manifest> {
  const damaged = new Error("The archive is truncated or damaged.");
  const [seal] = await unpackSlice(
    (await readBytes(Math.max(0, size - SEAL_BYTES), SEAL_BYTES)).slice(0, -END_BYTES),
  )
    .then((entries) =>
      entries.map(({ name, data }) => (name === "manifest.seal" ? (parse(data) as Seal) : null)),
    )
    .catch(() => []);
  if (!seal) throw damaged;
  const endBytes = BLOCK_BYTES + Math.ceil(seal.bytes / BLOCK_BYTES) * BLOCK_BYTES + SEAL_BYTES;
  const end = await readBytes(Math.max(0, size - endBytes), endBytes);
  const text = decode(end.slice(BLOCK_BYTES, BLOCK_BYTES + seal.bytes));
  if (seal.sha256 !== (await sha256(encode(text))) || !isEqual(end, await packEnd(text))) throw damaged;
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format > FORMAT)
    throw new Error(`The archive has format ${manifest.format}, which needs a newer version of the shop.`);
  if (manifest.slices.reduce((sum, bytes) => sum + bytes, endBytes) !== size) throw damaged;
  return manifest;
}

/** Lists the parts in which two archives differ; empty for equal shops. */
export function differences(a: Manifest, b: Manifest): string[] {
  const parts = ({ tables, chats, objects }: Manifest) => ({
    ...Object.fromEntries(Object.entries(tables).map(([name, tally]) => [`table ${name}`, tally])),
    chats,
    objects,
  });
  const [one, other]: Record<string, Tally | undefined>[] = [parts(a), parts(b)];
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return names
    .filter((name) => one?.[name]?.sha256 !== other?.[name]?.sha256)
    .map(
      (name) => `${name}: ${one?.[name]?.count ?? 0} in the archive, ${other?.[name]?.count ?? 0} restored`,
    );
}

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (data: Uint8Array) => new TextDecoder().decode(data);
const parse = (data: Uint8Array): unknown => JSON.parse(decode(data));
const isEqual = (a: Uint8Array, b: Uint8Array) =>
  a.byteLength === b.byteLength && a.every((byte, i) => byte === b[i]);

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
