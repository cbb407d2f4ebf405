/** Counts things in words. @param noun singular, whose plural ends in "s" */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
