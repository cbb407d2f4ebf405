/** What an answer cost D1, as its Server-Timing says. */
export interface Cost {
  roundTrips: number;
  queries: number;
  rowsRead: number;
}

/**
 * @param answer from the whole Worker
 * @throws Error when it doesn't say
 */
export function costOf(answer: Response): Cost {
  const timing = answer.headers.get("Server-Timing") ?? "";
  const [, roundTrips, queries, rowsRead] =
    /(\d+) round trips, (\d+) queries, (\d+) rows read/.exec(timing) ?? [];
  if (rowsRead === undefined) throw new Error(`Server-Timing doesn't tell the cost: ${timing}`);
  return { roundTrips: Number(roundTrips), queries: Number(queries), rowsRead: Number(rowsRead) };
}
