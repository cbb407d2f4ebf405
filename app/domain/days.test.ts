import { describe, expect, it } from "vitest";
import { addDays, instantAt, localDay, monthBefore, monthsWithin, parseDate, resolveDate } from "./days";

const TORONTO = "America/Toronto";
const utc = (text: string) => Date.parse(text) / 1000;

describe("local day", () => {
  it.each([
    ["2026-01-15T04:59:59Z", TORONTO, "2026-01-14", "a second before midnight, winter (UTC-5)"],
    ["2026-01-15T05:00:00Z", TORONTO, "2026-01-15", "midnight, winter"],
    ["2026-07-15T03:59:59Z", TORONTO, "2026-07-14", "a second before midnight, summer (UTC-4)"],
    ["2026-07-15T04:00:00Z", TORONTO, "2026-07-15", "midnight, summer"],
    ["2027-01-01T04:59:59Z", TORONTO, "2026-12-31", "the year's last second"],
    ["2027-01-01T05:00:00Z", TORONTO, "2027-01-01", "the year's first second"],
    ["2026-03-08T04:59:59Z", TORONTO, "2026-03-07", "before the day that has 23 hours"],
    ["2026-03-09T03:59:59Z", TORONTO, "2026-03-08", "its last second"],
    ["2026-11-01T04:00:00Z", TORONTO, "2026-11-01", "the first second of the day that has 25 hours"],
    ["2026-11-02T04:59:59Z", TORONTO, "2026-11-01", "its last second"],
    ["2028-02-29T05:00:00Z", TORONTO, "2028-02-29", "a leap day"],
    ["2026-01-15T12:00:00Z", "Pacific/Kiritimati", "2026-01-16", "14 hours ahead"],
    ["2026-01-15T18:15:00Z", "Asia/Kathmandu", "2026-01-16", "5:45 hours ahead"],
    ["2026-01-15T02:29:59Z", "America/St_Johns", "2026-01-14", "3:30 hours behind"],
  ])("%s in %s is %s: %s", (at, timezone, day) => {
    expect(localDay(utc(at), timezone)).toBe(day);
  });
});

describe("instant of a local time", () => {
  it.each([
    ["2026-01-15T12:00:00", "2026-01-15T17:00:00Z", "winter"],
    ["2026-07-15T12:00:00", "2026-07-15T16:00:00Z", "summer"],
    ["2026-03-08T01:59:59", "2026-03-08T06:59:59Z", "the last second of winter"],
    ["2026-03-08T02:30:00", "2026-03-08T07:30:00Z", "skipped when clocks go forward: 3:30"],
    ["2026-03-08T03:00:00", "2026-03-08T07:00:00Z", "the first second of summer"],
    ["2026-11-01T00:30:00", "2026-11-01T04:30:00Z", "before the clock goes back"],
    ["2026-11-01T01:30:00", "2026-11-01T05:30:00Z", "shown twice: the first time"],
    ["2026-11-01T02:00:00", "2026-11-01T07:00:00Z", "after it went back"],
    ["2026-12-31T23:59:59", "2027-01-01T04:59:59Z", "the year's last second"],
  ])("%s is %s: %s", (localTime, at) => {
    expect(instantAt(localTime, TORONTO)).toBe(utc(at));
  });
});

