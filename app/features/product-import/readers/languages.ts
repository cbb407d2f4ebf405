import type { ChosenEncoding } from "../sheet";

/** Spelling of a language in lower case, of its letters beyond ASCII alone. */
export interface Language {
  letters: string;
  /** Letters that stand as words of their own. */
  words?: string;
  /** Parts that its words don't have. Few letters are enough to tell code pages apart by what can't be. */
  never?: RegExp;
}

const anyOf = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join("|"), "gu");

const FRENCH: Language = {
  letters: "àâæçéèêëîïôœùûüÿ",
  words: "àô",
  never: anyOf(
    /à(?=\p{L})/u,
    // “pièce”, “lumière”: before consonants and a mute e.
    /(?<![bcdfghlmnopqrstvxyzié]|[gq]u)è|^è(?!re)|è(?![bcdfglmnpqrstvz])|è[bcdfghjklmnpqrstvwxz]+[aiouy]/u,
    // “fenêtre”, “chêne”, “rêve”.
    /(?<![bcdfghlmnopqrstvxyzé]|[gq]u|^)ê|ê(?!ch|[lmnpvr]|$|qu)(?!t(?:[aeiouéhrs]|$))/u,
    /(?:w|k(?!ilo))\p{L}*[èêœ]|[èêœ]\p{L}*[kw]|[èê]\p{L}*[èê]$/u,
    /(?<!t|^|n)æ|^æ(?!q)/u,
    // “œuf”, “cœur”, “œillet”.
    /œ(?!u|il|do|dè|so|no|st|cum)(?<!cœ(?=l)|fœ(?=t))|(?<!^|[bcfhmnsv])œ/u,
    /(?<![aeouyé])ï|(?<!a)ï$/u,
    /(?<!o)ù|ù(?=\p{L})/u,
    // “L’Haÿ”.
    /(?<![aou])ÿ/u,
    // “goût”, “brûlé”, “dû”.
    /û(?![clmnprt])(?<!^(?:d|m|cr)û(?=e?s?$))|(?<![abcdefgijlmnoprstu])û/u,
  ),
};

const SPANISH: Language = {
  letters: "áéíñóúü",
  never: anyOf(/ñ(?![aeiouáéíóú])|(?<![aeiouáéíóúr]|^)ñ/u, /[aeiouáéíóú]í[aeiouáéíóú]|íí/u, /ü(?![eéií])/u),
};

const PORTUGUESE: Language = {
  letters: "áâãàçéêíóôõúü",
  words: "àéáó",
  never: anyOf(
    /[kw]\p{L}*[êãõà]|[êãõà]\p{L}*[kw]/u,
    // “você”, “três”, “ciência”.
    /ê(?![nmsxr]|$|d[oa]|lo)|iê(?!n)|ií|íi/u,
    // “pão”, “mãe”; the few words that end in ã.
    /ã(?![oesmnbi]|$)/u,
    /(?<!^[dflrsv]|maç|rom|irm|nh|[tv]el|rist|mis|dad|lem|xam|gal|div|lism|uti|ím|rf|tit|cel|pe)ã$/u,
    /õ(?!es?$|ez|em)|à(?!s$|$|qu)/u,
  ),
};

const ITALIAN: Language = {
  letters: "àèéìíîòóùú",
  words: "èà",
  // Accents stand at the ends of words.
  never: anyOf(
    /[kw]\p{L}*[àèìòù]|[àèéìíîòóùú](?=\p{L})/u,
    /[ykw][òùèì]|eò$|[uij]è$|^[^aeiou]{2,}è$/u,
    /^[ìòù]/u,
  ),
};

const SCANDINAVIAN: Language = {
  letters: "åäöæøéü",
  words: "åöøæ",
  never: anyOf(
    /[aeiouyæå]ø(?!$|d)|ø[ia]|øe(?!r|n|$)/u,
    /[aiouyøå]æ|æ[aouyø]|^æ[ckmwz]/u,
    /(?<=[äö]\p{L}*)[æø]|[æø](?=\p{L}*[äö])/u,
  ),
};

const ICELANDIC: Language = {
  letters: "áðéíóúýþæö",
  never: anyOf(
    /þ(?![aeiouyáéíóúýæörjv])|[aeou]þ/u,
    /[aeiouy]æ|^æ[cmwz]|ií|íi/u,
    /(?<![aeiouyáéíóúýæör])ð|^ð|ðe[aou]/u,
  ),
};

const DUTCH: Language = {
  letters: "éëïèêóöü",
  never: anyOf(/è(?![mnr]e)|ê(?![lt]e)/u, /(?<![aeiou])[ïë]|[ïë]$/u),
};

const WESTERN = [FRENCH, { letters: "äöüß" }, SPANISH, PORTUGUESE, ITALIAN, SCANDINAVIAN, ICELANDIC, DUTCH];

const POLISH: Language = {
  letters: "ąćęłńóśźż",
  never: anyOf(
    /[qvx]/u,
    /ń[aeiouyąęó]|(?<![aeiouyąęó]|^)[źń]|^[ąęń]/u,
    /[aeouyąęó][ąę]/u,
    /[bdfghklmnprtvz]ś$|[bcdfghkmpstz]ś/u,
    /(?<![aeiouyąęó]\p{L}*)ł$|ćć/u,
  ),
};

/** Places of š and ž that Mac Roman’s ö and û have, but no Slavic word. */
const NO_SLAVIC = [
  /ž[tpf]|^ž[cghkmsš]|[bcdfghmps]ž[bcdfghjklmnprstvz]/u,
  /šff|[bcdfghklmn]š[bcdfghjlmnrszt]|[bcdfghjklmnprstvz]{2}š[bcdfghjklmnprstvz]{2}/u,
];

const CENTRAL_EUROPEAN: Language[] = [
  POLISH,
  {
    // Czech and Slovak.
    letters: "áčďéěíňóřšťúůýžäĺľôŕ",
    never: anyOf(...NO_SLAVIC, /[qw]/u, /[aeiouy]ĺ|ĺ[aeiouy]|ä[aeiou]/u, /[řčž][řčž]/u),
  },
  { letters: "áéíóöőúüű", never: /[qwx]/gu },
  { letters: "ăâîşţ", never: /ăo|ă[âîă]|[kwqy]|ţţ/gu },
  // Slovene and Croatian.
  { letters: "čćđšž", never: anyOf(...NO_SLAVIC, /[qwx]/u) },
];

const CYRILLIC: Language[] = [
  { letters: "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", never: /^[ъыь]|[аеёиоуыэюя]{4}/gu },
  { letters: "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", never: /^ь|[аеєиіїоуюя]{4}/gu },
  { letters: "абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ", never: /[аеиоу]{4}/gu },
];

/** Languages that each code page writes. */
export const LANGUAGES: Record<Exclude<ChosenEncoding, "utf-8">, Language[]> = {
  "windows-1252": WESTERN,
  "windows-1250": CENTRAL_EUROPEAN,
  "windows-1251": CYRILLIC,
  macintosh: WESTERN,
};
