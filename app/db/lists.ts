/** Section of a list, in its order or reversed. */
export interface ListWindow {
  limit: number;
  offset: number;
  dir: "asc" | "desc";
}

/** Functions that read a list. */
export interface ListReads<Row, Matches = { total: number }> {
  /** Reads a window. @param matches result of `matches`; null when both are read at the same time */
  rows(window: ListWindow, matches: Matches | null): Promise<Row[]>;
  /** Reads the number of matching rows (`total`), and perhaps sums of them. */
  matches(): Promise<Matches>;
  /** The order cannot be reversed, such as that by relevance. */
  isOneWay?: boolean;
  /** `rows` needs the result of `matches`. */
  needsMatches?: boolean;
}

/** Largest offset at which rows and `matches` are read at the same time. */
const MAX_EAGER_OFFSET = 200;

/**
 * Reads a window of a list: near its beginning in one round trip, elsewhere in two.
 *
 * @param resolveOffset corrects the window's offset, which may exceed the number of matching rows; keeps it by default
 */
export async function readListWindow<Row, Matches extends { total: number }>(
  reads: ListReads<Row, Matches>,
  window: ListWindow,
  resolveOffset: (total: number) => number = () => window.offset,
): Promise<Matches & { rows: Row[] }> {
  const isEager = !reads.needsMatches && window.offset <= MAX_EAGER_OFFSET;
  const [matches, eager] = await Promise.all([reads.matches(), isEager ? reads.rows(window, null) : null]);
  const offset = resolveOffset(matches.total);
  const rows =
    eager && offset === window.offset
      ? eager
      : await readFromNearerEnd(reads, { ...window, offset }, matches);
  return { ...matches, rows };
}

/** Reads a window from the nearer end of the list, since a database reads all rows before an offset. */
async function readFromNearerEnd<Row, Matches extends { total: number }>(
  { rows, isOneWay }: ListReads<Row, Matches>,
  { limit, offset, dir }: ListWindow,
  matches: Matches,
): Promise<Row[]> {
  const count = Math.min(limit, matches.total - offset);
  if (count <= 0) return [];
  const fromEnd = matches.total - offset - count;
  if (isOneWay || offset <= fromEnd) return rows({ limit: count, offset, dir }, matches);
  const reversed = { limit: count, offset: fromEnd, dir: dir === "asc" ? "desc" : "asc" } as const;
  return (await rows(reversed, matches)).toReversed();
}

/** Rows of a chunk, which takes about 500 kB. */
export const CHUNK_ROWS = 2000;

/**
 * Reads all rows of a list in chunks, such as for a file.
 *
 * @param read reads up to `limit` rows that follow the row `after`, which is null for the first chunk
 * @returns chunks; the last one may be empty
 */
export async function* inChunks<Row>(
  read: (after: Row | null, limit: number) => Promise<Row[]>,
  size = CHUNK_ROWS,
): AsyncGenerator<Row[]> {
  let after: Row | null = null;
  for (;;) {
    const rows: Row[] = await read(after, size);
    yield rows;
    after = rows.at(-1) ?? null;
    if (rows.length < size) return;
  }
}
