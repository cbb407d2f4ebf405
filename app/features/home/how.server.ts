import { BUSINESSES } from "~/domain/enums";
import type { RequestContext } from "~/http/request-context.server";
import { showHours, shownSettings } from "~/http/shop-settings.server";
import { shownTaxes, taxNote } from "~/http/tax-note.server";

/** Text about returns until the owner writes one. */
const RETURNS = `Something not right? Write to us or come by with the receipt, and we find a way together.
What we engraved with your words can't be put back on the shelf, unless we made a mistake.`;

/** Reads what the page How buying works takes from the settings. */
export async function howPage(context: RequestContext) {
  const [settings, taxes] = await Promise.all([shownSettings(context), shownTaxes(context)]);
  const { holdDays, quoteDays, returns } = settings.sales;
  return {
    opening: showHours(context, settings),
    tax: taxNote(taxes, [...BUSINESSES], settings.businesses),
    holdDays,
    quoteDays,
    /** Paragraphs. */
    returns: (returns || RETURNS).split(/\n+/).filter((line) => line.trim() !== ""),
  };
}
