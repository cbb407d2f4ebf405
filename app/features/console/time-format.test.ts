import { describe, expect, it } from "vitest";
import { waitingTime } from "./time-format";

describe("waitingTime", () => {
  it.each([
    [-5, "0 min"],
    [59, "0 min"],
    [59 * 60, "59 min"],
    [60 * 60, "1 h"],
    [80 * 60, "1 h 20 min"],
    [5 * 3600 + 30, "5 h"],
    [24 * 3600, "1 d"],
  ])("%i seconds: %s", (seconds, text) => {
    expect(waitingTime(1_000_000, 1_000_000 + seconds)).toBe(text);
  });
});
