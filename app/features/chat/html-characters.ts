// The package `entities` has all 2,231 names, in 15 kB: half of what the reader of mails may weigh.

/** Names of the characters from U+00A0 to U+00FF, in their order. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave
Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml
Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth
ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s/);

const NAMED: Record<string, string> = {
  ...Object.fromEntries(LATIN.map((name, i) => [name, String.fromCodePoint(0xa0 + i)])),
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", euro: "\u20ac", trade: "™", bull: "•", hellip: "…" },
  ...{ ndash: "–", mdash: "—", lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„" },
};

/** Decodes the references to characters that mail programs write: numbers, Latin letters and punctuation. */
export const decodeCharacters = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi, (reference, decimal, hex, name) =>
    name ? (NAMED[name] ?? reference) : characterOf(Number.parseInt(decimal ?? hex, decimal ? 10 : 16)),
  );

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd");
