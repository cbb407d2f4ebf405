import { BUSINESSES, type BusinessNames, businessName } from "~/domain/enums";
import type { SelectFilter } from "~/ui/DataTable/filters";

/** Offers the businesses as a list's filter. */
export const businessFilter = (businessNames: BusinessNames): SelectFilter => ({
  name: "businessType",
  label: "Business",
  allLabel: "All businesses",
  options: BUSINESSES.map((value) => ({ value, label: businessName(value, businessNames) })),
});
