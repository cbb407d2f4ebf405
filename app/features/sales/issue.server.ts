import { type DateInput, resolveDate } from "~/features/ledger/days";
import { validationError } from "~/http/errors";
import { isDay } from "~/ui/DataTable/list-params";
import type { TaxRules } from "./tax";

/** Rules of a business that is not registered. */
export const NO_TAX: TaxRules = { number: "", name: "", rate: 0, isIncluded: true };

/**
 * Resolves the date of a document, by default the present.
 *
 * @throws AppError invalid outside 2000 to 2099
 */
export function documentDay(date: DateInput | undefined, now: number, timezone: string) {
  const resolved = resolveDate(date ?? { at: now }, now, timezone);
  if (!isDay(resolved.day))
    throw validationError([{ path: "createdAt", message: "Must be a date from 2000 to 2099" }]);
  return resolved;
}
