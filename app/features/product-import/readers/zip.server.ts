import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { AppError } from "~/http/errors";
import { damagedFile as damaged } from "./collector";

/** Bytes that a .xlsx may unpack to. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ENTRIES = 1000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const LOCATOR_64 = 0x07064b50;
/** Extra field with the 64-bit numbers of a zip64 file. */
const WIDE_FIELDS = 0x0001;
/** Placeholder for a number in that field. */
const PLACEHOLDER = 0xffffffff;
/** Bytes from the end record to the end of the file: the record and its longest comment. */
const MAX_TAIL = 22 + 0xffff;
/** Compression ratio above which a large entry counts as a zip bomb; real sheets have 20, rarely 100. */
const MAX_RATIO = 250;
const MIN_BOMB_BYTES = 1024 * 1024;
/** Packed bytes that are inflated at a time; deflate yields at most a thousand times as many. */
const STEP = 4096;
/** Inflated bytes after which other requests are served. */
const SLICE = 256 * 1024;

interface Entry {
  method: number;
  crc: number;
  packed: number;
  size: number;
  at: number;
}

const tooLarge = () => new AppError("tooLarge", "The spreadsheet unpacks to more than 50 MB");

/** Key of an entry: names of a package's parts are compared without case, and some programs write backslashes. */
const entryKey = (name: string) => name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();

/** Creates the reader of an entry's bytes. @param method 0 stored, 8 deflated */
function unpacker(method: number, take: (bytes: Uint8Array) => void) {
  if (method === 0) return take;
  if (method !== 8) throw damaged();
  const inflate = new Inflate(take);
  return (bytes: Uint8Array, isLast: boolean) => {
    try {
      inflate.push(bytes, isLast);
    } catch (error) {
      throw error instanceof AppError || typeof error === "symbol" ? error : damaged();
    }
  };
}

/**
 * A zip file whose entries are read one by one. The declared sizes are checked before anything is inflated, and enforced
 * while it is.
 */
export class ZipFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, Entry>();
  #inflated = 0;

  /** Reads the directory. @throws AppError invalid (400) for a damaged file, tooLarge (413) */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory();
  }

  /** Checks for an entry. @param name in any case, parted by either slash */
  has(name: string): boolean {
    return this.#entries.has(entryKey(name));
  }

  /**
   * Inflates an entry.
   *
   * @param take receives the bytes in chunks
   * @throws AppError invalid (400) for a missing or damaged entry, tooLarge (413)
   */
  async read(name: string, take: (bytes: Uint8Array) => void): Promise<void> {
    const entry = this.#entries.get(entryKey(name));
    if (!entry) throw damaged();
    let [out, crc, sliced] = [0, 0, 0];
    const unpack = unpacker(entry.method, (bytes) => {
      out += bytes.length;
      if (out > entry.size) throw damaged();
      this.#count(bytes.length);
      crc = crc32(bytes, crc);
      take(bytes);
    });
    const packed = this.#packedBytes(entry);
    for (let at = 0; at < packed.length; at += STEP) {
      unpack(packed.subarray(at, at + STEP), at + STEP >= packed.length);
      if (out - sliced < SLICE) continue;
      sliced = out;
      await scheduler.wait(0);
    }
    if (crc !== entry.crc) throw damaged();
  }

  #count(bytes: number): void {
    this.#inflated += bytes;
    if (this.#inflated > MAX_BYTES) throw tooLarge();
  }

  #packedBytes({ at, packed }: Entry): Uint8Array {
    if (at + 30 > this.#bytes.length || this.#view.getUint32(at, true) !== LOCAL_ENTRY) throw damaged();
    const from = at + 30 + this.#view.getUint16(at + 26, true) + this.#view.getUint16(at + 28, true);
    if (from + packed > this.#bytes.length) throw damaged();
    return this.#bytes.subarray(from, from + packed);
  }

  #readDirectory(): void {
    const directory = this.#directory();
    const { count } = directory;
    let { at } = directory;
    if (count > MAX_ENTRIES) throw new AppError("tooLarge", "The file holds more than 1,000 entries");
    let size = 0;
    for (let i = 0; i < count; i++) {
      const { name, entry, next } = this.#directoryEntry(at);
      size += entry.size;
      if (size > MAX_BYTES) throw tooLarge();
      if (entry.size > MIN_BOMB_BYTES && entry.size > entry.packed * MAX_RATIO) throw damaged();
      this.#entries.set(entryKey(name), entry);
      at = next;
    }
  }

  /** Reads the number of entries and the offset of the directory, in a zip64 file from its own record. */
  #directory(): { count: number; at: number } {
    const end = this.#endOfDirectory();
    const [count, at] = [this.#view.getUint16(end + 10, true), this.#view.getUint32(end + 16, true)];
    if (count !== 0xffff && at !== PLACEHOLDER) return { count, at };
    const locator = end - 20;
    if (locator < 0 || this.#view.getUint32(locator, true) !== LOCATOR_64) throw damaged();
    const record = this.#number64(locator + 8);
    return { count: this.#number64(record + 32), at: this.#number64(record + 48) };
  }

  /** Reads a number of 64 bits. @throws AppError invalid (400) beyond the end of the file */
  #number64(at: number): number {
    if (at + 8 > this.#bytes.length) throw damaged();
    return Number(this.#view.getBigUint64(at, true));
  }

  #endOfDirectory(): number {
    const last = this.#bytes.length - 22;
    for (let at = last; at >= Math.max(0, last - MAX_TAIL); at--)
      if (this.#view.getUint32(at, true) === END_OF_DIRECTORY) return at;
    throw damaged();
  }

  /** Reads the 64-bit numbers of an entry, in order. */
  #wideFields(from: number, to: number): number[] {
    for (let at = from; at + 4 <= Math.min(to, this.#bytes.length); ) {
      const end = at + 4 + this.#view.getUint16(at + 2, true);
      if (this.#view.getUint16(at, true) === WIDE_FIELDS) {
        const fields: number[] = [];
        for (let offset = at + 4; offset + 8 <= end; offset += 8) fields.push(this.#number64(offset));
        return fields;
      }
      at = end;
    }
    return [];
  }

  #directoryEntry(at: number): { name: string; entry: Entry; next: number } {
    const view = this.#view;
    if (at + 46 > this.#bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength));
    const extra = at + 46 + nameLength;
    const next = extra + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const wide = this.#wideFields(extra, extra + view.getUint16(at + 30, true));
    const field = (offset: number) => {
      const value = view.getUint32(at + offset, true);
      return value === PLACEHOLDER ? (wide.shift() ?? value) : value;
    };
    const [size, packed, header] = [field(24), field(20), field(42)];
    const [method, crc] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
    const entry = { method, crc, size, packed, at: header };
    return { name, entry, next };
  }
}
