import type { Scheduler } from "./scheduler";
import { READ, Sqlite } from "./sqlite";

interface Query {
  sql: string;
  values: unknown[];
}

/** Writes that a replica does not have yet, with the clock and the random numbers that they were made with. */
interface Write {
  queries: Query[];
  now: number;
  seed: number;
}

/** D1 of the simulation: a primary, and a replica that is as far behind as the simulation says. */
export class SimulatedD1 {
  readonly #primary: Sqlite;
  readonly #replica: Sqlite;
  readonly #clocks: Record<"primary" | "replica", { now: number; random: () => number }>;
  /** Called after each write. */
  onWrite: () => void = () => {};
  #writes: Write[] = [];
  /** Numbers of the last write, and of the last one that the replica has. */
  #written = 0;
  #replicated = 0;

  constructor(
    private readonly scheduler: Scheduler,
    /** Statements of the migrations. */
    migrations: string,
  ) {
    const clock = () => ({ now: 0, random: seeded(0) });
    this.#clocks = { primary: clock(), replica: clock() };
    this.#primary = new Sqlite(this.#clocks.primary);
    this.#replica = new Sqlite(this.#clocks.replica);
    for (const database of [this.#primary, this.#replica]) {
      database.script(migrations);
      database.script("BEGIN");
    }
  }

  /** Empties the database: everything since it was made is rolled back. */
  reset(): void {
    for (const database of [this.#primary, this.#replica]) database.script("ROLLBACK; BEGIN");
    this.#writes = [];
    this.#written = 0;
    this.#replicated = 0;
  }

  /** Number of the last write. */
  get written(): number {
    return this.#written;
  }

  /** Reads or writes at once, for the simulation itself. */
  query<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Row[] {
    return this.#apply([{ sql, values }])[0]?.results as Row[];
  }

  /** Brings the replica forward. */
  replicate(count = Number.POSITIVE_INFINITY): void {
    for (const { queries, now, seed } of this.#writes.splice(0, count)) {
      Object.assign(this.#clocks.replica, { now, random: seeded(seed) });
      this.#replica.transaction(() => queries.map(({ sql, values }) => this.#replica.run(sql, values)));
      this.#replicated++;
    }
  }

  /** Binding of the Worker. */
  binding(): D1Database {
    const session = (start: string) => this.#session(start);
    return {
      ...session("first-primary"),
      withSession: (start = "first-unconstrained") => session(start),
    } as unknown as D1Database;
  }

  #session(start: string) {
    // A session reads where its last answer came from, or from one that is newer.
    let atLeast =
      start === "first-primary" ? Number.POSITIVE_INFINITY : Number(/^sim-(\d+)$/.exec(start)?.[1] ?? 0);
    const send = (queries: Query[]) => {
      const isRead = queries.every(({ sql }) => READ.test(sql));
      return this.scheduler.call("D1", label(queries), () => {
        const isNear = isRead && atLeast <= this.#replicated;
        const results = isNear ? this.#read(queries) : this.#apply(queries);
        atLeast = isNear ? Math.max(atLeast, this.#replicated) : this.#written;
        if (!isRead) this.onWrite();
        return results;
      });
    };
    return {
      prepare: (sql: string) => statementOf(sql, [], send),
      batch: (statements: SimulatedStatement[]) => send(statements.map(({ query }) => query)),
      getBookmark: () => (Number.isFinite(atLeast) ? `sim-${atLeast}` : null),
    };
  }

  #read(queries: Query[]) {
    Object.assign(this.#clocks.replica, { now: this.scheduler.now });
    return queries.map(({ sql, values }) => resultOf(this.#replica.run(sql, values)));
  }

  #apply(queries: Query[]) {
    const { now } = this.scheduler;
    const seed = this.#written + 1;
    Object.assign(this.#clocks.primary, { now, random: seeded(seed) });
    try {
      const results = this.#primary.transaction(() =>
        queries.map(({ sql, values }) => resultOf(this.#primary.run(sql, values))),
      );
      if (results.some(({ meta }) => meta.changed_db)) {
        this.#writes.push({ queries, now, seed });
        this.#written++;
      }
      return results;
    } catch (error) {
      throw asD1Error(error);
    }
  }
}

type Send = (queries: Query[]) => Promise<D1Result[]>;
type SimulatedStatement = ReturnType<typeof statementOf>;

function statementOf(sql: string, values: unknown[], send: Send) {
  const query = { sql, values };
  const all = async () => (await send([query]))[0];
  return {
    query,
    bind: (...bound: unknown[]) => statementOf(sql, bound, send),
    all,
    run: all,
    raw: async () => ((await all())?.results ?? []).map((row) => Object.values(row as object)),
    first: async (column?: string) => {
      const row = (await all())?.results[0] as Record<string, unknown> | undefined;
      return row === undefined ? null : column === undefined ? row : row[column];
    },
  };
}

const resultOf = ({ rows, changes }: ReturnType<Sqlite["run"]>) =>
  ({
    success: true,
    results: rows,
    meta: { changes, rows_written: changes, rows_read: rows.length, changed_db: changes > 0 },
  }) as unknown as D1Result;

const SQLITE_CONSTRAINT = 19;

/** Creates the error that D1 would throw. */
function asD1Error(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { errcode = 0 } = error as Error & { errcode?: number };
  const isConstraint = (errcode & 0xff) === SQLITE_CONSTRAINT;
  return new Error(`D1_ERROR: ${error.message}: ${isConstraint ? "SQLITE_CONSTRAINT" : "SQLITE_ERROR"}`);
}

/** Names a batch by its first write, else by its first read. */
function label(queries: Query[]): string {
  const sql = (queries.find((query) => !READ.test(query.sql)) ?? queries[0])?.sql ?? "";
  return `${queries.length} ${sql.replaceAll(/\s+/g, " ").trim().slice(0, 48)}`;
}

function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}
