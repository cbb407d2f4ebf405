import { describe, expect, it } from "vitest";
import { formatReplyTime } from "./time";

describe("formatReplyTime", () => {
  it.each([
    [0, "a minute"],
    [60, "a minute"],
    [61, "2 min"],
    [180, "5 min"],
    [300, "5 min"],
    [301, "10 min"],
    [2701, "an hour"],
    [3600, "an hour"],
    [3601, "2 hours"],
    [86_400, "24 hours"],
  ])("%i seconds: within %s", (seconds, text) => {
    expect(formatReplyTime(seconds)).toBe(text);
  });
});
