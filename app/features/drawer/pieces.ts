import { CASH_PIECES_CENTS } from "~/domain/currency";

/** Name of the field that counts the notes or coins of a value. */
export const piecesField = (cents: number): string => `pieces${cents}`;

/** Reads how many notes or coins were counted; 0 for an empty field, null for what is no number. */
export function readPieces(text: string): number | null {
  const digits = text.trim();
  return /^\d{0,6}$/.test(digits) ? Number(digits) : null;
}

/** Adds up notes and coins, in cents. @param typed by field; what is no number counts as none */
export const countedPieces = (typed: Record<string, string>): number =>
  CASH_PIECES_CENTS.reduce(
    (total, cents) => total + cents * (readPieces(typed[piecesField(cents)] ?? "") ?? 0),
    0,
  );
