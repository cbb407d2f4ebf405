import { describe, expect, it, vi } from "vitest";
import { addDays, instantAt, localDay, localTimeAt } from "./days";
import {
  endOfDay,
  type HoursSpan,
  hoursData,
  hoursText,
  type OpeningHours,
  openingHours,
  openState,
  type ShopClock,
  specialLines,
  WEEKDAYS,
  weekLines,
  weekText,
} from "./hours";
import { hoursLines, openingWeek } from "./opening-hours";

const TORONTO = "America/Toronto";
const DAY: HoursSpan[] = [["10:00", "18:00"]];
const SUNDAY: HoursSpan[] = [
  ["11:00", "13:00"],
  ["14:00", "16:00"],
];
const week = (changes: Partial<OpeningHours["weekly"]> = {}): OpeningHours["weekly"] => ({
  ...{ mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: DAY, sun: SUNDAY },
  ...changes,
});
const DAYS = [
  { day: "2026-12-24", spans: [["10:00", "14:00"]] as HoursSpan[], note: "" },
  { day: "2026-12-25", spans: [], note: "Christmas" },
  { day: "2026-12-26", spans: [], note: "" },
];
const SHOP = { timezone: TORONTO, hours: { weekly: week(), days: DAYS } };
const at = (local: string, timezone = TORONTO) => instantAt(local, timezone);

describe("the hours in words", () => {
  it.each([
    ["2026-11-21T14:42:00", "Open today until 18:00", ""],
    ["2026-11-21T09:30:00", "Opens today at 10:00", "Back at 10:00"],
    ["2026-11-21T18:00:00", "Closed, opens tomorrow at 11:00", "Back tomorrow at 11:00"],
    ["2026-11-22T13:20:00", "Closed until 14:00", "Back at 14:00"],
    ["2026-12-24T14:30:00", "Closed, opens Sunday at 11:00", "Back Sunday at 11:00"],
    ["2026-12-25T12:00:00", "Closed, opens Sunday at 11:00", "Back Sunday at 11:00"],
  ])("at %s are %j", (local, text, back) => {
    expect(hoursText(at(local), SHOP)).toMatchObject({ text, back });
  });

  it("name the date of what is a week ahead, and say only Closed where the shop never opens", () => {
    const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
    const fair = { day: "2027-02-01", spans: DAY, note: "Fair" };
    const rare = { timezone: TORONTO, hours: { weekly: closed, days: [fair] } };
    expect(hoursText(at("2026-11-21T12:00:00"), rare).text).toBe(
      "Closed, opens on Monday 1st Feb 2027 at 10:00",
    );
    const never = { timezone: TORONTO, hours: { weekly: closed, days: [] } };
    expect(hoursText(at("2026-11-21T12:00:00"), never)).toMatchObject({ text: "Closed", back: "Closed" });
  });

  it("hold until the next opening or closing, at the latest until midnight", () => {
    const until = (local: string) => localTimeAt(hoursText(at(local), SHOP).validUntil, TORONTO);
    expect(until("2026-11-21T14:42:00")).toBe("2026-11-21T18:00:00");
    expect(until("2026-11-21T18:00:00")).toBe("2026-11-22T00:00:00");
    expect(until("2026-11-22T00:00:00")).toBe("2026-11-22T11:00:00");
    expect(until("2026-12-25T08:00:00")).toBe("2026-12-26T00:00:00");
  });

  it("never change before the time that they hold until", () => {
    for (let now = at("2026-12-20T00:00:00"); now < at("2026-12-29T00:00:00"); now += 1200) {
      const { text, validUntil } = hoursText(now, SHOP);
      expect(validUntil).toBeGreaterThan(now);
      expect(hoursText(validUntil - 1, SHOP).text).toBe(text);
    }
  });
});

