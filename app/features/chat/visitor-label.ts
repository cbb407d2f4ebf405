import { formatDateTime } from "~/ui/format";
import { NEW_CUSTOMER } from "./limits";

/** Returns the name of a visitor who gave one. */
export const knownName = (name = "") => (name.toLowerCase() === NEW_CUSTOMER.toLowerCase() ? "" : name);

/** Returns four letters or digits of a chat's id, by which visitors without a name are told apart: `#4F2A`. */
export const visitorNumber = (chatId: string) =>
  `#${chatId
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(-4)
    .toUpperCase()}`;

/** Reads the number of a chat from a search: `4F2A`, `#4f2a`, `New Customer #4F2A`. @returns null for other texts */
export const numberIn = (search: string): string | null =>
  /^(?:new customer\s+)?#?([a-z0-9]{4})$/i.exec(search.trim())?.[1]?.toUpperCase() ?? null;

interface Visitor {
  chatId: string;
  name: string;
  /** Epoch seconds. */
  began: number;
}

/** Names a visitor; those without a name are told apart by their number and when they began. */
export const visitorLabel = ({ chatId, name, began }: Visitor, timezone: string) =>
  knownName(name) || `${NEW_CUSTOMER} ${visitorNumber(chatId)}, began ${formatDateTime(began, timezone)}`;
