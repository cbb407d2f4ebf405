/** Digits of an EAN-8, a UPC-A, an EAN-13 and a GTIN-14. */
const LENGTHS = [8, 12, 13, 14];

/** Tests for an EAN or a UPC with a correct check digit. Source: https://www.gs1.org/services/how-calculate-check-digit-manually */
export function isGtin(code: string): boolean {
  if (!/^\d+$/.test(code) || !LENGTHS.includes(code.length)) return false;
  const sum = [...code].reduceRight(
    (total, digit, i) => total + Number(digit) * ((code.length - 1 - i) % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}
