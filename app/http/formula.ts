/**
 * Pattern of cells that spreadsheets read as a formula. Programs skip blanks and zero-width characters before the sign
 * and accept full-width signs. A negative number is no formula. Leading apostrophes belong to the cell, so that
 * unescaping restores exactly the escaped cell.
 */
export const FORMULA =
  /^'*(?!-[\d.,]*\d$)[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]/u;

/** Prefixes a formula with an apostrophe, so that spreadsheets show it as text. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `escapeFormula` added. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}
