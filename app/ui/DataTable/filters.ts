import type { ListParams } from "./list-params";

/** Filter with fixed options. */
export interface SelectFilter {
  /** Query parameter. */
  name: string;
  label: string;
  /** Label of the empty option, such as "All businesses". */
  allLabel: string;
  options: { value: string; label: string }[];
}

/** Named date range, such as "This month". */
export interface DateRange {
  label: string;
  /** YYYY-MM-DD, both days included. */
  from: string;
  to: string;
}

/** Active filter. */
export interface FilterChip {
  label: string;
  /** Query parameters that it consists of. */
  names: string[];
}

/** Describes the active filters, without the search. */
export function filterChips(
  params: ListParams,
  filters: SelectFilter[],
  formatDay: (day: string) => string,
): FilterChip[] {
  const selected = filters.flatMap(({ name, label, options }) => {
    const option = options.find(({ value }) => value === params.filters[name]);
    return option ? [{ label: `${label}: ${option.label}`, names: [name] }] : [];
  });
  const days = dateRangeLabel(params.filters, formatDay);
  return days ? [{ label: days, names: ["from", "to"] }, ...selected] : selected;
}

/** Describes the date filter; null without one. */
export function dateRangeLabel(
  { from, to }: Record<string, string>,
  formatDay: (day: string) => string,
): string | null {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  if (from) return `From ${formatDay(from)}`;
  return to ? `Until ${formatDay(to)}` : null;
}

/** Finds the preset that equals the date filter. */
export function dateRangePreset(
  { from, to }: Record<string, string>,
  datePresets: DateRange[],
): DateRange | undefined {
  return datePresets.find((preset) => preset.from === from && preset.to === to);
}
