import { DAY_SECONDS } from "~/domain/durations";

/** Limits, names and close codes shared by browser and server. */

/** Characters of a message. */
export const MAX_MESSAGE = 2000;
/** Seconds after its last message in which a conversation is continued. */
export const CONTINUED_SECONDS = 30 * DAY_SECONDS;
/** A visitor's open chats, latest first, that are asked for a start that is sent again. */
export const MAX_ASKED_CHATS = 20;
/** Hint displayed where JavaScript does not count the characters. */
export const MESSAGE_LIMIT = "At most 2,000 characters.";
/** Bytes of a live frame; a larger one closes its socket. */
export const MAX_FRAME = 16 * 1024;
/** Milliseconds that the typing indicator stays visible after an event. */
export const TYPING_INDICATOR_MS = 3000;
/** Sender name of the seller's messages. */
export const SUPPORT_TEAM = "Support Team";

/** Labels above staff's words for visitors: name and team, the name, or the team. */
export const STAFF_SHOWN_AS = ["both", "name", "team"] as const;
export type StaffShownAs = (typeof STAFF_SHOWN_AS)[number];
/** Name of a visitor who gave none. */
export const NEW_CUSTOMER = "New Customer";

/** Close codes of a live connection. Clients reconnect after 1012, not after the 44xx codes. */
export const CLOSED = {
  /** Too many events. */
  abuse: 1008,
  tooBig: 1009,
  /** The visitor has signed in. */
  identityChanged: 1012,
  /** The session that opened the connection has ended. */
  sessionEnded: 4401,
  chatGone: 4404,
  /** The client or its address has too many connections; this was the oldest. */
  tooMany: 4409,
} as const;

/** Filters of the console's list. */
export const CHAT_FILTERS = ["unanswered", "mine", "open", "closed"] as const;
export type ChatFilter = (typeof CHAT_FILTERS)[number];

/** Chats that a figure of the dashboard counts: begun in a period, of these sold or answered, or paid in it. */
export const CHAT_REPORTS = ["begun", "sold", "answered", "paid"] as const;
export type ChatReport = (typeof CHAT_REPORTS)[number];

/** States of a chat; a visitor's message reopens a closed one. */
export const CHAT_STATES = ["open", "closed"] as const;

/** Characters of the text that the console searches for. */
export const MAX_SEARCH = 100;

/** Beginning of the ids of messages that came by mail. */
export const MAIL_IDS = "mail-";

export const cameByMail = ({ id }: { id: string }) => id.startsWith(MAIL_IDS);
