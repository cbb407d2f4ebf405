/** What a request's database work cost so far; shown in Server-Timing and held by the budgets. */
export interface D1Meter {
  roundTrips: number;
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  /** Milliseconds spent waiting for D1. */
  duration: number;
  /** Set where the cost would tell something that the answer must not, such as that an address has an account. */
  isConfidential: boolean;
}

type Row = Record<string, unknown>;
interface Waiting {
  statement: D1PreparedStatement;
  resolve: (result: D1Result<Row>) => void;
  reject: (error: unknown) => void;
}

const READ = /^\s*(?:select|with)\b/i;
/** What D1 says when a try may simply be repeated (its documentation: "Retry queries"). */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Internal error in D1|D1 DB is overloaded|starting up D1 DB storage/i;
const MAX_BATCH = 50;
/** How often a read is tried in all. */
const ATTEMPTS = 3;

/**
 * Wraps a D1 session so that it counts what it costs, sends the reads that loaders ask for at the same
 * moment as one batch (one round trip), and repeats reads that failed for a passing reason.
 * A read that shares its batch with one that fails is tried again alone: reads fail apart from each other.
 *
 * @param session D1 session of this request
 * @returns `client` that drizzle takes for a D1 database, and the running `meter`
 */
export function meteredD1(session: D1DatabaseSession): { client: D1Database; meter: D1Meter } {
  const meter: D1Meter = {
    roundTrips: 0,
    queries: 0,
    rowsRead: 0,
    rowsWritten: 0,
    duration: 0,
    isConfidential: false,
  };
  const trip = tripper(session, meter);
  const read = coalescedReads(trip);

  const wrap = (query: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const run = async () => (READ.test(query) ? read(statement) : (await trip([statement], false))[0]);
    const metered = {
      bind: (...values: unknown[]) => wrap(query, statement.bind(...values)),
      all: run,
      run,
      raw: async () => ((await run())?.results ?? []).map((row) => Object.values(row)),
      first: async (column?: string) => {
        const row = (await run())?.results[0];
        return row === undefined ? null : column === undefined ? row : row[column];
      },
      [STATEMENT]: statement,
    };
    return metered as unknown as D1PreparedStatement;
  };
  const client = {
    prepare: (query: string) => wrap(query, session.prepare(query)),
    batch: (statements: MeteredStatement[]) =>
      trip(
        statements.map((s) => s[STATEMENT]),
        false,
      ),
  };
  return { client: client as unknown as D1Database, meter };
}

const STATEMENT = Symbol("the statement that D1 knows");
interface MeteredStatement {
  [STATEMENT]: D1PreparedStatement;
}

type Trip = (
  statements: D1PreparedStatement[],
  repeatable: boolean,
  attempt?: number,
) => Promise<D1Result<Row>[]>;

/** One way to D1 and back, counted; a repeatable one is tried up to three times when D1 says it may be. */
function tripper(session: D1DatabaseSession, meter: D1Meter): Trip {
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
  return async function trip(statements, repeatable, attempt = 1) {
    try {
      return await once(statements);
    } catch (error) {
      if (!repeatable || attempt === ATTEMPTS || !isTransient(error)) throw error;
      await scheduler.wait(attempt * 50);
      return trip(statements, repeatable, attempt + 1);
    }
  };
}

function count(meter: D1Meter, meta: D1Meta): void {
  meter.rowsRead += meta.rows_read ?? 0;
  meter.rowsWritten += meta.rows_written ?? 0;
}

/** Collects the reads asked for until the event loop turns, and sends them together. */
function coalescedReads(trip: Trip): (statement: D1PreparedStatement) => Promise<D1Result<Row>> {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    for (let from = 0; from < batch.length; from += MAX_BATCH)
      await send(batch.slice(from, from + MAX_BATCH));
  };
  const send = async (batch: Waiting[]) => {
    try {
      const results = await trip(
        batch.map((w) => w.statement),
        true,
      );
      for (const [i, w] of batch.entries()) w.resolve(results[i] as D1Result<Row>);
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      await Promise.all(
        batch.map((w) =>
          trip([w.statement], true).then(([result]) => w.resolve(result as D1Result<Row>), w.reject),
        ),
      );
    }
  };
  return (statement) =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (waiting.length === 1) setTimeout(flush, 0);
    });
}

/**
 * Whether D1 refused for a reason that passes by itself.
 *
 * @param error whatever a query threw (drizzle keeps D1's error as `cause`)
 */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TRANSIENT.test(error.message) || (error.cause !== undefined && isTransient(error.cause));
}
