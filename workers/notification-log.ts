import type { Side } from "./read-marks";

/** Message whose notification is on display. */
interface DisplayedMessage {
  seq: number;
  /** Epoch milliseconds. */
  at: number;
}

/** Notifications on display, one for each side and subscription. */
export class NotificationLog {
  constructor(private readonly sql: SqlStorage) {}

  /** Returns the displayed messages of a side by subscription. */
  displayed(side: Side): Map<number, DisplayedMessage> {
    const rows = this.sql.exec<{ subscription: number; seq: number; at: number }>(
      "SELECT subscription, seq, at FROM pushes WHERE side = ?",
      side,
    );
    return new Map(rows.toArray().map(({ subscription, ...message }) => [subscription, message]));
  }

  /** Stores the message that a subscription displays, in place of an earlier one. */
  record(side: Side, subscription: number, { seq, at }: DisplayedMessage): void {
    this.sql.exec(
      "INSERT OR REPLACE INTO pushes (side, subscription, seq, at) VALUES (?, ?, ?, ?)",
      side,
      subscription,
      seq,
      at,
    );
  }

  /** Deletes an entry unless a newer message has replaced it. @param seq of the message that was displayed */
  remove(side: Side, subscription: number, seq: number): void {
    this.sql.exec(
      "DELETE FROM pushes WHERE side = ? AND subscription = ? AND seq = ?",
      side,
      subscription,
      seq,
    );
  }
}
