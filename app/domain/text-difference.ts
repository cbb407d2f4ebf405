/** Characters that are shown of a longer text, and those before the first difference. */
const MAX_SHOWN = 60;
const LEAD = 16;

/** Second text of two that differ in their markup alone. */
export const OTHER_FORMAT = "other formatting";

/** Shortens two texts, so that readers see where they begin to differ. */
export function shortenedPair(before: string, after: string): [before: string, after: string] {
  const [was, is] = [Array.from(before), Array.from(after)];
  let same = 0;
  while (same < was.length && was[same] === is[same]) same++;
  const isLong = Math.max(was.length, is.length) > MAX_SHOWN;
  const wanted = isLong ? Math.max(0, same - LEAD) : 0;
  const space = was.indexOf(" ", wanted);
  const start = wanted > 0 && space >= 0 && space < same ? space + 1 : wanted;
  return [shortened(was, start), shortened(is, start)];
}

function shortened(text: string[], start: number): string {
  const end = start + MAX_SHOWN;
  const part = text.length > end ? `${text.slice(start, end - 1).join("")}…` : text.slice(start).join("");
  return start > 0 ? `…${part}` : part;
}
