import { SUPPORT_TEAM } from "./limits";

/**
 * Returns how staff appear to visitors, in the shop and in mails: `Maren, Support Team`. The API, live events and the console
 * have `Support Team` alone.
 *
 * @param name of whoever answers; "" for none
 */
export const staffLabel = (name = "") => (name ? `${name}, ${SUPPORT_TEAM}` : SUPPORT_TEAM);

/** Returns the author of a message as its visitor reads it; what the shop says by itself is the team's. */
export const authorLabel = (message: { id: string; isFromAdmin: boolean }, name: string | undefined) =>
  message.isFromAdmin ? staffLabel(isAutomatic(message) ? "" : name) : "You";

/** Detects a message that the shop has sent by itself, whose id has a colon. */
const isAutomatic = ({ id }: { id: string }) => id.includes(":");
