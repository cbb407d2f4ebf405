import { Actor, type Scheduler } from "./scheduler";
import { Sqlite } from "./sqlite";

/** Class of a Durable Object. */
type ObjectClass = new (ctx: never, env: never) => object;

const NO_ALARM = null;

/** Storage of an object, which outlives it. */
class Storage {
  alarm: number | null = NO_ALARM;
  #database: Sqlite;
  #values = new Map<string, unknown>();

  constructor(private readonly scheduler: Scheduler) {
    this.#database = new Sqlite(scheduler);
  }

  readonly sql = {
    exec: (sql: string, ...values: unknown[]) => {
      const isScript = values.length === 0 && /;\s*\S/.test(sql.trim());
      if (isScript) this.#database.script(sql);
      const { rows, changes } = isScript ? { rows: [], changes: 0 } : this.#database.run(sql, values);
      return {
        toArray: () => rows,
        one: () => {
          if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}`);
          return rows[0];
        },
        [Symbol.iterator]: () => rows[Symbol.iterator](),
        rowsWritten: changes,
      };
    },
  };

  get = async (key: string) => structuredClone(this.#values.get(key));
  put = async (key: string, value: unknown) => void this.#values.set(key, structuredClone(value));
  delete = async (key: string) => this.#values.delete(key);
  sync = async () => {};
  getAlarm = async () => this.alarm;
  setAlarm = async (at: number | Date) => {
    this.alarm = Number(at);
  };
  deleteAlarm = async () => {
    this.alarm = NO_ALARM;
  };
  transactionSync = <T>(work: () => T): T => this.#database.transaction(work);
  deleteAll = async () => {
    this.#values.clear();
    this.#database.close();
    this.#database = new Sqlite(this.scheduler);
  };

  close(): void {
    this.#database.close();
  }
}

interface Instance {
  actor: Actor;
  object: Record<string, (...args: unknown[]) => unknown>;
}

/** Milliseconds after which the platform repeats an alarm that has failed. */
const ALARM_RETRY_MS = 2000;

/** Durable Objects of the simulation: their calls, storage, alarms and evictions. */
export class SimulatedObjects {
  env!: Env;
  readonly #storages = new Map<string, Storage>();
  readonly #instances = new Map<string, Instance>();
  /** Objects whose alarm is running. */
  readonly #ringing = new Set<string>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly classes: Record<string, ObjectClass>,
  ) {
    scheduler.dueAlarms = () => this.#dueAlarms();
  }

  namespace(className: string): DurableObjectNamespace {
    return { getByName: (name: string) => this.#stub(className, name) } as unknown as DurableObjectNamespace;
  }

  /** Lists the objects that are in memory. */
  loaded(): string[] {
    return [...this.#instances.keys()].sort();
  }

  /** Takes an object out of memory, whatever it is doing. */
  evict(key: string): void {
    const instance = this.#instances.get(key);
    if (!instance) return;
    this.#instances.delete(key);
    this.scheduler.endActor(instance.actor, "The Durable Object was reset.");
  }

  evictAll(): void {
    for (const key of this.loaded()) this.evict(key);
  }

  /** Returns the time of the first alarm, epoch milliseconds; null without one. */
  nextAlarm(): number | null {
    const times = [...this.#storages.values()].flatMap(({ alarm }) => alarm ?? []);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Storage of an object, for the invariants. */
  storage(key: string): Storage | undefined {
    return this.#storages.get(key);
  }

  /** Lists the objects of a class that have storage, by name. */
  names(className: string): string[] {
    const prefix = `${className} `;
    return [...this.#storages.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
  }

  reset(): void {
    for (const storage of this.#storages.values()) storage.close();
    for (const { actor } of this.#instances.values()) actor.isAlive = false;
    this.#storages.clear();
    this.#instances.clear();
    this.#ringing.clear();
  }

  #stub(className: string, name: string): object {
    const key = `${className} ${name}`;
    const call =
      (method: string) =>
      (...args: unknown[]) => {
        const sent = structuredClone(args);
        return this.scheduler.call("object", `${key}.${method}`, () => this.#invoke(key, method, sent));
      };
    return new Proxy({}, { get: (_, method) => (method === "then" ? undefined : call(String(method))) });
  }

  #invoke(key: string, method: string, args: unknown[]): Promise<unknown> {
    const { actor, object } = this.#instance(key);
    const run = async () => structuredClone(await object[method]?.(...args));
    return actor.carry(() => this.scheduler.actors.run(actor, run));
  }

  #instance(key: string): Instance {
    const known = this.#instances.get(key);
    if (known) return known;
    const [className = "", ...rest] = key.split(" ");
    const Class = this.classes[className];
    if (!Class) throw new Error(`There is no class ${className}`);
    const storage = this.#storages.get(key) ?? new Storage(this.scheduler);
    this.#storages.set(key, storage);
    const actor = new Actor(key);
    const ctx = stateOf(rest.join(" "), storage);
    const object = this.scheduler.actors.run(
      actor,
      () => new Class(ctx as never, this.env as never),
    ) as Instance["object"];
    const instance = { actor, object };
    this.#instances.set(key, instance);
    return instance;
  }

  #dueAlarms() {
    const due: { label: string; fire(): void }[] = [];
    for (const [key, { alarm }] of this.#storages)
      if (alarm !== null && alarm <= this.scheduler.now && !this.#ringing.has(key))
        due.push({ label: `alarm ${key}`, fire: () => this.#ring(key) });
    return due;
  }

  /** Rings an alarm; the platform repeats one that failed or was cut off. */
  #ring(key: string): void {
    const storage = this.#storages.get(key);
    if (!storage) return;
    storage.alarm = NO_ALARM;
    this.#ringing.add(key);
    const repeat = () => {
      storage.alarm ??= this.scheduler.now + ALARM_RETRY_MS;
    };
    void this.#invoke(key, "alarm", [])
      .catch(repeat)
      .finally(() => this.#ringing.delete(key));
  }
}

/** Builds the state of an object; live connections are not simulated. */
const stateOf = (name: string, storage: Storage) =>
  ({
    id: { name, toString: () => name },
    storage,
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
    getWebSockets: () => [],
    setWebSocketAutoResponse: () => {},
    getWebSocketAutoResponseTimestamp: () => null,
  }) as unknown as DurableObjectState;
