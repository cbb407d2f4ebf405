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

interface Visitor {
  chatId: string;
  name: string;
  /** Epoch seconds. */
  began: number;
}

/** Names a visitor; those without a name are told apart by their number and when they began. */
export const visitorLabel = ({ chatId, name, began }: Visitor, timezone: string) =>
  knownName(name) || `${NEW_CUSTOMER} ${visitorNumber(chatId)}, began ${formatDateTime(began, timezone)}`;
