import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Clock and random numbers of a database, which are the simulation's. */
export interface Source {
  /** Epoch milliseconds. */
  now: number;
  random(): number;
}

type Row = Record<string, unknown>;

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
  isRead: boolean;
  isNumbered: boolean;
}

/** Statement that changes nothing. */
export const READ = /^\s*(?:select|with)\b/i;

/** Database in memory with prepared statements, for D1 and for the storage of objects. */
export class Sqlite {
  readonly #db = new DatabaseSync(":memory:");
  readonly #prepared = new Map<string, Prepared>();
  readonly #total = this.#db.prepare("SELECT total_changes() AS n");

  constructor(source: Source) {
    this.#db.function("unixepoch", () => Math.floor(source.now / 1000));
    this.#db.function("random", () => Math.floor(source.random() * 2 ** 52));
    this.#db.function("randomblob", (size) =>
      Uint8Array.from({ length: Number(size) }, () => Math.floor(source.random() * 256)),
    );
  }

  /** Runs statements without values. */
  script(sql: string): void {
    this.#db.exec(sql);
  }

  run(sql: string, values: unknown[]): { rows: Row[]; changes: number } {
    const { statement, hasRows, isRead, isNumbered } = this.#prepare(sql);
    const bound = values.map(bindable);
    const before = isRead ? 0 : this.#totalChanges();
    const named = Object.fromEntries(bound.map((value, i) => [`p${i + 1}`, value]));
    const given = (isNumbered ? [named] : bound) as SQLInputValue[];
    const rows = hasRows ? statement.all(...given).map((row) => ({ ...row })) : [];
    if (!hasRows) statement.run(...given);
    return { rows, changes: isRead ? 0 : this.#totalChanges() - before };
  }

  /** Runs work completely or not at all. */
  transaction<T>(work: () => T): T {
    this.#db.exec("SAVEPOINT work");
    try {
      const result = work();
      this.#db.exec("RELEASE work");
      return result;
    } catch (error) {
      this.#db.exec("ROLLBACK TO work; RELEASE work");
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const isNumbered = /\?\d/.test(sql);
    const statement = this.#db.prepare(isNumbered ? sql.replaceAll(/\?(\d+)/g, ":p$1") : sql);
    const hasRows = statement.columns().length > 0;
    const prepared = { statement, hasRows, isRead: READ.test(sql), isNumbered };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #totalChanges(): number {
    return Number(this.#total.get()?.n);
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  if (value === undefined) throw new TypeError("A value of a statement is undefined");
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}
