import type { D1Meter } from "~/db/metered-d1.server";

/**
 * Server-Timing: `d1;desc="2 round trips, 5 queries, 41 rows read";dur=4.1, total;dur=9.8`.
 *
 * @param meter what D1 cost; a confidential one is left out
 * @param total milliseconds since the request arrived
 */
export function serverTiming(meter: D1Meter, total: number): string {
  const entry = `total;dur=${total.toFixed(1)}`;
  if (meter.isConfidential) return entry;
  const cost = `${meter.roundTrips} round trips, ${meter.queries} queries, ${meter.rowsRead} rows read`;
  return `d1;desc="${cost}";dur=${meter.duration.toFixed(1)}, ${entry}`;
}
