/**
 * Cells that a spreadsheet takes for a formula. Programs skip blanks and characters without width before the sign and
 * read full-width signs as their narrow twins. A number below zero is no formula. Apostrophes in front count as part of
 * the cell, so that removing one gives back exactly the cell that got it.
 */
export const FORMULA =
  /^'*(?!-[\d.,]*\d$)[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹢﹣﹦﹫]/u;

/** Puts an apostrophe before a formula, so that spreadsheets show it as text. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Takes the apostrophe of `escapeFormula` off again. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