describe("hours until midnight", () => {
  const LATE: HoursSpan[] = [["10:00", "24:00"]];
  const ALL_DAY: HoursSpan[] = [["00:00", "24:00"]];
  const NIGHT: HoursSpan[] = [
    ["00:00", "02:00"],
    ["11:00", "16:00"],
  ];
  const clock = (weekly: OpeningHours["weekly"], days: OpeningHours["days"] = []) => ({
    timezone: TORONTO,
    hours: { weekly, days },
  });
  const always = Object.fromEntries(WEEKDAYS.map((day) => [day, ALL_DAY])) as OpeningHours["weekly"];

  it.each([
    ["2026-11-27T23:59:00", "Open today until 24:00", "2026-11-28T00:00:00"],
    ["2026-11-28T00:00:00", "Opens today at 10:00", "2026-11-28T10:00:00"],
  ])("at %s are %j", (local, text, change) => {
    const late = clock(week({ fri: LATE }));
    expect(hoursText(at(local), late).text).toBe(text);
    expect(openState(at(local), late).change?.at).toBe(at(change));
  });

  it.each([
    ["2026-11-27T23:30:00", "Open until tomorrow at 02:00", "2026-11-28T02:00:00"],
    ["2026-11-28T01:30:00", "Open today until 02:00", "2026-11-28T02:00:00"],
    ["2026-11-28T02:00:00", "Closed until 11:00", "2026-11-28T11:00:00"],
  ])("go on as one opening where the next day begins open: at %s %j", (local, text, change) => {
    const night = clock(week({ fri: LATE, sat: NIGHT }));
    expect(hoursText(at(local), night).text).toBe(text);
    expect(openState(at(local), night).change?.at).toBe(at(change));
  });

  it("never end in a shop that is always open, except before a day on which it is closed", () => {
    expect(hoursText(at("2026-11-27T12:00:00"), clock(always))).toMatchObject({
      ...{ isOpen: true, text: "Open 24 hours", closes: null, closesText: "" },
      validUntil: at("2026-11-28T00:00:00"),
    });
    const closed = clock(always, [{ day: "2026-12-25", spans: [], note: "" }]);
    expect(hoursText(at("2026-12-22T12:00:00"), closed).text).toBe("Open until Thursday at 24:00");
    expect(hoursText(at("2026-12-24T12:00:00"), closed).text).toBe("Open today until 24:00");
    expect(hoursText(at("2026-12-25T12:00:00"), closed).text).toBe("Closed, opens tomorrow at 00:00");
  });

  it.each([
    ["2026-11-27T23:58:00", "Open until tomorrow at 02:00"],
    ["2026-11-27T23:59:30", "Open until tomorrow at 02:00"],
    ["2026-11-28T00:30:00", "Open today until 02:00"],
  ])("are joined where they are written 23:59 and the next day begins open: at %s %j", (local, text) => {
    const night = clock(week({ fri: [["18:00", "23:59"]], sat: [["00:00", "02:00"]] }));
    expect(hoursText(at(local), night).text).toBe(text);
    expect(weekText(night.hours)).toContain("Friday: 18:00 to 23:59; Saturday: 00:00 to 02:00");
  });

  it("are what is written where 23:59 is a closing time like others", () => {
    const late = clock(week({ fri: [["18:00", "23:59"]] }));
    expect(hoursText(at("2026-11-27T20:00:00"), late).text).toBe("Open today until 23:59");
  });

  it("are the whole day from 00:00 to 23:59", () => {
    const day: HoursSpan[] = [["00:00", "23:59"]];
    const days = Object.fromEntries(WEEKDAYS.map((one) => [one, day])) as OpeningHours["weekly"];
    expect(hoursText(at("2026-11-27T23:59:30"), clock(days)).text).toBe("Open 24 hours");
    const friday = clock(week({ fri: day }));
    expect(hoursText(at("2026-11-27T23:59:30"), friday).text).toBe("Open today until 24:00");
  });

  it("end the day of the shop at midnight, or with the opening that goes on into the night", () => {
    const ends = (day: string, weekly: OpeningHours["weekly"]) =>
      localTimeAt(endOfDay(day, clock(weekly)), TORONTO);
    const bar = week({ fri: [["18:00", "24:00"]], sat: NIGHT });
    expect(ends("2026-11-27", bar)).toBe("2026-11-28T02:00:00");
    expect(ends("2026-11-28", bar)).toBe("2026-11-29T00:00:00");
    expect(ends("2026-11-26", always)).toBe("2026-11-27T00:00:00");
    expect(ends("2026-11-27", { ...always, sat: NIGHT })).toBe("2026-11-28T00:00:00");
  });

  it("are looked for no further than two weeks after the last special day", () => {
    const get = vi.fn((weekly: typeof always, day: string | symbol) => Reflect.get(weekly, day));
    hoursText(at("2026-11-27T12:00:00"), clock(new Proxy(always, { get })));
    expect(get.mock.calls.length).toBeLessThan(100);
  });

  it("are 00:00 in the data of schema.org, and 23:59 where they are the whole day", () => {
    const data = hoursData({ weekly: { ...always, fri: LATE }, days: [] }, "2026-11-27");
    expect(data[3]).toMatchObject({ opens: "00:00", closes: "23:59" });
    expect(data[4]).toMatchObject({ opens: "10:00", closes: "00:00" });
    expect(weekText({ weekly: { ...always, fri: LATE }, days: [] })).toContain("Friday: 10:00 to 24:00");
  });
});

