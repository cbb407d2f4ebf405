import { formatDateTime } from "~/ui/format";
import { NEW_CUSTOMER } from "./limits";

/** Returns the name of a visitor who gave one. */
export const knownName = (name = "") => (name.toLowerCase() === NEW_CUSTOMER.toLowerCase() ? "" : name);

/** Names a visitor; those without a name are told apart by when they began. @param began epoch seconds */
export const visitorLabel = (name: string, began: number, timezone: string) =>
  knownName(name) || `${NEW_CUSTOMER}, began ${formatDateTime(began, timezone)}`;
