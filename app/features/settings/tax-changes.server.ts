import type { z } from "zod";
import type { Db } from "~/db/client.server";
import { AppError, type ErrorDetail, validationError } from "~/http/errors";
import { missingIn, type TaxAnswer, type TaxInput, type TaxSettings, taxView } from "./tax";
import { saveTaxSettings } from "./tax.queries.server";

type Changes = z.output<typeof TaxInput>;
type Seen = Partial<z.infer<typeof TaxAnswer>>;

const isEqual = (a: object, b: object) =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** Rejects changes of registrations that somebody else has changed since. @throws AppError conflict */
export function rejectStaleTax(stored: TaxSettings[], changes: Changes, was: Seen): void {
  const now = taxView(stored);
  const isStale = stored.some(({ business }) => {
    const seen = was[business];
    return changes[business] && seen && !isEqual(seen, now[business]);
  });
  if (isStale) throw new AppError("conflict", "Somebody else has just changed these settings.");
}

/**
 * Saves a tax registration; documents issued before keep theirs.
 *
 * @throws AppError conflict when somebody else has saved it since `version`
 */
export async function saveTax(db: Db, settings: TaxSettings): Promise<void> {
  if (!(await saveTaxSettings(db, settings)))
    throw new AppError("conflict", "Somebody else has changed these settings. Check them and save again.");
}

/** Changes fields of registrations; the others stay. @throws AppError invalid for one that is incomplete then */
export function changedTaxes(stored: TaxSettings[], changes: Changes): TaxSettings[] {
  const problems: ErrorDetail[] = [];
  const after = stored.map((settings) => {
    const { business } = settings;
    const changed = changes[business];
    if (!changed) return settings;
    const { number = settings.number, name = settings.name, isIncluded = settings.isIncluded } = changed;
    // Without a registration, 0 is no rate that anybody has entered.
    const { rate = settings.number === "" && settings.rate === 0 ? null : settings.rate } = changed;
    for (const { path, message } of missingIn({ number, name, rate }))
      problems.push({ path: `tax.${business}.${path}`, message });
    return { ...settings, number, name, isIncluded, rate: rate ?? 0 };
  });
  if (problems.length > 0) throw validationError(problems);
  return after;
}

/** Saves the registrations that differ from what is stored. @throws AppError as `saveTax` */
export async function saveTaxes(db: Db, stored: TaxSettings[], after: TaxSettings[]): Promise<void> {
  for (const [i, settings] of after.entries())
    if (!isEqual(settings, stored[i] ?? {})) await saveTax(db, settings);
}
