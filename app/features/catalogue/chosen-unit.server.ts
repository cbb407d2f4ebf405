import type { ProductOption } from "~/db/schema";
import { redirect } from "~/http/redirect.server";
import type { OfferedOptions } from "./options";
import { choiceField, choiceUrl, unitOf, unitsIn } from "./unit-choice";
import { MAX_OPTION_VALUE } from "./units";

/** Choice with which the page of a product opens. */
export interface OpenedChoice {
  /** Value of each option; empty for a product without options. */
  chosen: string[];
  /** Index of the picture of a choice that the address names; 0 without one. */
  picture: number;
  /** Says that the address names a value which the product does not have. */
  gone: string | null;
}

const same = (text: string) => text.normalize("NFC").trim().toLowerCase();

/** Finds an option's value by what an address names; null for none. */
const namedValue = ({ values }: ProductOption, named: string | null) =>
  values.find((value) => named !== null && same(value) === same(named)) ?? null;

/**
 * Reads the choice of an address, `?Colour=Moss&Size=6`. Values that it leaves open are those of the first unit that can be
 * bought, else of the first.
 */
export function openedChoice(
  options: ProductOption[],
  choices: OfferedOptions,
  params: URLSearchParams,
): OpenedChoice {
  const named = options.map((option) => namedValue(option, params.get(option.name)));
  const gone = options.find(({ name }, i) => params.get(name) && named[i] === null);
  const fitting = unitsIn(choices).filter(({ unit }) =>
    unit.values.every((value, i) => named[i] === null || named[i] === value),
  );
  const first = (fitting.find(({ unit }) => unit.stock > 0) ?? fitting[0])?.unit.values ?? [];
  const chosen = options.map(({ values }, i) => named[i] ?? first[i] ?? values[0] ?? "");
  const isNamed = named.some((value) => value !== null);
  return {
    chosen,
    picture: (isNamed && unitOf(unitsIn(choices), chosen)?.picture) || 0,
    gone: gone ? `There is no “${params.get(gone.name)?.slice(0, MAX_OPTION_VALUE)}” any more.` : null,
  };
}

/** Leads from the fields of a form that was sent without a script to the address of its choice. @throws Response */
export function redirectToChoice(id: string, options: ProductOption[], params: URLSearchParams): void {
  if (!options.some((_, i) => params.has(choiceField(i)))) return;
  const values = options.map((option, i) => namedValue(option, params.get(choiceField(i))));
  throw redirect(choiceUrl(id, options, values));
}
