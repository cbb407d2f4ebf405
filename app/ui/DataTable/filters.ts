import type { ListParams } from "./list-params";

/** A filter with a few known values. */
export interface Choice {
  /** Its name in the address. */
  name: string;
  label: string;
  /** The words for "not filtered", such as "All businesses". */
  all: string;
  options: { value: string; label: string }[];
}

/** A stretch of days with a name, such as "This month". */
export interface DateRange {
  label: string;
  /** YYYY-MM-DD, both days included. */
  from: string;
  to: string;
}

/** A filter that is set, as its chip says it. */
export interface Chip {
  words: string;
  /** The names to be unset. */
  names: string[];
}

/** The filters that are set, in words. The search is not among them: its field shows it. */
export function filterChips(
  { filters }: ListParams,
  choices: Choice[],
  formatDay: (day: string) => string,
): Chip[] {
  const chosen = choices.flatMap(({ name, label, options }) => {
    const option = options.find(({ value }) => value === filters[name]);
    return option ? [{ words: `${label}: ${option.label}`, names: [name] }] : [];
  });
  const days = dateRangeLabel(filters, formatDay);
  return days ? [{ words: days, names: ["from", "to"] }, ...chosen] : chosen;
}

/** The days that are filtered by, in words; null when they aren't. */
export function dateRangeLabel(
  { from, to }: Record<string, string>,
  formatDay: (day: string) => string,
): string | null {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  if (from) return `From ${formatDay(from)}`;
  return to ? `Until ${formatDay(to)}` : null;
}

/** The stretch that is filtered by, if it is one that has a name. */
export function dateRangePreset(
  { from, to }: Record<string, string>,
  datePresets: DateRange[],
): DateRange | undefined {
  return datePresets.find((preset) => preset.from === from && preset.to === to);
}
