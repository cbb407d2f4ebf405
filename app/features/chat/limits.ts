/** Numbers and names that browser and server must agree on. */

/** Characters that a message may have (contract: Chat). */
export const MAX_MESSAGE = 2000;
/** What is said of it where no script counts along. */
export const MESSAGE_LIMIT = "At most 2,000 characters.";
/** Largest live frame in bytes; a larger one closes its socket. */
export const MAX_FRAME = 16 * 1024;
/** Who the seller's messages come from (back office 4, Sending). */
export const SUPPORT_TEAM = "Support Team";
/** A visitor who gave no name (back office 2). */
export const NEW_CUSTOMER = "New Customer";

/** Why a live connection ended, as the close code tells. */
export const CLOSED = {
  /** More events than a person makes. */
  abuse: 1008,
  /** The frame was over 16 kB. */
  tooBig: 1009,
  /** Come back: who is signed in has changed. */
  identityChanged: 1012,
  /** The session that opened it has ended: sign in again, don't reconnect. */
  sessionEnded: 4401,
  /** The chat was deleted: don't reconnect. */
  chatGone: 4404,
  /** The person or the address has opened too many: this was the oldest, don't reconnect. */
  tooMany: 4409,
} as const;
