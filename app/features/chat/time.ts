/**
 * When something was said, as a visitor is told it: `14:31`, with the day where that isn't today.
 *
 * @param seconds epoch seconds
 * @param timeZone of the shop, which is then named: `14:31 EST`; without one the reader's own
 */
export function saidAt(seconds: number, timeZone?: string): string {
  const date = new Date(seconds * 1000);
  const dayOf = (moment: Date) => moment.toLocaleDateString("en", { timeZone });
  const isToday = dayOf(date) === dayOf(new Date());
  return date.toLocaleString("en", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    ...(timeZone && { timeZoneName: "short" }),
    ...(!isToday && { month: "short", day: "numeric" }),
  });
}
