import { describe, expect, it } from "vitest";
import { hoursLines, openingWeek } from "./opening-hours";

const weekOf = (text: string) => openingWeek(hoursLines(text));
/** Closing times from Sunday to Saturday, hours. */
const closings = (text: string) => {
  const week = weekOf(text);
  return week.map((spans) =>
    spans.length === 0 ? null : Math.max(...spans.map(({ closes }) => closes)) / 60,
  );
};
const none = Array.from({ length: 7 }, () => null);

describe("opening hours", () => {
  it.each([
    ["Tuesday to Saturday: 10:00 to 18:00; Sunday and Monday: closed", [null, null, 18, 18, 18, 18, 18]],
    ["Mon-Fri: 9-17; Sat: 10 am – 2 pm", [null, 17, 17, 17, 17, 17, 14]],
    ["Fri to Mon: 10.00–18.30", [18.5, 18.5, null, null, null, 18.5, 18.5]],
    ["Mondays, Wednesdays & Fridays: 12:00 to 20:00", [null, 20, null, 20, null, 20, null]],
    ["Daily: 10 a.m. to 6:30 p.m.", Array.from({ length: 7 }, () => 18.5)],
    ["Tuesday: 9:00 to 12:00 and 13:00 to 18:00", [null, null, 18, null, null, null, null]],
    ["Friday: 18:00 to 02:00; Saturday: noon to midnight", [null, null, null, null, null, 26, 24]],
    ["Monday: midnight to 02:00; Tuesday: 24:00 to midnight", [null, 2, 24, null, null, null, null]],
    ["Saturday: by appointment; Friday: 10:00 to 18:00", [null, null, null, null, null, 18, null]],
  ])("%s", (text, expected) => {
    expect(closings(text)).toEqual(expected);
  });

  it.each([
    "",
    "whenever we are there",
    "Someday: 10:00 to 18:00",
    "Monday: 25:00 to 99:00",
    "Monday: 10:00",
    "M: 9-17",
    ";;:;",
  ])("%j has none", (text) => {
    expect(closings(text)).toEqual(none);
  });
});
