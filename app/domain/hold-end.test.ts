import { describe, expect, it } from "vitest";
import { instantAt, localTimeAt } from "~/domain/days";
import { hoursText, openingHours } from "~/domain/hours";
import { hoursLines, openingWeek } from "~/domain/opening-hours";
import { defaultHoldEnd, formatKeptUntil, formatUntil } from "./hold-end";

const SHOP = "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed";
const TORONTO = "America/Toronto";
const clock = (hours: string, timezone = TORONTO, holdDays = 0) => ({
  timezone,
  hours: openingHours(openingWeek(hoursLines(hours))),
  sales: { holdDays },
});

/** Returns the local end of a hold that is placed at a local time. */
function endAfter(local: string, hours = SHOP, timezone = TORONTO): string {
  const now = instantAt(local, timezone);
  return localTimeAt(defaultHoldEnd(now, clock(hours, timezone)), timezone);
}

describe("the end of a hold", () => {
  it.each([
    ["2026-11-25T09:00:00", "2026-11-25T18:00:00", "before the shop opens"],
    ["2026-11-25T17:00:00", "2026-11-25T18:00:00", "an hour before it closes"],
    ["2026-11-25T17:00:01", "2026-11-26T18:00:00", "too late to come on that day"],
    ["2026-11-28T20:00:00", "2026-12-01T18:00:00", "over days on which it is closed"],
    ["2026-12-31T23:59:59", "2027-01-01T18:00:00", "in the next year"],
    ["2026-03-08T00:30:00", "2026-03-10T18:00:00", "over the beginning of summer time"],
    ["2026-10-31T17:30:00", "2026-11-03T18:00:00", "over its end"],
  ])("of %s is %s, %s", (now, end) => {
    expect(endAfter(now)).toBe(end);
  });

  it("follows the clock of the shop on the days of the change, and in other zones", () => {
    const daily = "Daily: 10:00 to 18:00";
    // Twenty-three and twenty-five hours after the same time of the day before.
    const [spring, autumn] = ["2026-03-07T18:30:00", "2026-10-31T18:30:00"].map((local) => {
      const now = instantAt(local, TORONTO);
      return defaultHoldEnd(now, clock(daily)) - now;
    });
    expect([spring, autumn]).toEqual([22.5 * 3600, 24.5 * 3600]);
    expect(endAfter("2026-11-25T17:30:00", daily, "Pacific/Kiritimati")).toBe("2026-11-26T18:00:00");
    expect(endAfter("2026-11-25T12:00:00", daily, "Asia/Kathmandu")).toBe("2026-11-25T18:00:00");
    // 02:30 is skipped when summer time begins.
    expect(endAfter("2026-03-07T20:00:00", "Sunday: 1:00 to 02:30")).toBe("2026-03-08T03:30:00");
  });

  it("of hours that go past midnight is their end, as the shop says", () => {
    const late = "Friday and Saturday: 18:00 to 02:00; Saturday and Sunday: 11:00 to 16:00";
    for (const [now, end] of [
      ["2026-11-27T20:00:00", "2026-11-28T02:00:00"],
      ["2026-11-28T00:30:00", "2026-11-28T02:00:00"],
      ["2026-11-28T01:30:00", "2026-11-29T02:00:00"],
      ["2026-11-29T01:00:01", "2026-11-29T16:00:00"],
    ] as const) {
      expect(endAfter(now, late)).toBe(end);
    }
    const friday = instantAt("2026-11-27T20:00:00", TORONTO);
    expect(hoursText(friday, clock(late)).closes).toBe(instantAt("2026-11-28T02:00:00", TORONTO));
    expect(localTimeAt(defaultHoldEnd(friday, clock(late, TORONTO, 1)), TORONTO)).toBe("2026-11-29T02:00:00");
  });

  it("of a shop that closes at midnight is read as the end of that day", () => {
    const late = "Daily: 10:00 to 24:00";
    const now = instantAt("2026-11-25T20:00:00", TORONTO);
    const end = defaultHoldEnd(now, clock(late));
    expect(localTimeAt(end, TORONTO)).toBe("2026-11-26T00:00:00");
    expect(formatUntil(end, now, clock(late))).toBe("today 24:00, when we close");
    expect(formatKeptUntil(end, now, clock(late))).toBe("Wednesday 24:00, when we close");
    expect(formatUntil(end + 7 * 86_400, now, clock(SHOP))).toBe("Wednesday 2nd Dec, 24:00");
  });

  it.each([
    ["2026-11-25T12:00:00", 0, "2026-11-28T00:00:00"],
    ["2026-11-25T12:00:00", 1, "2026-11-28T00:00:00"],
    ["2026-11-23T12:00:00", 3, "2026-11-28T00:00:00"],
    ["2026-11-27T22:59:00", 0, "2026-11-28T00:00:00"],
    ["2026-11-27T23:30:00", 0, "2026-12-05T00:00:00"],
    ["2026-11-27T12:00:00", 1, "2026-12-05T00:00:00"],
  ])("of %s and %i days is the end of an opening over several midnights: %s", (local, holdDays, end) => {
    const days = clock("Monday to Friday: 0:00 to 24:00", TORONTO, holdDays);
    const now = instantAt(local, TORONTO);
    const until = defaultHoldEnd(now, days);
    expect(localTimeAt(until, TORONTO)).toBe(end);
    expect(formatUntil(until, now, days)).toMatch(/24:00, when we close$/);
  });

  it.each([
    ["2026-11-26T10:00:00", 0, "2026-11-28T10:00:00"],
    ["2026-11-27T10:00:00", 1, "2026-11-28T18:00:00"],
    ["2026-11-28T08:00:00", 0, "2026-11-28T10:00:00"],
    ["2026-11-28T09:30:00", 0, "2026-11-28T18:00:00"],
    ["2026-11-28T09:30:00", 1, "2026-11-30T12:00:00"],
  ])(
    "of %s and %i days is in the morning where the last of many midnights has passed: %s",
    (local, holdDays, end) => {
      const hours =
        "Wed to Fri: 0:00 to 24:00; Saturday: 0:00 to 10:00, 12:00 to 18:00; Monday: 9:00 to 12:00";
      const now = instantAt(local, TORONTO);
      const until = defaultHoldEnd(now, clock(hours, TORONTO, holdDays));
      expect(localTimeAt(until, TORONTO)).toBe(end);
      expect(formatUntil(until, now, clock(hours))).toMatch(/, when we close$/);
    },
  );

  it("is before the day on which a shop that never closes is closed", () => {
    const always = clock("Daily: 0:00 to 24:00");
    const christmas = [{ day: "2026-12-25", spans: [], note: "" }];
    const shop = { ...always, hours: { ...always.hours, days: christmas } };
    const now = instantAt("2026-12-24T12:00:00", TORONTO);
    expect(formatUntil(defaultHoldEnd(now, shop), now, shop)).toBe("today 24:00, when we close");
    const oneDay = { ...shop, sales: { holdDays: 1 } };
    expect(formatUntil(defaultHoldEnd(now - 86_400, oneDay), now, shop)).toBe("today 24:00, when we close");
  });

  it("of hours that are written until 23:59 is where they go on after midnight", () => {
    const late = "Friday: 18:00 to 23:59; Saturday: 0:00 to 2:00";
    expect(endAfter("2026-11-27T20:00:00", late)).toBe("2026-11-28T02:00:00");
    expect(endAfter("2026-11-27T20:00:00", "Friday: 18:00 to 23:59")).toBe("2026-11-27T23:59:00");
  });

  it("is the end of the next day where the shop never closes", () => {
    expect(endAfter("2026-11-25T14:00:00", "Daily: 0:00 to 24:00")).toBe("2026-11-26T23:59:59");
  });

  it.each([
    [1, "2026-11-26T18:00:00", "the next day"],
    [4, "2026-12-01T18:00:00", "the next day on which the shop opens"],
  ])("is at closing time after %s days: %s, %s", (holdDays, end) => {
    const now = instantAt("2026-11-25T12:00:00", TORONTO);
    expect(localTimeAt(defaultHoldEnd(now, clock(SHOP, TORONTO, holdDays)), TORONTO)).toBe(end);
    const never = localTimeAt(defaultHoldEnd(now, clock("", TORONTO, 3)), TORONTO);
    expect(never).toBe("2026-11-28T23:59:59");
  });

  it.each(["", "whenever we are there", "Monday to Sunday: closed"])(
    "is the end of the next day with %j",
    (hours) => {
      expect(endAfter("2026-11-25T14:00:00", hours)).toBe("2026-11-26T23:59:59");
      expect(endAfter("2026-03-06T14:00:00", hours)).toBe("2026-03-07T23:59:59");
    },
  );

  it.each([
    ["2026-11-26T18:00:00", "Thursday 18:00, when we close"],
    ["2026-11-25T18:00:00", "today 18:00, when we close"],
    ["2026-11-26T12:30:00", "Thursday 12:30"],
    ["2026-12-01T18:00:00", "Tuesday 18:00, when we close"],
    ["2026-12-02T18:00:00", "Wednesday 2nd Dec, 18:00, when we close"],
    ["2027-01-15T23:59:00", "Friday 15th Jan 2027, 23:59"],
    ["2026-11-24T18:00:00", "Tuesday 24th Nov, 18:00, when we close"],
  ])("%s is written %s", (until, text) => {
    const now = instantAt("2026-11-25T14:00:00", TORONTO);
    expect(formatUntil(instantAt(until, TORONTO), now, clock(SHOP))).toBe(text);
  });

  it("is written with its weekday in a text that is kept", () => {
    const now = instantAt("2026-11-25T14:00:00", TORONTO);
    const end = instantAt("2026-11-25T18:00:00", TORONTO);
    expect(formatKeptUntil(end, now, clock(SHOP))).toBe("Wednesday 18:00, when we close");
  });
});
