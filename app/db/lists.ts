/** Rows of a list from an offset, in an order. */
export interface ListWindow {
  limit: number;
  offset: number;
  dir: "asc" | "desc";
}

/** Reads of a list. */
export interface ListReads<Row, Matches = { total: number }> {
  /** Reads a window. @param known what `matches` has read; null near the beginning */
  rows(window: ListWindow, known: Matches | null): Promise<Row[]>;
  /** Reads what is known of all matching rows. */
  matches(): Promise<Matches>;
  /** The order has no other direction, such as the best match first. */
  isRanked?: boolean;
  /** `rows` depends on what is known. */
  isDependent?: boolean;
}

/** Offset up to which the rows are read together with their number. */
const NEAR_ROWS = 200;

/**
 * Reads a window of a list: near the beginning in one round trip, elsewhere in two.
 *
 * @param place returns where the window begins, once the number of matching rows is known
 */
export async function readListWindow<Row, Matches extends { total: number }>(
  reads: ListReads<Row, Matches>,
  window: ListWindow,
  place: (total: number) => number = () => window.offset,
): Promise<Matches & { rows: Row[] }> {
  const isNear = !reads.isDependent && window.offset <= NEAR_ROWS;
  const [known, near] = await Promise.all([reads.matches(), isNear ? reads.rows(window, null) : null]);
  const offset = place(known.total);
  const rows =
    near && offset === window.offset ? near : await readNearerEnd(reads, { ...window, offset }, known);
  return { ...known, rows };
}

/** Reads rows from the nearer end of the list, since a database counts through those that it leaves out. */
async function readNearerEnd<Row, Matches extends { total: number }>(
  { rows, isRanked }: ListReads<Row, Matches>,
  { limit, offset, dir }: ListWindow,
  known: Matches,
): Promise<Row[]> {
  const count = Math.min(limit, known.total - offset);
  if (count <= 0) return [];
  const fromEnd = known.total - offset - count;
  if (isRanked || offset <= fromEnd) return rows({ limit: count, offset, dir }, known);
  const reversed = { limit: count, offset: fromEnd, dir: dir === "asc" ? "desc" : "asc" } as const;
  return (await rows(reversed, known)).toReversed();
}

/** Rows of a chunk, about 500 kB. */
export const CHUNK_ROWS = 2000;

/**
 * Reads all rows of a list in chunks, for a file.
 *
 * @param read reads the rows behind one, which is null for the first chunk
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
