import { env } from "cloudflare:workers";
import fc from "fast-check";

/** Statements that D1 applies as one transaction, with their values. */
type Batch = [sql: string, values: unknown[]][];

interface SentResult {
  success?: boolean;
  results?: Record<string, unknown>[] | { rows: unknown[][] };
  meta?: { rows_written?: number; changed_db?: boolean };
}

type Send = (
  this: Session,
  endpoint: string,
  query: string | string[],
  values: unknown[],
  ...more: unknown[]
) => Promise<SentResult | SentResult[]>;

/** Session of D1's binding: `_send` is the method by which all statements go to D1, of requests, objects and tests. */
interface Session {
  /** Null for statements without a session, which go to the primary. */
  bookmarkOrConstraint: string | null;
  _send: Send;
  _updateBookmark(bookmark: string): void;
}

const READ = /^\s*(?:select|pragma|explain)\b|^\s*with\b(?![\s\S]*\b(?:insert|update|delete|replace)\b)/i;

/** Formats the number of writes as D1 formats the state of a database. */
const bookmarkAt = (writes: number) =>
  `${writes.toString(16).padStart(8, "0")}-00000002-00004f6c-b9ee6dda6a1a2a14ac7ce6a92e3bfba1`;
const writesAt = (bookmark: string) => Number.parseInt(bookmark.slice(0, 8), 16);

/**
 * D1 with a replica that lags behind: writes go to `DB` and are recorded, and `DB_REPLICA` gets them when `replicate` is
 * called. Sessions read there unless it is older than their bookmark, as D1's documentation promises. A session that
 * begins with "first-primary" and everything without a session read `DB`.
 */
export class LaggingD1 {
  /** The one that D1's sessions go through now. */
  static current: LaggingD1 | null = null;
  #pending: { batch: Batch; changes: number }[] = [];
  #replicated = 0;
  #inFlight = 0;
  #isReplicating = false;
  /** Number of reads that the replica has answered while it was behind. */
  staleReads = 0;
  readonly #lags: number[] = [];
  readonly #session: Session;
  readonly #send: Send;
  readonly #open: { primary: () => Session; replica: () => Session };

