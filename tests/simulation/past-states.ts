import type { SimulatedD1 } from "./runtime/d1";
import type { Scheduler } from "./runtime/scheduler";

/** Rows that explain refusals, and that visitors read. */
interface Rows {
  /** Units by id: that of a product without options has the product's. */
  units: Map<string, { id: string; product: string; name: string; stock: number }>;
  held: { hold: string; unit: string; quantity: number; until: number }[];
  holds: Map<string, { state: string; until: number }>;
  quotes: Map<string, { state: string; validUntil: number; documentId: string | null }>;
  /** Pieces on each line of a sale that can be taken back. */
  left: { document: string; description: string; pieces: number }[];
}

/** Primary's rows from an event on, at a time. */
export interface PastState extends Rows {
  event: number;
  /** Epoch seconds, by the clock of the shop. */
  now: number;
  /** Number of D1's last write. */
  written: number;
}

const byId = <Row extends { id: string }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

function readRows({ query }: { query: SimulatedD1["query"] }): Rows {
  return {
    units: byId(
      query<{ id: string; product: string; name: string; stock: number }>(
        `SELECT u.id, p.id AS product, p.name || iif(u.option_values = '[]', '', ' (' || (u.option_values ->> 0) || ')') AS name,
          u.stock FROM units AS u JOIN products AS p ON p.id = u.product_id`,
      ),
    ),
    held: query("SELECT hold_id AS hold, unit_id AS unit, quantity, until FROM hold_lines WHERE counted = 1"),
    holds: byId(query<{ id: string; state: string; until: number }>("SELECT id, state, until FROM holds")),
    quotes: byId(
      query<{ id: string; state: string; validUntil: number; documentId: string | null }>(
        "SELECT id, state, valid_until AS validUntil, document_id AS documentId FROM quotes",
      ),
    ),
    left: query(
      "SELECT document_id AS document, description, quantity - returned AS pieces FROM document_lines WHERE quantity > 0",
    ),
  };
}

/** States that the shop has had, by which an answer is judged that may be of any time of its request. */
export class PastStates {
  #states: PastState[] = [];
  #rows: Rows | null = null;

  constructor(
    private readonly d1: SimulatedD1,
    private readonly scheduler: Scheduler,
  ) {
    d1.onWrite = () => {
      this.#rows = null;
      this.observe();
    };
  }

  /** Keeps the state of now; to be called also before the clock is set. */
  observe(): void {
    this.#rows ??= readRows({ query: (sql, ...values) => this.d1.query(sql, ...values) });
    const now = Math.floor(this.scheduler.now / 1000);
    this.#states.push({ ...this.#rows, event: this.scheduler.events, now, written: this.d1.written });
  }

  /** Returns the states since an event, beginning with the one that it met. */
  since(event: number): PastState[] {
    return this.#states.slice(
      Math.max(
        0,
        this.#states.findLastIndex((state) => state.event <= event),
      ),
    );
  }

  /** Returns the states that had a write of D1 already. */
  withWrite(written: number): PastState[] {
    return this.#states.filter((state) => state.written >= written);
  }

  forget(): void {
    this.#states = [];
    this.#rows = null;
  }
}

/** Adds up the pieces of a unit on hold at a time. @param exceptHold that a sale itself ends */
export const heldAt = ({ held }: Rows, unit: string, now: number, exceptHold?: string): number =>
  held
    .filter((line) => line.unit === unit && line.until > now && line.hold !== exceptHold)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** Returns what is available of each unit of a product at a time. */
export const availableAt = (state: Rows, product: string, now: number): Map<string, number> =>
  new Map(
    [...state.units.values()]
      .filter((unit) => unit.product === product)
      .map(({ id, stock }) => [id, Math.max(0, stock - heldAt(state, id, now))]),
  );
