import { describe, expect, it } from "vitest";
import { lastRead, laterMarks, NOTHING_READ } from "./read-marks";

const at = (seconds: number) => ({ seconds, nanoseconds: 0 });
const message = (seq: number, isFromAdmin: boolean) => ({ id: `m${seq}`, seq, isFromAdmin });
const MESSAGES = [message(1, true), message(2, false), message(3, false), message(4, true)];

describe("read marks", () => {
  it("only move forward", () => {
    const marks = laterMarks(NOTHING_READ, { staff: { seq: 3, timestamp: at(20) } });
    expect(marks.staff).toEqual({ seq: 3, timestamp: at(20) });
    expect(laterMarks(marks, { staff: { seq: 2, timestamp: at(30) } })).toEqual(marks);
    expect(laterMarks(marks, { staff: { seq: 3, timestamp: at(30) } })).toEqual(marks);
    expect(marks.visitor).toEqual(NOTHING_READ.visitor);
  });

  it("find the last message that the other side has read", () => {
    const marks = { visitor: { seq: 3, timestamp: at(10) }, staff: { seq: 2, timestamp: at(20) } };
    expect(lastRead(MESSAGES, "visitor", marks)).toEqual({ id: "m2", seconds: 20 });
    expect(lastRead(MESSAGES, "staff", marks)).toEqual({ id: "m1", seconds: 10 });
  });

  it("find nothing before the first reading", () => {
    expect(lastRead(MESSAGES, "visitor", NOTHING_READ)).toBeNull();
    expect(
      lastRead([message(1, true)], "visitor", { ...NOTHING_READ, staff: { seq: 1, timestamp: at(1) } }),
    ).toBeNull();
  });
});
