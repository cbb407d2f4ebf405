import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { typingNotifier, withTypist } from "./typing";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const notifier = () => {
  const sent: string[] = [];
  return { sent, typing: typingNotifier((event) => sent.push(event)) };
};

describe("typing events of an input field", () => {
  it("sends typing at the first key and stop-typing 2,000 ms after the last", () => {
    const { sent, typing } = notifier();
    typing.changed("Hel");
    vi.advanceTimersByTime(500);
    typing.changed("Hel");
    vi.advanceTimersByTime(1999);
    expect(sent).toEqual(["typing"]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(["typing", "stop-typing"]);
  });

  it("repeats typing once a second, so that the 3 s indicator stays visible", () => {
    const { sent, typing } = notifier();
    for (let key = 0; key < 300; key++) {
      typing.changed("Hel");
      vi.advanceTimersByTime(33);
    }
    expect(sent.length).toBeGreaterThanOrEqual(9);
    expect(sent.length).toBeLessThanOrEqual(11);
  });

  it("stops at once when the message is sent, and sends nothing when nobody typed", () => {
    const { sent, typing } = notifier();
    typing.stop();
    expect(sent).toEqual([]);
    typing.changed("Hel");
    typing.stop();
    vi.advanceTimersByTime(5000);
    expect(sent).toEqual(["typing", "stop-typing"]);
    typing.changed("Hel");
    expect(sent.at(-1)).toBe("typing");
  });

  it("stops when the field is emptied", () => {
    const { sent, typing } = notifier();
    typing.changed("H");
    typing.changed("");
    typing.changed("");
    expect(sent).toEqual(["typing", "stop-typing"]);
  });
});

describe("people who are typing", () => {
  const event = (senderName: string, isTyping: boolean) => ({ senderName, isStaff: true, isTyping });
  const theo = { senderName: "Theo", isStaff: true };
  const nora = { senderName: "Nora", isStaff: true };

  it("are listed in the order in which they began, until each stops", () => {
    const both = [event("Theo", true), event("Nora", true), event("Theo", true)].reduce(withTypist, []);
    expect(both).toEqual([theo, nora]);
    expect(withTypist(both, event("Theo", false))).toEqual([nora]);
    expect(withTypist(both, { ...event("Theo", false), isStaff: false })).toEqual(both);
  });
});
