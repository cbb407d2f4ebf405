import { env } from "cloudflare:workers";
import { vi } from "vitest";

/** Statements that D1 applied as one transaction, with their values. */
export type Batch = [sql: string, values: unknown[]][];

interface SentResult {
  meta?: { rows_written?: number; changed_db?: boolean };
}

/** Method of D1's sessions by which all statements are sent: those of requests, rooms and tests. */
interface Sender {
  _sendOrThrow(
    endpoint: string,
    query: string | string[],
    values: unknown[],
    ...more: unknown[]
  ): Promise<SentResult | SentResult[]>;
}

/**
 * Records what is written to D1, in order: every batch that wrote, with all of its statements, because rows of the audit
 * log depend on the `changes()` of the statement before.
 */
export function recordWrites(): { batches: Batch[]; stop: () => void } {
  const batches: Batch[] = [];
  const session = Object.getPrototypeOf(env.DB.withSession("first-primary")) as Sender;
  const send = session._sendOrThrow;
  const spy = vi.spyOn(session, "_sendOrThrow").mockImplementation(async function (
    this: Sender,
    endpoint,
    query,
    values,
    ...more
  ) {
    const sent = await send.call(this, endpoint, query, values, ...more);
    const batch: Batch = Array.isArray(query)
      ? query.map((sql, i) => [sql, values[i] as unknown[]])
      : [[query, values]];
    if ([sent].flat().some(({ meta }) => meta?.changed_db || meta?.rows_written)) batches.push(batch);
    return sent;
  });
  return { batches, stop: () => spy.mockRestore() };
}