describe("date from a client", () => {
  const at = utc("2026-11-01T05:30:00Z");

  it.each([
    ["milliseconds", at * 1000 + 999],
    ["seconds", at],
    ["{seconds}", { seconds: at, nanoseconds: 5 }],
    ["{_seconds}", { _seconds: at }],
    ["UTC", "2026-11-01T05:30:00.123Z"],
    ["an offset", "2026-11-01T00:30-05:00"],
    ["an offset without a colon", "2026-11-01T00:30-0500"],
  ])("is an instant as %s", (_, value) => {
    expect(parseDate(value)).toEqual({ at });
  });

  it.each([
    ["2026-07-15T12:00", "2026-07-15T16:00:00Z", "summer"],
    ["2026-11-01T01:30", "2026-11-01T05:30:00Z", "the hour that is shown twice: the first time"],
    ["2026-03-08T02:30:15", "2026-03-08T07:30:15Z", "the hour that is skipped: an hour later"],
  ])("is local without a zone: %s is %s, %s", (text, instant) => {
    const date = parseDate(text);
    expect(date && resolveDate(date, 0, TORONTO).createdAt).toBe(utc(instant));
  });

  it("is a day", () => {
    expect(parseDate(" 2026-11-01 ")).toEqual({ day: "2026-11-01" });
  });

  it.each([
    1,
    -1,
    at + 0.5,
    at * 1e6,
    Number.NaN,
    "2026-11-01 10:00",
    "2026-11-01T10",
    { seconds: at * 1000 },
    null,
  ])("is not %j", (value) => {
    expect(parseDate(value)).toBeNull();
  });
});

describe("date of an entry", () => {
  const now = utc("2026-03-08T04:59:30Z");

  it("is the present moment for today", () => {
    expect(resolveDate({ day: "2026-03-07" }, now, TORONTO)).toEqual({ createdAt: now, day: "2026-03-07" });
  });

  it.each([
    ["2026-03-08", "2026-03-08T16:00:00Z"],
    ["2026-11-01", "2026-11-01T17:00:00Z"],
    ["2025-12-31", "2025-12-31T17:00:00Z"],
  ])("is noon of another day, %s", (day, noon) => {
    expect(resolveDate({ day }, now, TORONTO)).toEqual({ createdAt: utc(noon), day });
  });

  it("takes the local day of an instant", () => {
    expect(resolveDate({ at: utc("2027-01-01T04:00:00Z") }, now, TORONTO).day).toBe("2026-12-31");
  });
});

describe("day arithmetic", () => {
  it.each([
    ["2026-03-01", -1, "2026-02-28"],
    ["2028-03-01", -1, "2028-02-29"],
    ["2027-01-01", -1, "2026-12-31"],
    ["2026-03-08", 1, "2026-03-09"],
    ["2026-11-01", -1, "2026-10-31"],
  ])("%s and %i days is %s", (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected);
  });

  it.each([
    ["2026-01", "2025-12"],
    ["2026-03", "2026-02"],
  ])("the month before %s is %s", (month, before) => {
    expect(monthBefore(month)).toBe(before);
  });

  it.each([
    ["2026-01-01", "2026-12-31", ["2026-01", "2026-12"], []],
    ["2026-01-01", "2026-01-31", ["2026-01", "2026-01"], []],
    ["2026-02-01", "2026-02-28", ["2026-02", "2026-02"], []],
    ["2028-02-01", "2028-02-28", null, [["2028-02-01", "2028-02-28"]]],
    ["2026-11-21", "2026-11-21", null, [["2026-11-21", "2026-11-21"]]],
    [
      "2026-01-31",
      "2026-03-01",
      ["2026-02", "2026-02"],
      [
        ["2026-01-31", "2026-01-31"],
        ["2026-03-01", "2026-03-01"],
      ],
    ],
    ["2025-12-02", "2026-02-28", ["2026-01", "2026-02"], [["2025-12-02", "2025-12-31"]]],
    ["2026-01-01", "2026-11-21", ["2026-01", "2026-10"], [["2026-11-01", "2026-11-21"]]],
    ["2026-10-15", "2026-11-15", null, [["2026-10-15", "2026-11-15"]]],
    ["2000-01-01", "2099-12-31", ["2000-01", "2099-12"], []],
    ["2026-11-21", "2026-11-20", null, [["2026-11-21", "2026-11-20"]]],
    ["2026-11-01", "2026-10-31", null, [["2026-11-01", "2026-10-31"]]],
  ])("splits %s to %s into the months %j and the days %j", (from, to, months, days) => {
    expect(monthsWithin(from, to)).toEqual({ months, days });
  });
});
