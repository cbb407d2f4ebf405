import { type StaffShownAs, SUPPORT_TEAM } from "./limits";

/** Settings that name staff. */
interface Named {
  /** "" for none. */
  answererName: string;
  staffShownAs: StaffShownAs;
}

/**
 * Returns how staff appear to visitors, in the shop and in mails, as the settings choose: `Maren, Support Team`, `Maren` or
 * `Support Team`. The sender's name at the API, in live events and in the console is `Support Team`.
 *
 * @param answerer null while unknown
 * @param name of the writer; by default of the person who answers
 */
export function staffLabel(answerer: Named | null, name = answerer?.answererName): string {
  if (!name || answerer?.staffShownAs === "team") return SUPPORT_TEAM;
  return answerer?.staffShownAs === "name" ? name : `${name}, ${SUPPORT_TEAM}`;
}

interface Written {
  id: string;
  isFromAdmin: boolean;
  authorName?: string | undefined;
}

/** Returns the author of a message as its visitor reads it; what the shop says by itself is the team's. */
export function authorLabel(message: Written, answerer: Named | null): string {
  if (!message.isFromAdmin) return "You";
  return isAutomatic(message) ? SUPPORT_TEAM : staffLabel(answerer, message.authorName);
}

/**
 * Returns the person who answers a conversation: the member of staff who wrote last in it, else the one of the settings, whose
 * picture is of nobody else. Where visitors read the team alone, it is always the latter.
 */
export function answererOf<Known extends Named & { answererPicture: string | null }>(
  answerer: Known,
  messages: Written[],
): Known {
  const name = messages.findLast((one) => one.isFromAdmin && !isAutomatic(one))?.authorName;
  if (!name || answerer.staffShownAs === "team") return answerer;
  const isPictured = answerer.answererName.startsWith(name);
  return { ...answerer, answererName: name, answererPicture: isPictured ? answerer.answererPicture : null };
}

/** Detects a message that the shop has sent by itself, whose id has a colon. */
const isAutomatic = ({ id }: { id: string }) => id.includes(":");
