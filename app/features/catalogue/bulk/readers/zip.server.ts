import { Inflate } from "fflate";
import { AppError } from "~/http/errors";

/** What a .xlsx may unpack to (budgets: Safe). */
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_ENTRIES = 1000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
/** The end of the directory stands within its longest comment of the file's end. */
const LONGEST_TAIL = 22 + 0xffff;
/** Sheets that people make pack to a twentieth, seldom to a hundredth; what packs to less was made to burst. */
const MOST_RATIO = 250;
const SMALL = 1024 * 1024;
/** Packed bytes that are inflated at a time: at most a thousand times as many come out. */
const STEP = 4096;

interface Entry {
  method: number;
  packed: number;
  size: number;
  /** Where its own header stands. */
  at: number;
}

const broken = () => new AppError("invalid", "The file is damaged or is not a spreadsheet");
const tooLarge = () => new AppError("tooLarge", "The spreadsheet unpacks to more than 50 MB");

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
   * @param take is given the bytes as they come; false stops it
   * @throws AppError invalid (400) without such an entry or when it is more than it said, tooLarge (413)
   */
  read(name: string, take: (bytes: Uint8Array) => boolean): void {
    const entry = this.#entries.get(name);
    if (!entry) throw broken();
    const packed = this.#packedBytes(entry);
    if (entry.method === 0) {
      this.#count(packed.length);
      take(packed);
      return;
    }
    if (entry.method !== 8) throw broken();
    this.#inflate(packed, entry.size, take);
  }

  #inflate(packed: Uint8Array, size: number, take: (bytes: Uint8Array) => boolean): void {
    let goesOn = true;
    let out = 0;
    const inflate = new Inflate((bytes) => {
      out += bytes.length;
      if (out > size) throw broken();
      this.#count(bytes.length);
      if (goesOn) goesOn = take(bytes);
    });
    try {
      for (let at = 0; at < packed.length && goesOn; at += STEP)
        inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length);
    } catch (error) {
      throw error instanceof AppError ? error : broken();
    }
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
    const end = this.#endOfDirectory();
    const count = this.#view.getUint16(end + 10, true);
    if (count > MOST_ENTRIES) throw new AppError("tooLarge", "The file holds more than 1,000 entries");
    let at = this.#view.getUint32(end + 16, true);
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

  #endOfDirectory(): number {
    const last = this.#bytes.length - 22;
    for (let at = last; at >= Math.max(0, last - LONGEST_TAIL); at--)
      if (this.#view.getUint32(at, true) === END_OF_DIRECTORY) return at;
    throw broken();
  }

  #directoryEntry(at: number): { name: string; entry: Entry; next: number } {
    const view = this.#view;
    if (at + 46 > this.#bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw broken();
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength));
    const entry = {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    };
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    return { name: name.replace(/^\//, ""), entry, next };
  }
}
