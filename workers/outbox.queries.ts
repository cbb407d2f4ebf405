/** How long the alarm leaves a duty alone that is being done anyway, in milliseconds. */
const BACKSTOP = 2000;
const LONGEST_WAIT = 5 * 60_000;

interface OutboxEntry<Kind> {
  kind: Kind;
  stamp: number;
  attempts: number;
}

/**
 * What an object still has to do, kept in its storage: done at once where possible, and again by its alarm until it is
 * done, whatever happens to the process in between.
 */
export class Outbox<Kind extends string> {
  #settled: Promise<void> = Promise.resolve();
  #dropped = false;
  /** Done, by kind with stamp, and still in the table: struck out with the next full settling, for each write counts. */
  readonly #done = new Map<Kind, number>();
  /** When the alarm rings, in epoch milliseconds; in the past when that isn't known. */
  #alarmAt = 0;

  /**
   * @param storage of the object; `createTable` was called on it
   * @param perform does a duty; a rejection means later again
   */
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly perform: (kind: Kind) => Promise<void>,
  ) {}

  createTable(): void {
    this.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS duties (kind TEXT PRIMARY KEY, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, stamp INTEGER NOT NULL)",
    );
  }

  /**
   * Takes a duty on, in the same transaction as what it follows from. One that stands already keeps the earlier time.
   *
   * @param dueAt epoch milliseconds
   */
  add(kind: Kind, dueAt: number): void {
    this.storage.sql.exec(
      `INSERT INTO duties (kind, due_at, stamp) VALUES (?, ?, random() >> 11)
       ON CONFLICT (kind) DO UPDATE SET due_at = min(due_at, excluded.due_at), stamp = excluded.stamp`,
      kind,
      dueAt,
    );
    if (!this.#ringsBy(dueAt)) this.#arm();
  }

  /** A duty that is there no more. */
  cancel(kind: Kind): void {
    this.storage.sql.exec("DELETE FROM duties WHERE kind = ?", kind);
  }

  /** Forgets all of them: the storage is about to be emptied. */
  drop(): void {
    this.#dropped = true;
  }

  /**
   * Does what is due, one after the other. Never rejects.
   *
   * @param only does this one, once, and leaves the rest to the next call, without which it is done again some day
   */
  settle(only?: Kind): Promise<void> {
    this.#settled = this.#settled.then(() => this.#run(only));
    return this.#settled;
  }

  async #run(only?: Kind): Promise<void> {
    if (only) {
      const due = this.#next(only);
      if (due && this.#done.get(only) !== due.stamp) await this.#try(due);
      return;
    }
    for (let due = this.#next(); due; due = this.#next()) await this.#try(due);
    if (!this.#dropped) this.#arm();
  }

  async #try({ kind, stamp, attempts }: OutboxEntry<Kind>): Promise<void> {
    try {
      await this.perform(kind);
      this.#done.set(kind, stamp);
    } catch (error) {
      console.warn(`${kind} failed ${attempts + 1} times:`, error);
      const wait = Math.min(1000 * 2 ** attempts, LONGEST_WAIT);
      this.storage.sql.exec(
        "UPDATE duties SET attempts = attempts + 1, due_at = ? WHERE kind = ?",
        Date.now() + wait,
        kind,
      );
    }
  }

  #next(only?: Kind): OutboxEntry<Kind> | undefined {
    if (this.#dropped) return undefined;
    if (!only) this.#strikeOut();
    return this.storage.sql
      .exec(
        "SELECT kind, stamp, attempts FROM duties WHERE due_at <= ? AND kind = ifnull(?, kind) ORDER BY due_at, rowid LIMIT 1",
        Date.now(),
        only ?? null,
      )
      .toArray()[0] as OutboxEntry<Kind> | undefined;
  }

  #strikeOut(): void {
    for (const [kind, stamp] of this.#done)
      this.storage.sql.exec("DELETE FROM duties WHERE kind = ? AND stamp = ?", kind, stamp);
    this.#done.clear();
  }

  /** The alarm has rung: does what is due, and sets it for what isn't yet. */
  ring(): Promise<void> {
    this.#alarmAt = 0;
    return this.settle();
  }

  /**
   * Sees to it that the alarm rings no later than the first duty asks for. Moving it costs a write of its own, so it
   * is left alone where it rings earlier than need be, even for nothing. Its write is part of the transaction that is
   * under way.
   */
  #arm(): void {
    const { first } = this.storage.sql.exec("SELECT min(due_at) AS first FROM duties").one() as {
      first: number | null;
    };
    if (first === null || this.#ringsBy(first)) return;
    this.#alarmAt = Math.max(first, Date.now() + BACKSTOP);
    void this.storage.setAlarm(this.#alarmAt);
  }

  /** Whether the alarm rings early enough for a duty. */
  #ringsBy(dueAt: number): boolean {
    const now = Date.now();
    return this.#alarmAt > now && this.#alarmAt <= Math.max(dueAt, now + BACKSTOP);
  }
}
