/** Words of a text, between spaces. */
export const spaced = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
export const has = (text: string, word: string) => text.includes(` ${word} `);
/** Words of a colour's name that name no colour. */
const JOINING = new Set(["and", "on", "with", "light", "pale", "dark"]);

/**
 * Finds the picture of each colour by the alternative texts: the first that names it first, as plates are found, else the
 * first that has its name, else the first that has all words of it, else one that has some and is no other colour's (`Gold and brown`: a watch with a brown strap).
 */
export function picturesOf(colors: string[], alts: string[]): (number | null)[] {
  const texts = alts.map(spaced);
  const find = (fits: (text: string, index: number) => boolean) => {
    const index = texts.findIndex(fits);
    return index === -1 ? null : index;
  };
  const names = colors.map((color) => spaced(color).trim());
  const words = names.map((name) => name.split(" ").filter((word) => word !== "" && !JOINING.has(word)));
  const named = alts.map((alt) => colorIn(alt, colors));
  const whole = names.map(
    (name, i) =>
      find((_, index) => named[index] === colors[i]) ??
      find((text) => name !== "" && has(text, name)) ??
      find((text) => words[i]?.length !== 0 && (words[i] ?? []).every((word) => has(text, word))),
  );
  return whole.map(
    (picture, i) =>
      picture ??
      find((text, index) => !whole.includes(index) && (words[i] ?? []).some((word) => has(text, word))),
  );
}

/** Returns the colour that an alternative text names first; null where it names none. */
export function colorIn(alt: string, colors: string[]): string | null {
  const text = spaced(alt);
  const at = (color: string) => {
    const words = spaced(color).trim().split(" ");
    const named = words.filter((word) => !JOINING.has(word));
    return named.length > 0 && named.every((word) => has(text, word))
      ? Math.min(...named.map((word) => text.indexOf(` ${word} `)))
      : -1;
  };
  const named = colors.map((color) => ({ color, at: at(color) })).filter((one) => one.at !== -1);
  return named.sort((a, b) => a.at - b.at)[0]?.color ?? null;
}
