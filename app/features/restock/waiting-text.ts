/** People who are counted as waiting for a product. */
export const MAX_COUNTED = 100;

/** Says how many people wait for a product. @param people one more than MAX_COUNTED for any larger number */
export function waitingText(people: number): string {
  if (people > MAX_COUNTED) return `More than ${MAX_COUNTED} people wait for it`;
  return people === 1 ? "1 person waits for it" : `${people} people wait for it`;
}
