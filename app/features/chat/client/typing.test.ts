import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { typingTold } from "./typing";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const told = () => {
  const said: string[] = [];
  return { said, typing: typingTold((event) => said.push(event)) };
};

describe("what a field to write in tells of itself (spec 7, 9)", () => {
  it("typing at the first key, stop-typing 2,000 ms after the last", () => {
    const { said, typing } = told();
    typing.typed();
    vi.advanceTimersByTime(500);
    typing.typed();
    vi.advanceTimersByTime(1999);
    expect(said).toEqual(["typing"]);
    vi.advanceTimersByTime(1);
    expect(said).toEqual(["typing", "stop-typing"]);
  });

  it("says again once a second while somebody goes on, so that the others' 3 s never run out", () => {
    const { said, typing } = told();
    for (let key = 0; key < 300; key++) {
      typing.typed();
      vi.advanceTimersByTime(33);
    }
    expect(said.length).toBeGreaterThanOrEqual(9);
    expect(said.length).toBeLessThanOrEqual(11);
  });

  it("stops at once when it is sent, and says nothing where nobody had typed", () => {
    const { said, typing } = told();
    typing.stopped();
    expect(said).toEqual([]);
    typing.typed();
    typing.stopped();
    vi.advanceTimersByTime(5000);
    expect(said).toEqual(["typing", "stop-typing"]);
    typing.typed();
    expect(said.at(-1)).toBe("typing");
  });
});
