import { env } from "cloudflare:workers";
import fc from "fast-check";
import { type Batch, type MadeValues, MadeValuesReader, replayed, withoutRefusals } from "./replayed-writes";

interface SentResult {
  success?: boolean;
  error?: string;
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
  #pending: { batch: Batch; made: MadeValues }[] = [];
  readonly #made = new MadeValuesReader();
  /** The replica refuses nothing that the primary has accepted. */
  #isOpen = false;
  #replicated = 0;
  #inFlight = 0;
  #isReplicating = false;
  /** Number of reads that the replica has answered while it was behind; scripts/lag.mjs adds them up. */
  staleReads = 0;
  /** Errors of the replica since its database was empty: it lacks these writes. */
  refused: string[] = [];
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

  /** The lag is that of a whole run, not of a test of its own. */
  get hasSeed(): boolean {
    return this.#lags.length > 0;
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
    this.#made.restart();
    this.refused = [];
  }

  async #apply(writes: number): Promise<void> {
    const due = this.#pending.slice(0, writes);
    if (due.length === 0) return;
    this.#isReplicating = true;
    try {
      if (!this.#isOpen) await this.#removeRefusals();
      await this.#sendToReplica(due.flatMap(({ batch, made }) => replayed(batch, made)));
    } catch (error) {
      this.refused.push(String(error));
    } finally {
      // An emptied database has begun anew meanwhile.
      const left = this.#pending.filter((one) => !due.includes(one));
      this.#replicated += this.#pending.length - left.length;
      this.#pending = left;
      this.#isReplicating = false;
    }
  }

  async #sendToReplica(batch: Batch): Promise<SentResult[]> {
    const sql = batch.map(([query]) => query);
    const values = batch.map(([, bound]) => bound);
    const sent = await this.#send.call(
      this.#open.replica(),
      "/query",
      sql,
      values,
      "ROWS_AND_COLUMNS",
      NO_SPAN,
    );
    const results = [sent].flat();
    const failed = results.find(({ success }) => success === false);
    if (failed) throw new Error(`The replica has refused a write: ${failed.error}`);
    return results;
  }

  /** Replaces the triggers of a replica that was migrated by itself. */
  async #removeRefusals(): Promise<void> {
    const [found] = await this.#sendToReplica([
      ["SELECT name, sql FROM sqlite_master WHERE type = 'trigger'", []],
    ]);
    const triggers = rowsOf(found).flatMap(([name, sql]) => {
      const changed = withoutRefusals(String(sql));
      return changed === sql ? [] : [`DROP TRIGGER "${name}"`, changed];
    });
    if (triggers.length > 0) await this.#sendToReplica(triggers.map((sql) => [sql, []]));
    this.#isOpen = true;
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
      const [reading, last] = this.#made.statement(batch);
      const sql = [...batch.map(([each]) => each), reading];
      const bound = [...batch.map(([, each]) => each), last];
      const primary = this.#open.primary();
      const sent = await this.#send.call(primary, "/query", sql, bound, "ROWS_AND_COLUMNS", span);
      const results = [sent].flat();
      if (results.some(({ success }) => !success)) return sent;
      const made = this.#made.read(firstRow(results.at(-1)));
      this.#record(batch, results.slice(0, -1), made);
      session._updateBookmark(bookmarkAt(this.#replicated + this.lag));
      return Array.isArray(query) ? results.slice(0, -1) : (results[0] as SentResult);
    } finally {
      this.#inFlight--;
      await this.#keepLag();
    }
  }

  /** Answers of parallel writes may arrive in another order than D1's. */
  #record(batch: Batch, results: SentResult[], made: MadeValues): void {
    if (!results.some(({ meta }) => meta?.changed_db || meta?.rows_written)) return;
    this.#pending.push({ batch, made });
    this.#pending.sort((one, other) => one.made.changes - other.made.changes);
  }

  /** Replicates until the replica is as far behind as the seed says. A write under way may have been before these. */
  async #keepLag(): Promise<void> {
    if (!this.hasSeed || this.#inFlight > 0 || this.#isReplicating) return;
    const target = this.#lags[(this.#replicated + this.lag) % this.#lags.length] ?? 1;
    if (this.lag > target) await this.#apply(this.lag - target);
  }
}

/**
 * Recognises the only requests that may see an old shop: those that read, and that neither an account nor an own write
 * identifies. Their tests write products as somebody else and are about what such a reader sees, so that these requests
 * alone read the primary. A page of the reader's chats or receipts, or of a mailed link, is none of them.
 */
const isPromisedNothing = ({ method, url, headers }: Request) =>
  (method === "GET" || method === "HEAD") &&
  !headers.has("Authorization") &&
  !/emporia_(?:session|bookmark)=/.test(headers.get("Cookie") ?? "") &&
  !/^\/(?:receipts|resetPassword|account)\b/.test(new URL(url).pathname) &&
  !(headers.has("Cookie") && /^\/(?:api\/)?chat\b/.test(new URL(url).pathname));

/** Returns the bindings of a request: one that is promised nothing reads the primary. */
export function laggingBindings(bindings: Env, request: Request): Env {
  if (!isPromisedNothing(request)) return bindings;
  const { DB } = bindings;
  const atPrimary = {
    prepare: (sql: string) => DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => DB.batch(statements),
    withSession: () => DB.withSession("first-primary"),
  };
  return { ...bindings, DB: atPrimary as unknown as D1Database };
}

const NO_SPAN = { setAttribute: () => undefined, setAttributes: () => undefined };

/** Lists the values of a result's rows, in either of the forms in which D1 sends them. */
function rowsOf(result: SentResult | undefined): unknown[][] {
  const results = result?.results ?? [];
  return Array.isArray(results) ? results.map((row) => Object.values(row)) : results.rows;
}

function firstRow(result: SentResult | undefined): Record<string, unknown> {
  const [changes, now, made] = rowsOf(result)[0] ?? [];
  return { changes, now, made };
}
