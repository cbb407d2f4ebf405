import type { ReadMarks } from "~/features/chat/protocol";
import { timestampMs } from "~/features/chat/time";
import type { ChatLog } from "./chat-log";
import type { ChatRecord } from "./chat-log.schema";

export type Side = keyof ReadMarks;

/** Columns of each side: the last message read, the time of reading, and the other side's messages after it. */
const COLUMNS = {
  visitor: { seq: "visitor_seq", at: "visitor_read_at", unread: "visitor_unread" },
  staff: { seq: "staff_seq", at: "staff_read_at", unread: "unread" },
} as const satisfies Record<Side, Record<string, keyof ChatRecord>>;

/** Read marks of a chat: the last message that each side has read. Marks only move forward. */
export class ReadMarkLog {
  constructor(
    private readonly sql: SqlStorage,
    private readonly log: ChatLog,
  ) {}

  marks(): ReadMarks {
    return { visitor: this.#mark("visitor"), staff: this.#mark("staff") };
  }

  /** Returns the number of the other side's messages that a side has not read. */
  unread(side: Side): number {
    return this.log.chat()[COLUMNS[side].unread];
  }

  /**
   * Marks the messages up to a seq as read.
   *
   * @returns whether the mark has moved, and whether the number of unread messages has changed
   */
  move(side: Side, seq: number): { hasMoved: boolean; isChanged: boolean } {
    const columns = COLUMNS[side];
    const chat = this.log.chat();
    const read = Math.max(chat[columns.seq], Math.min(seq, this.log.lastSeq()));
    const hasMoved = read > chat[columns.seq];
    const unread = this.unread(side) === 0 ? 0 : this.#countAfter(read, side);
    const isChanged = unread !== this.unread(side);
    if (hasMoved || isChanged)
      this.log.set({
        [columns.seq]: read,
        ...(hasMoved && { [columns.at]: Date.now() }),
        [columns.unread]: unread,
        revision: chat.revision + Number(isChanged),
      });
    return { hasMoved, isChanged };
  }

  /** Counts the messages of persons after a seq that are for a side. */
  #countAfter(seq: number, side: Side): number {
    const rows = this.sql.exec<{ count: number }>(
      "SELECT count(*) AS count FROM messages WHERE seq > ? AND is_from_admin = ? AND written_by > 0",
      seq,
      Number(side === "visitor"),
    );
    return rows.one().count;
  }

  #mark(side: Side): ReadMarks[Side] {
    const at = this.log.chat()[COLUMNS[side].at];
    return { seq: this.log.chat()[COLUMNS[side].seq], timestamp: at === null ? null : timestampMs(at) };
  }
}
