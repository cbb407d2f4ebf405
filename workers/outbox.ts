import { describeError } from "~/http/request-log.server";

/** Delay of the alarm, so that it does not repeat a task that is running, in milliseconds. */
const ALARM_DELAY_MS = 2000;
/**
 * Delay of the alarm for new tasks, in milliseconds. They run without it; it repeats what the end of the process has cut off.
 * A conversation sets and runs it once in this time: each time is four commits, in the room and in the engine's list of alarms.
 */
const RECOVERY_DELAY_MS = 10_000;
const MAX_RETRY_DELAY_MS = 5 * 60_000;

interface OutboxEntry<Kind> {
  kind: Kind;
  stamp: number;
  attempts: number;
}

/** Circumstances of a task's run. */
export interface TaskRun {
  /** Failed attempts before it. */
  attempts: number;
  /** The caller waits for this task alone. */
  isAwaited: boolean;
}

/** Tasks of a Durable Object, stored with the data they follow from; its alarm repeats them until they succeed. */
export class Outbox<Kind extends string> {
  #running: Promise<void> = Promise.resolve();
  readonly #slowRunning = new Map<Kind, Promise<void>>();
  #dropped = false;
  /** Stamps of completed tasks by kind; a full run deletes their rows together at its end, since each commit costs. */
  readonly #done = new Map<Kind, number>();
  /** Time of the alarm in epoch milliseconds; in the past when unknown. */
  #alarmAt = 0;

  /**
   * Creates the outbox of a Durable Object.
   *
   * @param runTask a rejection schedules a retry
   * @param slow tasks that wait for servers elsewhere; they run beside the others, which never wait for them
   */
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly runTask: (kind: Kind, run: TaskRun) => Promise<void>,
    private readonly slow: readonly NoInfer<Kind>[] = [],
  ) {}

  /** Creates the table, also after `drop`: a room may be filled again in the object that was emptied. */
  createTable(): void {
    this.#dropped = false;
    this.#alarmAt = 0;
    this.storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS duties (kind TEXT PRIMARY KEY, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, stamp INTEGER NOT NULL)",
    );
  }

  /**
   * Adds a task, in the transaction of the data it follows from. A pending one keeps the earlier time.
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
    if (!this.#isAlarmBy(Math.max(dueAt, Date.now() + RECOVERY_DELAY_MS))) this.#setAlarm(RECOVERY_DELAY_MS);
  }

  cancel(kind: Kind): void {
    this.storage.sql.exec("DELETE FROM duties WHERE kind = ?", kind);
  }

  /** Discards all tasks before the storage is deleted. */
  drop(): void {
    this.#dropped = true;
  }

  /**
   * Runs the due tasks one after the other, each slow kind in a sequence of its own. Never rejects.
   *
   * @param only runs this kind, which is not slow; its row stays until the next full run
   */
  async runDue(only?: Kind): Promise<void> {
    this.#running = this.#running.then(() => (only ? this.#runOne(only) : this.#runAll(this.slow, false)));
    if (only) return this.#running;
    for (const kind of this.slow) {
      const running = this.#slowRunning.get(kind) ?? Promise.resolve();
      this.#slowRunning.set(
        kind,
        running.then(() => this.#runAll([kind])),
      );
    }
    await Promise.all([this.#running, ...this.#slowRunning.values()]);
  }

  async #runOne(kind: Kind): Promise<void> {
    const due = this.#next([kind]);
    if (due) await this.#try(due, true);
  }

  async #runAll(kinds: readonly Kind[], isOfThese = true): Promise<void> {
    const next = () => this.#next(kinds, isOfThese);
    for (let due = next(); due; due = next()) await this.#try(due);
    this.#deleteDone();
    if (!this.#dropped) this.#setAlarm(ALARM_DELAY_MS);
  }

  async #try({ kind, stamp, attempts }: OutboxEntry<Kind>, isAwaited = false): Promise<void> {
    try {
      await this.runTask(kind, { attempts, isAwaited });
      this.#done.set(kind, stamp);
    } catch (error) {
      const line = {
        level: "warn",
        kind: "task",
        task: kind,
        attempt: attempts + 1,
        error: describeError(error),
      };
      console.warn(JSON.stringify(line));
      if (this.#dropped) return;
      const wait = Math.min(1000 * 2 ** attempts, MAX_RETRY_DELAY_MS);
      this.storage.sql.exec(
        "UPDATE duties SET attempts = attempts + 1, due_at = ? WHERE kind = ?",
        Date.now() + wait,
        kind,
      );
    }
  }

  /** Finds the first due task of these kinds, or of all others, that is not completed. */
  #next(kinds: readonly Kind[], isOfThese = true): OutboxEntry<Kind> | undefined {
    if (this.#dropped) return undefined;
    return this.storage.sql
      .exec(
        `SELECT kind, stamp, attempts FROM duties WHERE due_at <= ?
         AND (kind IN (SELECT value FROM json_each(?))) = ?
         AND stamp NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, rowid LIMIT 1`,
        Date.now(),
        JSON.stringify(kinds),
        Number(isOfThese),
        JSON.stringify([...this.#done.values()]),
      )
      .toArray()[0] as OutboxEntry<Kind> | undefined;
  }

  #deleteDone(): void {
    if (this.#dropped) return;
    for (const [kind, stamp] of this.#done)
      this.storage.sql.exec("DELETE FROM duties WHERE kind = ? AND stamp = ?", kind, stamp);
    this.#done.clear();
  }

  /** Runs the due tasks and sets the next alarm. */
  runFromAlarm(): Promise<void> {
    this.#alarmAt = 0;
    return this.runDue();
  }

  /**
   * Sets the alarm for the first task, in the current transaction. An earlier alarm stays, because moving it costs a
   * write.
   *
   * @param delay milliseconds from now before which the alarm is not needed
   */
  #setAlarm(delay: number): void {
    const { first } = this.storage.sql.exec("SELECT min(due_at) AS first FROM duties").one() as {
      first: number | null;
    };
    if (first === null) return;
    const at = Math.max(first, Date.now() + delay);
    if (this.#isAlarmBy(at)) return;
    this.#alarmAt = at;
    void this.storage.setAlarm(at);
  }

  #isAlarmBy(at: number): boolean {
    return this.#alarmAt > Date.now() && this.#alarmAt <= at;
  }
}

/** Milliseconds by which work is delayed and collected: the list of chats and the consoles lag by them. */
const PAUSE_MS = 100;

/** Runs work after the response, once for all calls in the pause: an object's only thread would delay the response. */
export class AfterResponse {
  #planned: Promise<void> | null = null;

  /** Creates the plan of an object's work. @param work never rejects; it is lost when the process ends, unless an Outbox task repeats it */
  constructor(
    private readonly ctx: DurableObjectState,
    private readonly work: () => Promise<unknown>,
  ) {}

  plan(): void {
    if (this.#planned) return;
    this.#planned = scheduler.wait(PAUSE_MS).then(async () => {
      this.#planned = null;
      await this.work();
    });
    this.ctx.waitUntil(this.#planned);
  }
}
