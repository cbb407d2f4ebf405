/** States of a quote as its readers see them. */
export const QUOTE_STATES = ["sent", "accepted", "declined", "withdrawn", "expired"] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];

interface Dated {
  state: Exclude<QuoteState, "expired">;
  /** Epoch seconds. */
  validUntil: number;
}

/** Returns the state of a quote at an instant: it expires by the clock. */
export const quoteState = ({ state, validUntil }: Dated, now: number): QuoteState =>
  state === "sent" && validUntil <= now ? "expired" : state;

/** Error messages of a decision that comes too late, by the state. */
export const QUOTE_REFUSALS: Record<QuoteState, string> = {
  sent: "Please try again.",
  accepted: "This quote was accepted already.",
  declined: "This quote was declined already.",
  withdrawn: "This quote was withdrawn.",
  expired: "This quote has expired.",
};
