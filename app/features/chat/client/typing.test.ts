import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { typingNotifier } from "./typing";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const notifier = () => {
  const sent: string[] = [];
  return { sent, typing: typingNotifier((event) => sent.push(event)) };
};

describe("typing events of an input field", () => {
  it("sends typing at the first key and stop-typing 2,000 ms after the last", () => {
    const { sent, typing } = notifier();
    typing.keyPressed();
    vi.advanceTimersByTime(500);
    typing.keyPressed();
    vi.advanceTimersByTime(1999);
    expect(sent).toEqual(["typing"]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(["typing", "stop-typing"]);
  });

  it("repeats typing once a second, so that the 3 s indicator stays visible", () => {
    const { sent, typing } = notifier();
    for (let key = 0; key < 300; key++) {
      typing.keyPressed();
      vi.advanceTimersByTime(33);
    }
    expect(sent.length).toBeGreaterThanOrEqual(9);
    expect(sent.length).toBeLessThanOrEqual(11);
  });

  it("stops at once when the message is sent, and sends nothing when nobody typed", () => {
    const { sent, typing } = notifier();
    typing.stop();
    expect(sent).toEqual([]);
    typing.keyPressed();
    typing.stop();
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual(["typing", "stop-typing"]);
    typing.keyPressed();
    expect(sent.at(-1)).toBe("typing");
  });
});
