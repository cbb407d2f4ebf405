import type { ChatMessage, ReadMark, ReadMarks } from "./protocol";

export const NOTHING_READ: ReadMarks = {
  visitor: { seq: 0, timestamp: null },
  staff: { seq: 0, timestamp: null },
};

/** Combines read marks; each only moves forward. */
export function laterMarks(current: ReadMarks, next: { [side in keyof ReadMarks]?: ReadMark }): ReadMarks {
  const later = (side: keyof ReadMarks) => {
    const mark = next[side];
    return mark && mark.seq > current[side].seq ? mark : current[side];
  };
  return { visitor: later("visitor"), staff: later("staff") };
}

/**
 * Finds the last message of a side that the other side has read.
 *
 * @returns its id, and the time of reading in epoch seconds; null for none
 */
export function lastRead(
  messages: Pick<ChatMessage, "id" | "seq" | "isFromAdmin">[],
  writer: keyof ReadMarks,
  marks: ReadMarks,
): { id: string; seconds: number } | null {
  const { seq, timestamp } = marks[writer === "staff" ? "visitor" : "staff"];
  const read = messages.findLast(
    (message) => message.isFromAdmin === (writer === "staff") && message.seq <= seq,
  );
  return read && timestamp ? { id: read.id, seconds: timestamp.seconds } : null;
}
