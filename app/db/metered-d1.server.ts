/** Database cost of a request so far; Server-Timing reports it. */
export interface D1Meter {
  roundTrips: number;
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  /** Milliseconds spent waiting for D1. */
  duration: number;
  /** Set where the cost would reveal a secret, such as an address that has an account. */
  isConfidential: boolean;
}

type Row = Record<string, unknown>;
/** Reads that are sent in the same batch, as a view of one moment. */
interface PendingReads {
  statements: D1PreparedStatement[];
  resolve: (results: D1Result<Row>[]) => void;
  reject: (error: unknown) => void;
}

const READ = /^\s*(?:select|with)\b/i;
/** D1 errors after which a read may be retried (Cloudflare's documentation, "Retry queries"). */
const TRANSIENT_D1 =
  /Network connection lost|caused object to be reset|reset because its code was updated|Internal error in D1|D1 DB is overloaded|starting up D1 DB storage|transient issue on remote node/i;
/** R2's codes of an internal error, an unavailable service, a timeout and too many requests (its documentation, "Error codes"). */
const TRANSIENT_R2 = /\((?:10001|10043|10054|10058)\)\s*$/;
/** Statements of several reads in one batch; a read with more has a batch of its own. */
const MAX_BATCH = 50;
/** Attempts per read. */
const ATTEMPTS = 3;

/**
 * Wraps a D1 session: meters its cost, sends simultaneous reads as one batch (one round trip), and retries reads after
 * transient errors. When a batch fails, each of its reads runs again alone, so that one failure does not affect others.
 * Batches of reads alone count as a read; batches with a write are sent as they are.
 *
 * @param session D1 session of this request
 * @returns `client`, which drizzle uses as a D1 database, and the running `meter`
 */
export function meteredD1(session: Pick<D1DatabaseSession, "prepare" | "batch">): {
  client: D1Database;
  meter: D1Meter;
} {
  const meter: D1Meter = {
    roundTrips: 0,
    queries: 0,
    rowsRead: 0,
    rowsWritten: 0,
    duration: 0,
    isConfidential: false,
  };
  const send = meteredSend(session, meter);
  const read = batchedReads(send);

  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const isRead = READ.test(query);
    const run = async () => (await (isRead ? read([statement]) : send([statement], false)))[0];
    const metered = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values)),
      all: run,
      run,
      raw: async () => ((await run())?.results ?? []).map((row) => Object.values(row)),
      first: async (column?: string) => {
        const row = (await run())?.results[0];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
      [STATEMENT]: { statement, isRead },
    };
    return metered as unknown as D1PreparedStatement;
  };
  const client = {
    prepare: (query: string) => wrap(query, session.prepare(query)),
    batch: (metered: MeteredStatement[]) => {
      const statements = metered.map((one) => one[STATEMENT].statement);
      return metered.every((one) => one[STATEMENT].isRead) ? read(statements) : send(statements, false);
    },
  };
  return { client: client as unknown as D1Database, meter };
}

const STATEMENT = Symbol("unwrapped statement");
interface MeteredStatement {
  [STATEMENT]: { statement: D1PreparedStatement; isRead: boolean };
}

type Send = (
  statements: D1PreparedStatement[],
  isRetryable: boolean,
  attempt?: number,
) => Promise<D1Result<Row>[]>;

/** Sends batches to D1 and meters them; retryable ones are repeated after transient errors. */
function meteredSend(session: Pick<D1DatabaseSession, "batch">, meter: D1Meter): Send {
  const once = async (statements: D1PreparedStatement[]) => {
    const started = performance.now();
    meter.roundTrips++;
    meter.queries += statements.length;
    try {
      const results = await session.batch<Row>(statements);
      for (const { meta } of results) count(meter, meta);
      return results;
    } finally {
      meter.duration += performance.now() - started;
    }
  };
  return async function send(statements, isRetryable, attempt = 1) {
    try {
      return await once(statements);
    } catch (error) {
      if (!isRetryable || attempt === ATTEMPTS || !isTransient(error)) throw error;
      await scheduler.wait(attempt * 50);
      return send(statements, isRetryable, attempt + 1);
    }
  };
}

function count(meter: D1Meter, meta: D1Meta): void {
  meter.rowsRead += meta.rows_read ?? 0;
  meter.rowsWritten += meta.rows_written ?? 0;
}

/** Collects reads until the next turn of the event loop and sends them together. */
function batchedReads(send: Send): (statements: D1PreparedStatement[]) => Promise<D1Result<Row>[]> {
  let pending: PendingReads[] = [];
  const flush = async () => {
    const reads = pending;
    pending = [];
    for (const batch of inBatches(reads)) await sendBatch(batch);
  };
  const sendBatch = async (batch: PendingReads[]) => {
    try {
      const results = await send(
        batch.flatMap(({ statements }) => statements),
        true,
      );
      for (const { statements, resolve } of batch) resolve(results.splice(0, statements.length));
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      await Promise.all(batch.map((read) => send(read.statements, true).then(read.resolve, read.reject)));
    }
  };
  return (statements) =>
    new Promise((resolve, reject) => {
      pending.push({ statements, resolve, reject });
      if (pending.length === 1) setTimeout(flush, 0);
    });
}

/** Groups reads into batches of at most `MAX_BATCH` statements, without dividing one. */
function inBatches(reads: PendingReads[]): PendingReads[][] {
  const batches: PendingReads[][] = [];
  let size = MAX_BATCH;
  for (const read of reads) {
    const { length } = read.statements;
    if (size + length > MAX_BATCH) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(read);
    size += length;
  }
  return batches;
}

/**
 * Recognises errors that pass by themselves: of D1, of R2, and of objects that are overloaded or being restarted.
 *
 * @param error thrown by a binding (drizzle stores D1's error as `cause`)
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { retryable, overloaded } = error as Error & { retryable?: boolean; overloaded?: boolean };
  if (retryable || overloaded || TRANSIENT_D1.test(error.message) || TRANSIENT_R2.test(error.message))
    return true;
  return error.cause !== undefined && isTransient(error.cause);
}

/** Message of the triggers and rooms that refuse writes during a restore. */
export const RESTORING = "The shop is being restored.";

/** Recognises a write that was refused because of a restore. @param error of D1 or of a room */
export function isRefusedByRestore(error: unknown): boolean {
  return error instanceof Error && (error.message.includes(RESTORING) || isRefusedByRestore(error.cause));
}