describe("the hours on the days of the change of clocks", () => {
  const night: ShopClock = {
    timezone: TORONTO,
    hours: { weekly: week({ sun: [["01:00", "03:30"]] }), days: [] },
  };
  const openSeconds = (day: string, clock = night) => {
    let seconds = 0;
    for (let now = at(`${day}T00:00:00`); now < at(`${addDays(day, 1)}T00:00:00`); now += 60)
      if (openState(now, clock).isOpen) seconds += 60;
    return seconds;
  };

  it("lose the hour that is skipped and gain the one that comes twice", () => {
    expect(openSeconds("2026-03-08")).toBe(1.5 * 3600);
    expect(openSeconds("2026-11-01")).toBe(3.5 * 3600);
    expect(openSeconds("2026-11-08")).toBe(2.5 * 3600);
  });

  it("are the usual ones by day", () => {
    for (const day of ["2026-03-07", "2026-03-08", "2026-03-09", "2026-10-31", "2026-11-01", "2026-11-02"]) {
      const isSunday = day === "2026-03-08" || day === "2026-11-01";
      expect(openSeconds(day, SHOP)).toBe((isSunday ? 4 : 8) * 3600);
    }
  });

  it("begin an hour later where the beginning is skipped, and not at all where the end would come first", () => {
    const skipped = { timezone: TORONTO, hours: { weekly: week({ sun: [["02:30", "04:00"]] }), days: [] } };
    expect(openState(at("2026-03-08T00:00:00"), skipped).change?.at).toBe(at("2026-03-08T03:30:00"));
    const gone = { timezone: TORONTO, hours: { weekly: week({ sun: [["02:30", "03:15"]] }), days: [] } };
    expect(openState(at("2026-03-08T00:00:00"), gone).change?.day).toBe("2026-03-09");
  });
});

describe("the hours of a year", () => {
  /** Open days of 2028, a leap year, counted by hand: 52 weeks, with a 53rd Saturday and Sunday at its beginning and end. */
  const COUNTED = { mon: 52, tue: 52, wed: 52, thu: 52, fri: 52, sat: 53, sun: 53 };

  it("are those of a list computed by hand, the leap day among them", () => {
    const days = [{ day: "2028-02-29", spans: [["12:00", "13:00"]] as HoursSpan[], note: "Leap day" }];
    const clock = { timezone: TORONTO, hours: { weekly: week(), days } };
    const opened: Record<string, number> = {};
    let seconds = 0;
    let now = at("2028-01-01T00:00:00");
    const end = at("2029-01-01T00:00:00");
    for (;;) {
      const { isOpen, change } = openState(now, clock);
      if (!change || change.at >= end) break;
      if (isOpen) seconds += change.at - now;
      else opened[localDay(change.at, TORONTO)] = (opened[localDay(change.at, TORONTO)] ?? 0) + 1;
      now = change.at;
    }
    const perDay = Object.entries(opened);
    const weekdays = WEEKDAYS.map((day, i) => [
      day,
      perDay.filter(([one]) => (new Date(`${one}T00:00:00Z`).getUTCDay() + 6) % 7 === i).length,
    ]);
    expect(Object.fromEntries(weekdays)).toEqual(COUNTED);
    expect(perDay.filter(([, spans]) => spans === 2)).toHaveLength(53);
    expect(seconds / 3600).toBe(313 * 8 + 53 * 4 - 7);
    expect(openState(at("2028-02-29T12:30:00"), clock).isOpen).toBe(true);
    expect(openState(at("2028-02-29T13:30:00"), clock).change?.day).toBe("2028-03-01");
  });
});

