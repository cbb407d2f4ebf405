import { type RoomUpdate, type SavedUpdate, saveChatRows } from "~/features/chat/operations/rooms.server";

/** Milliseconds in which the first row of a batch waits for others. */
const GATHER_MS = 20;
/** Rows of one batch: a statement has their texts as one parameter, and D1 takes 2 MB. */
const MAX_ROWS = 40;
/** Rows that wait for D1. */
const MAX_WAITING = 1000;

interface WaitingRow {
  update: RoomUpdate;
  resolve: (saved: SavedUpdate) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes rows of many chats to D1 in one batch (docs/decisions/0066-collected-rows.md). It stores nothing: a room keeps the
 * task in its outbox until it hears that D1 has committed, and repeats a failed row without the collector.
 */
export class RowCollector {
  #waiting: WaitingRow[] = [];
  #isWriting = false;

  constructor(private readonly env: Env) {}

  /** Adds a row. @returns once D1 has committed it @throws Error of its batch, or when too many rows wait */
  save(update: RoomUpdate): Promise<SavedUpdate> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= MAX_WAITING)
        return reject(new Error("Too many rows of chats wait for D1."));
      this.#waiting.push({ update, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  /** Writes one batch after the other; what arrives meanwhile is the next one. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    await scheduler.wait(GATHER_MS);
    while (this.#waiting.length > 0) await this.#writeBatch(this.#waiting.splice(0, MAX_ROWS));
    this.#isWriting = false;
  }

  async #writeBatch(rows: WaitingRow[]): Promise<void> {
    try {
      const saved = await saveChatRows(
        this.env,
        rows.map(({ update }) => update),
      );
      for (const [at, { resolve }] of rows.entries()) resolve(saved[at] ?? { isErased: false });
    } catch (error) {
      for (const { reject } of rows) reject(error);
    }
  }
}
