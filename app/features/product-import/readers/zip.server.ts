import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { AppError } from "~/http/errors";

/** What a .xlsx may unpack to (budgets: Safe). */
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_ENTRIES = 1000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const LOCATOR_64 = 0x07064b50;
/** The extra field of numbers that don't fit, and what stands in their place. */
const WIDE_FIELDS = 0x0001;
const BEYOND = 0xffffffff;
/** The end of the directory stands within its longest comment of the file's end. */
const LONGEST_TAIL = 22 + 0xffff;
/** Sheets that people make pack to a twentieth, seldom to a hundredth; what packs to less was made to burst. */
const MOST_RATIO = 250;
const SMALL = 1024 * 1024;
/** Packed bytes that are inflated at a time: at most a thousand times as many come out. */
const STEP = 4096;
/** Bytes after which others are served. */
const REST = 256 * 1024;

interface Entry {
  method: number;
  /** Checksum of what comes out. */
  crc: number;
  packed: number;
  size: number;
  /** Where its own header stands. */
  at: number;
}

const broken = () => new AppError("invalid", "The file is damaged or is not a spreadsheet");
const tooLarge = () => new AppError("tooLarge", "The spreadsheet unpacks to more than 50 MB");

/** @param method how the entry is packed: 0 not at all, 8 deflated */
function unpacker(method: number, take: (bytes: Uint8Array) => void) {
  if (method === 0) return take;
  if (method !== 8) throw broken();
  const inflate = new Inflate(take);
  return (bytes: Uint8Array, isLast: boolean) => {
    try {
      inflate.push(bytes, isLast);
    } catch (error) {
      throw error instanceof AppError || typeof error === "symbol" ? error : broken();
    }
  };
}

/**
 * A zip file of which single entries are read. Its sizes are looked at before anything inflates, and not believed
 * while it does.
 */
export class ZipFile {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #entries = new Map<string, Entry>();
  /** Bytes that came out so far, of all entries. */
  #inflated = 0;

  /** @throws AppError invalid (400) when it can't be read, tooLarge (413) */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#readDirectory();
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /**
   * Inflates an entry.
   *
   * @param take is given the bytes as they come
   * @throws AppError invalid (400) without such an entry or when it isn't what it said, tooLarge (413)
   */
  async read(name: string, take: (bytes: Uint8Array) => void): Promise<void> {
    const entry = this.#entries.get(name);
    if (!entry) throw broken();
    let [out, crc, rested] = [0, 0, 0];
    const unpack = unpacker(entry.method, (bytes) => {
      out += bytes.length;
      if (out > entry.size) throw broken();
      this.#count(bytes.length);
      crc = crc32(bytes, crc);
      take(bytes);
    });
    const packed = this.#packedBytes(entry);
    for (let at = 0; at < packed.length; at += STEP) {
      unpack(packed.subarray(at, at + STEP), at + STEP >= packed.length);
      if (out - rested < REST) continue;
      rested = out;
      await scheduler.wait(0);
    }
    if (crc !== entry.crc) throw broken();
  }

  #count(bytes: number): void {
    this.#inflated += bytes;
    if (this.#inflated > MOST_BYTES) throw tooLarge();
  }

  #packedBytes({ at, packed }: Entry): Uint8Array {
    if (at + 30 > this.#bytes.length || this.#view.getUint32(at, true) !== LOCAL_ENTRY) throw broken();
    const from = at + 30 + this.#view.getUint16(at + 26, true) + this.#view.getUint16(at + 28, true);
    if (from + packed > this.#bytes.length) throw broken();
    return this.#bytes.subarray(from, from + packed);
  }

  #readDirectory(): void {
    const directory = this.#directory();
    const { count } = directory;
    let { at } = directory;
    if (count > MOST_ENTRIES) throw new AppError("tooLarge", "The file holds more than 1,000 entries");
    let size = 0;
    for (let i = 0; i < count; i++) {
      const { name, entry, next } = this.#directoryEntry(at);
      size += entry.size;
      if (size > MOST_BYTES) throw tooLarge();
      if (entry.size > SMALL && entry.size > entry.packed * MOST_RATIO) throw broken();
      this.#entries.set(name, entry);
      at = next;
    }
  }

  /** How many entries there are and where they are told; of a zip64 file that stands in a record of its own. */
  #directory(): { count: number; at: number } {
    const end = this.#endOfDirectory();
    const [count, at] = [this.#view.getUint16(end + 10, true), this.#view.getUint32(end + 16, true)];
    if (count !== 0xffff && at !== BEYOND) return { count, at };
    const locator = end - 20;
    if (locator < 0 || this.#view.getUint32(locator, true) !== LOCATOR_64) throw broken();
    const record = this.#number64(locator + 8);
    return { count: this.#number64(record + 32), at: this.#number64(record + 48) };
  }

  /** @throws AppError invalid (400) beyond the file's end */
  #number64(at: number): number {
    if (at + 8 > this.#bytes.length) throw broken();
    return Number(this.#view.getBigUint64(at, true));
  }

  #endOfDirectory(): number {
    const last = this.#bytes.length - 22;
    for (let at = last; at >= Math.max(0, last - LONGEST_TAIL); at--)
      if (this.#view.getUint32(at, true) === END_OF_DIRECTORY) return at;
    throw broken();
  }

  /** The numbers of an entry that don't fit into 32 bits, in their order. */
  #wideFields(from: number, to: number): number[] {
    for (let at = from; at + 4 <= Math.min(to, this.#bytes.length); ) {
      const end = at + 4 + this.#view.getUint16(at + 2, true);
      if (this.#view.getUint16(at, true) === WIDE_FIELDS) {
        const fields: number[] = [];
        for (let place = at + 4; place + 8 <= end; place += 8) fields.push(this.#number64(place));
        return fields;
      }
      at = end;
    }
    return [];
  }

  #directoryEntry(at: number): { name: string; entry: Entry; next: number } {
    const view = this.#view;
    if (at + 46 > this.#bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw broken();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength));
    const extra = at + 46 + nameLength;
    const next = extra + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const wide = this.#wideFields(extra, extra + view.getUint16(at + 30, true));
    const field = (place: number) => {
      const value = view.getUint32(at + place, true);
      return value === BEYOND ? (wide.shift() ?? value) : value;
    };
    const [size, packed, header] = [field(24), field(20), field(42)];
    const [method, crc] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
    const entry = { method, crc, size, packed, at: header };
    return { name: name.replace(/^\//, ""), entry, next };
  }
}
