/** D1 cost in a response's Server-Timing header. */
export interface Cost {
  roundTrips: number;
  queries: number;
  rowsRead: number;
}

/**
 * Reads the D1 cost of a response.
 *
 * @throws Error without Server-Timing
 */
export function costOf(answer: Response): Cost {
  const timing = answer.headers.get("Server-Timing") ?? "";
  const [, roundTrips, queries, rowsRead] =
    /(\d+) round trips, (\d+) queries, (\d+) rows read/.exec(timing) ?? [];
  if (rowsRead === undefined) throw new Error(`Server-Timing doesn't tell the cost: ${timing}`);
  return { roundTrips: Number(roundTrips), queries: Number(queries), rowsRead: Number(rowsRead) };
}
