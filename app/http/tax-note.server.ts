import { type Db, oncePerClient } from "~/db/client.server";
import { type BusinessTax, findBusinessTaxes } from "~/db/tax-rules.server";
import { type Business, type BusinessNames, businessName } from "~/domain/enums";
import { resultOrNull } from "./page.server";

const businessTaxes = oncePerClient(({ db }: { db: Db }) => findBusinessTaxes(db));

/** Reads the taxes of the businesses, none where they can't be read; begun beside another read, they cost no round trip. */
export const shownTaxes = async (context: { db: Db }): Promise<BusinessTax[]> =>
  (await resultOrNull(businessTaxes(context))) ?? [];

/**
 * Says how tax is in the prices of businesses: one sentence where all have the same rule, else one for each that is
 * registered.
 *
 * @returns `Prices include HST.`; "" where none is registered
 */
export function taxNote(taxes: BusinessTax[], businesses: Business[], names: BusinessNames): string {
  const rules = businesses.map((business) => {
    const tax = taxes.find((each) => each.business === business);
    return { business, rule: tax && ruleOf(tax) };
  });
  const [first] = rules;
  if (first?.rule && rules.every(({ rule }) => rule === first.rule)) return `Prices ${first.rule}.`;
  return rules
    .flatMap(({ business, rule }) => (rule ? `Prices of ${businessName(business, names)} ${rule}.` : []))
    .join(" ");
}

const ruleOf = ({ name, rate, isIncluded }: BusinessTax): string =>
  isIncluded === 1 ? `include ${name}` : `are without ${name}, ${rate / 100}% is added`;
