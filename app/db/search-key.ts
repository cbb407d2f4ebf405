/** Normalises text for comparison: NFC, lower case. */
export function searchKey(text: string): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/\p{Cc}/gu, " ")
    .trim();
}
