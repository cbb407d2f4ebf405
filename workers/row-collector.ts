import { type RoomUpdate, type SavedUpdate, updateChatRows } from "~/features/chat/operations/rooms.server";
import { describeError } from "~/http/request-log.server";

/** Milliseconds in which the first row of a batch waits for others. */
const GATHER_MS = 20;
/** Rows of one batch. */
const MAX_ROWS = 40;
/** Bytes of one batch: D1 takes 2 MB as one parameter. A larger row is a batch of its own. */
const MAX_BATCH_BYTES = 500_000;
/** Rows that wait for D1. */
const MAX_WAITING = 1000;

/** Outcome of a collected row; a failure is returned, because an error that leaves an object counts as the object's own. */
export type CollectedRow = SavedUpdate | { failure: string };

/** Its room writes the row by itself, if there is still a room. */
const NOT_WRITTEN: CollectedRow = { failure: "The chat has no row, or a newer one." };

interface WaitingRow {
  update: RoomUpdate;
  bytes: number;
  resolve: (outcome: CollectedRow) => void;
}

/**
 * Writes rows of many chats to D1 in one batch (docs/decisions/0066-collected-rows.md). It stores nothing: a room keeps the
 * task in its outbox until it hears that D1 has committed, and repeats a failed row without the collector.
 */
export class RowCollector {
  #waiting: WaitingRow[] = [];
  #isWriting = false;

  constructor(private readonly env: Env) {}

  /** Adds a row. @returns once D1 has committed or refused its batch; a failure at once when too many rows wait */
  save(update: RoomUpdate): Promise<CollectedRow> {
    return new Promise((resolve) => {
      if (this.#waiting.length >= MAX_WAITING)
        return resolve({ failure: "Too many rows of chats wait for D1." });
      this.#waiting.push({ update, bytes: Buffer.byteLength(JSON.stringify(update)), resolve });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Writes one batch after the other; what arrives meanwhile is the next one. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    await scheduler.wait(GATHER_MS);
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, this.#batchLength()));
    this.#isWriting = false;
  }

  /** Returns how many of the rows that wait the next batch has, at least one. */
  #batchLength(): number {
    let [length, bytes] = [0, 0];
    for (const row of this.#waiting.slice(0, MAX_ROWS)) {
      bytes += row.bytes;
      if (length > 0 && bytes > MAX_BATCH_BYTES) break;
      length++;
    }
    return length;
  }

  async #writeBatch(rows: WaitingRow[]): Promise<void> {
    try {
      const saved = await updateChatRows(
        this.env,
        rows.map(({ update }) => update),
      );
      for (const [at, { resolve }] of rows.entries()) resolve(saved[at] ?? NOT_WRITTEN);
    } catch (error) {
      for (const { resolve } of rows) resolve({ failure: describeError(error) });
    }
  }
}
