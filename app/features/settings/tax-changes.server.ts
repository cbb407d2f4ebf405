import type { z } from "zod";
import type { Db } from "~/db/client.server";
import { AppError } from "~/http/errors";
import { type TaxAnswer, type TaxInput, type TaxSettings, taxView } from "./tax";
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

/** Saves the registrations that differ from what is stored. @returns all of them. @throws AppError as `saveTax` */
export async function saveTaxes(db: Db, stored: TaxSettings[], changes: Changes): Promise<TaxSettings[]> {
  const after = stored.map((settings) => ({ ...settings, ...changes[settings.business] }));
  for (const [i, settings] of after.entries())
    if (!isEqual(settings, stored[i] ?? {})) await saveTax(db, settings);
  return after;
}