describe("the hours of 2026, which has two changes of clocks", () => {
  /** Openings and closings about the changes, put into UTC by hand: noon in Toronto is 17:00 in winter and 16:00 in summer. */
  const SPRING = [
    ...["2026-03-07T15:00Z", "2026-03-07T23:00Z"],
    ...["2026-03-08T15:00Z", "2026-03-08T17:00Z", "2026-03-08T18:00Z", "2026-03-08T20:00Z"],
    ...["2026-03-09T14:00Z", "2026-03-09T22:00Z"],
  ];
  const AUTUMN = [
    ...["2026-10-31T14:00Z", "2026-10-31T22:00Z"],
    ...["2026-11-01T16:00Z", "2026-11-01T18:00Z", "2026-11-01T19:00Z", "2026-11-01T21:00Z"],
    ...["2026-11-02T15:00Z", "2026-11-02T23:00Z"],
  ];
  const NIGHTS = {
    timezone: TORONTO,
    hours: {
      weekly: Object.fromEntries(
        WEEKDAYS.map((day) => [day, [["01:00", "03:30"]]]),
      ) as OpeningHours["weekly"],
      days: [],
    },
  };

  /** Lists the openings and closings of a period. */
  function changes(clock: ShopClock, from: string, until: string): number[] {
    const found: number[] = [];
    for (let now = at(from); ; ) {
      const { change } = openState(now, clock);
      if (!change || change.at >= at(until)) return found;
      found.push(change.at);
      now = change.at;
    }
  }

  it.each([
    ["spring", "2026-03-07T00:00:00", "2026-03-10T00:00:00", SPRING],
    ["autumn", "2026-10-31T00:00:00", "2026-11-03T00:00:00", AUTUMN],
  ])("open and close in %s as the list by hand says", (_, from, until, list) => {
    expect(changes(SHOP, from, until)).toEqual(list.map((instant) => Date.parse(instant) / 1000));
  });

  it("are 365 nights of two and a half hours, less the one that is skipped and with the one that comes twice", () => {
    const list = changes(NIGHTS, "2026-01-01T00:00:00", "2027-01-01T00:00:00");
    expect(list).toHaveLength(2 * 365);
    const seconds = list.reduce((sum, instant, i) => sum + (i % 2 === 0 ? -instant : instant), 0);
    expect(seconds / 3600).toBe(365 * 2.5 - 1 + 1);
    const ofNight = (day: string) =>
      changes(NIGHTS, `${day}T00:00:00`, `${day}T12:00:00`).map((instant) =>
        new Date(instant * 1000).toISOString(),
      );
    expect(ofNight("2026-03-08")).toEqual(["2026-03-08T06:00:00.000Z", "2026-03-08T07:30:00.000Z"]);
    expect(ofNight("2026-11-01")).toEqual(["2026-11-01T05:00:00.000Z", "2026-11-01T08:30:00.000Z"]);
  });
});

describe("the hours as they are listed", () => {
  it("join following days with the same times", () => {
    expect(weekLines({ weekly: week(), days: [] })).toEqual([
      { days: "Monday to Saturday", times: "10:00 to 18:00" },
      { days: "Sunday", times: "11:00 to 13:00, 14:00 to 16:00" },
    ]);
    expect(weekText({ weekly: week({ sun: DAY }), days: [] })).toBe("Every day: 10:00 to 18:00");
    expect(weekText({ weekly: week({ mon: [], sun: [] }), days: [] })).toBe(
      "Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed",
    );
  });

  it("name the special days ahead", () => {
    expect(specialLines(SHOP.hours, "2026-12-20", 5)).toEqual([
      { days: "Thursday 24th Dec", times: "10:00 to 14:00" },
      { days: "Friday 25th Dec", times: "closed (Christmas)" },
    ]);
  });

  it("are data of schema.org, in which a closed day opens and closes at midnight", () => {
    const data = hoursData(SHOP.hours, "2026-12-25");
    expect(data).toContainEqual({
      "@type": "OpeningHoursSpecification",
      ...{ opens: "14:00", closes: "16:00", dayOfWeek: "https://schema.org/Sunday" },
    });
    expect(data.slice(8)).toEqual(
      ["2026-12-25", "2026-12-26"].map((day) => ({
        "@type": "OpeningHoursSpecification",
        ...{ opens: "00:00", closes: "00:00", validFrom: day, validThrough: day },
      })),
    );
  });

  it("of SHOP_HOURS that go past midnight continue on the next day", () => {
    const { weekly } = openingHours(openingWeek(hoursLines("Saturday: 18:00 to 02:00")));
    expect([weekly.sat, weekly.sun, weekly.mon]).toEqual([[["18:00", "24:00"]], [["00:00", "02:00"]], []]);
    const early = openingHours(
      openingWeek(hoursLines("Monday: midnight to 02:00; Tuesday: 24:00 to 03:00")),
    ).weekly;
    expect([early.mon, early.tue, early.wed]).toEqual([[["00:00", "02:00"]], [["00:00", "03:00"]], []]);
    const until = openingHours(openingWeek(hoursLines("Saturday: 18:00 to midnight"))).weekly;
    expect([until.sat, until.sun]).toEqual([[["18:00", "24:00"]], []]);
  });
});
