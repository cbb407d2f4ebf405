import {
  DAY_END,
  DAY_START,
  type HoursSpan,
  LAST_MINUTE,
  MAX_SPANS,
  type OpeningHours,
  WEEKDAYS,
  type Weekday,
} from "~/domain/hours";
import { MAX_SPECIAL_DAYS } from "./groups";

/** Times of a form, which may be blank or wrong. */
interface DraftSpan {
  opens: string;
  closes: string;
}

/** Day with hours of its own, as the form has it. */
interface DraftDay {
  day: string;
  spans: DraftSpan[];
  note: string;
}

/** Form of the opening hours before it is saved. */
export interface HoursDraft {
  weekly: Record<Weekday, DraftSpan[]>;
  days: DraftDay[];
  chatFollowsHours: boolean;
}

/** Names the fields of a span, such as `mon-opens2`. @param row weekday, or `day-3` of the list below */
export const spanNames = (row: string, span: number) => {
  const number = span === 0 ? "" : String(span + 1);
  return { opens: `${row}-opens${number}`, closes: `${row}-closes${number}` };
};

/** Names the row of a special day. */
export const dayRow = (index: number) => `day-${index}`;

const SPANS = Array.from({ length: MAX_SPANS }, (_, i) => i);

/** Names of the form's fields. */
export const HOURS_FIELDS = [
  ...WEEKDAYS,
  ...Array.from({ length: MAX_SPECIAL_DAYS }, (_, i) => dayRow(i)),
].flatMap((row) => [row, `${row}-note`, ...SPANS.flatMap((span) => Object.values(spanNames(row, span)))]);

/** Largest number of fields of the form: those with the opened values, the tick and the button. */
export const MAX_HOURS_FIELDS = HOURS_FIELDS.length + 10;

/** Writes the day's end for a field, which has no 24:00 but 00:00; a whole day, which begins at 00:00, has 23:59. */
const dayEndField = (opens: string) => (opens === DAY_START ? LAST_MINUTE : DAY_START);

/** Creates the form of stored hours. */
export function draftOf(hours: OpeningHours, chatFollowsHours: boolean): HoursDraft {
  const spans = (list: HoursSpan[]) =>
    list.map(([opens, closes]) => ({ opens, closes: closes === DAY_END ? dayEndField(opens) : closes }));
  const weekly = Object.fromEntries(WEEKDAYS.map((day) => [day, spans(hours.weekly[day])]));
  return {
    weekly: weekly as HoursDraft["weekly"],
    days: hours.days.map(({ day, spans: list, note }) => ({ day, spans: spans(list), note })),
    chatFollowsHours,
  };
}

/** Reads a form as it was sent; a second span whose fields are there stays, though it is blank. */
export function readDraft(values: Record<string, unknown>): HoursDraft {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  const spansOf = (row: string) =>
    SPANS.flatMap((span) => {
      const { opens, closes } = spanNames(row, span);
      const isThere = opens in values || closes in values;
      return isThere ? [{ opens: text(opens), closes: text(closes) }] : [];
    });
  const rows = Array.from({ length: MAX_SPECIAL_DAYS }, (_, i) => dayRow(i)).filter((row) =>
    [row, `${row}-note`, ...Object.values(spanNames(row, 0))].some((name) => name in values),
  );
  const weekly = Object.fromEntries(WEEKDAYS.map((day) => [day, spansOf(day)]));
  return {
    weekly: weekly as HoursDraft["weekly"],
    days: rows.map((row) => ({ day: text(row), spans: spansOf(row), note: text(`${row}-note`) })),
    chatFollowsHours: text("chatFollowsHours") === "on",
  };
}

/** Converts a form to the input of the settings: spans without any time are left out, a whole day ends at midnight. */
export function hoursInput({ weekly, days }: HoursDraft) {
  const isWhole = ({ opens, closes }: DraftSpan) => opens === DAY_START && closes === LAST_MINUTE;
  const spans = (list: DraftSpan[]) =>
    list
      .filter(({ opens, closes }) => opens || closes)
      .map((span) => [span.opens, isWhole(span) ? DAY_END : span.closes]);
  return {
    weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, spans(weekly[day])])),
    days: days
      .filter((one) => one.day || one.note || spans(one.spans).length > 0)
      .map(({ day, spans: list, note }) => ({ day, spans: spans(list), note })),
  };
}

const BLANK: DraftSpan = { opens: "", closes: "" };

/** Rows of a form by their name: a weekday, or `day-3`. */
function changeSpans(
  draft: HoursDraft,
  row: string,
  change: (spans: DraftSpan[]) => DraftSpan[],
): HoursDraft {
  const weekly = Object.fromEntries(
    WEEKDAYS.map((day) => [day, day === row ? change(draft.weekly[day]) : draft.weekly[day]]),
  );
  return {
    ...draft,
    weekly: weekly as HoursDraft["weekly"],
    days: draft.days.map((day, i) => (dayRow(i) === row ? { ...day, spans: change(day.spans) } : day)),
  };
}

/**
 * Changes the rows of a form: `second mon` adds a second span, `single mon` removes it, `add` adds a special day and
 * `remove day-3` removes one. Anything else leaves the form as it is, for a preview.
 */
export function changeRows(draft: HoursDraft, act: string): HoursDraft {
  const [verb, row = ""] = act.split(" ");
  if (verb === "second") return changeSpans(draft, row, (spans) => [spans[0] ?? BLANK, spans[1] ?? BLANK]);
  if (verb === "single") return changeSpans(draft, row, (spans) => spans.slice(0, 1));
  if (verb === "remove") return { ...draft, days: draft.days.filter((_, i) => dayRow(i) !== row) };
  const isAdded = verb === "add" && draft.days.length < MAX_SPECIAL_DAYS;
  return isAdded ? { ...draft, days: [...draft.days, { day: "", spans: [], note: "" }] } : draft;
}