  /** Puts itself behind all of D1's sessions. @param seed of a lag of 1 to 20 writes; none: only `replicate` ends it */
  constructor(seed?: number) {
    const { DB, DB_REPLICA } = env as Env & { DB_REPLICA: D1Database };
    const opener = (d1: D1Database) => {
      const open = d1.withSession.bind(d1);
      return () => open("first-primary") as unknown as Session;
    };
    this.#open = { primary: opener(DB), replica: opener(DB_REPLICA) };
    if (seed !== undefined)
      this.#lags = fc.sample(fc.integer({ min: 1, max: 20 }), { numRuns: 10_000, seed });
    this.#session = Object.getPrototypeOf(this.#open.primary()) as Session;
    const send = this.#session._send;
    this.#send = send;
    LaggingD1.current = this;
    const lagging = this;
    this.#session._send = function (endpoint, query, values, ...more) {
      return lagging.#route(this, endpoint, query, values, ...more);
    };
  }

  /** Gives D1 its own sessions back. */
  stop(): void {
    this.#session._send = this.#send;
    LaggingD1.current = null;
  }

  get lag(): number {
    return this.#pending.length;
  }

  /** Brings the oldest writes to the replica, by default all. */
  async replicate(writes = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#inFlight > 0 || this.#isReplicating) await scheduler.wait(1);
    await this.#apply(writes);
  }

  /** Forgets the writes that the replica has not got, of a database that was emptied. */
  restart(): void {
    this.#replicated += this.#pending.splice(0).length;
  }

  /** Ends the lag of a run with a seed for a request that may see an old shop. */
  async catchUp(): Promise<void> {
    if (this.#lags.length > 0) await this.replicate();
  }

  async #apply(writes: number): Promise<void> {
    this.#isReplicating = true;
    try {
      const due = this.#pending.slice(0, writes);
      const statements = due.flatMap(({ batch }) => batch);
      if (statements.length === 0) return;
      const sql = statements.map(([query]) => query);
      const values = statements.map(([, bound]) => bound);
      await this.#send.call(this.#open.replica(), "/query", sql, values, "NONE", NO_SPAN);
      this.#pending.splice(0, due.length);
      this.#replicated += due.length;
    } finally {
      this.#isReplicating = false;
    }
  }

  #route(session: Session, ...request: Parameters<Send>): ReturnType<Send> {
    const [, query] = request;
    const isRead = [query].flat().every((sql) => READ.test(sql));
    if (!isRead) return this.#write(session, ...request);
    return this.#isFresh(session.bookmarkOrConstraint)
      ? this.#readReplica(session, request)
      : this.#readPrimary(session, request);
  }

  /** Tests whether a session may read at the replica. */
  #isFresh(start: string | null): boolean {
    if (start === null || start === "first-primary") return false;
    return start === "first-unconstrained" || writesAt(start) <= this.#replicated;
  }

  async #readReplica(session: Session, request: Parameters<Send>): ReturnType<Send> {
    if (this.lag > 0) this.staleReads++;
    const at = this.#replicated;
    const sent = await this.#send.apply(this.#open.replica(), request);
    session._updateBookmark(bookmarkAt(at));
    return sent;
  }

  async #readPrimary(session: Session, request: Parameters<Send>): ReturnType<Send> {
    const sent = await this.#send.apply(this.#open.primary(), request);
    session._updateBookmark(bookmarkAt(this.#replicated + this.lag));
    return sent;
  }

  async #write(session: Session, ...[, query, values, , span]: Parameters<Send>): ReturnType<Send> {
    const batch: Batch = Array.isArray(query)
      ? query.map((sql, i) => [sql, (values[i] ?? []) as unknown[]])
      : [[query, values]];
    this.#inFlight++;
    try {
      const sql = [...batch.map(([each]) => each), TOTAL_CHANGES];
      const bound = [...batch.map(([, each]) => each), []];
      const primary = this.#open.primary();
      const sent = await this.#send.call(primary, "/query", sql, bound, "ROWS_AND_COLUMNS", span);
      const results = [sent].flat();
      if (results.some(({ success }) => !success)) return sent;
      this.#record(batch, results.slice(0, -1), changesIn(results.at(-1)));
      session._updateBookmark(bookmarkAt(this.#replicated + this.lag));
      return Array.isArray(query) ? results.slice(0, -1) : (results[0] as SentResult);
    } finally {
      this.#inFlight--;
      await this.#keepLag();
    }
  }

  /** Answers of parallel writes may arrive in another order than D1's. */
  #record(batch: Batch, results: SentResult[], changes: number): void {
    if (!results.some(({ meta }) => meta?.changed_db || meta?.rows_written)) return;
    this.#pending.push({ batch, changes });
    this.#pending.sort((one, other) => one.changes - other.changes);
  }

  /** Replicates until the replica is as far behind as the seed says. A write under way may have been before these. */
  async #keepLag(): Promise<void> {
    if (this.#lags.length === 0 || this.#inFlight > 0 || this.#isReplicating) return;
    const target = this.#lags[(this.#replicated + this.lag) % this.#lags.length] ?? 1;
    if (this.lag > target) await this.#apply(this.lag - target);
  }
}

/**
 * Recognises the only requests that may see an old shop: those that read, and that neither an account nor an own write
 * identifies. Their tests write products as somebody else and are about what such a reader sees, so that the replica
 * catches up. A page of the reader's chats or receipts, or of a mailed link, is none of them.
 */
export const isPromisedNothing = ({ method, url, headers }: Request) =>
  (method === "GET" || method === "HEAD") &&
  !headers.has("Authorization") &&
  !/emporia_(?:session|bookmark)=/.test(headers.get("Cookie") ?? "") &&
  !/^\/(?:receipts|resetPassword|account)\b/.test(new URL(url).pathname) &&
  !(headers.has("Cookie") && /^\/(?:api\/)?chat\b/.test(new URL(url).pathname));

/** Order of the writes of one database. */
const TOTAL_CHANGES = "SELECT total_changes() AS changes";
const NO_SPAN = { setAttribute: () => undefined, setAttributes: () => undefined };

function changesIn(result: SentResult | undefined): number {
  const results = result?.results;
  const row = Array.isArray(results) ? Object.values(results[0] ?? {}) : results?.rows[0];
  return Number(row?.[0]);
}
