import { isDay } from "~/domain/calendar-day";
import { type DateInput, localDay, resolveDate } from "~/domain/days";
import { validationError } from "~/http/errors";
import type { StaffContext } from "~/http/operation.server";

/** Returns the same day a year after. */
const yearAfter = (day: string) => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;

/**
 * Refuses a date of the API that is more than a year ahead, where a form asks (docs/decisions/0100-dates-of-the-api.md).
 *
 * @param findKept reads the day that an edited entry has already, which it may keep
 * @throws AppError invalid
 */
export async function refuseFarDate(
  { now, settings }: Pick<StaffContext, "now" | "settings">,
  date: DateInput | undefined,
  findKept?: () => Promise<string | undefined>,
): Promise<void> {
  const day = date && resolveDate(date, now, settings.timezone).day;
  // What is no supported day has an error of its own.
  if (
    !day ||
    !isDay(day) ||
    day <= yearAfter(localDay(now, settings.timezone)) ||
    day === (await findKept?.())
  )
    return;
  throw validationError([{ path: "createdAt", message: "Must not be more than a year ahead" }]);
}
