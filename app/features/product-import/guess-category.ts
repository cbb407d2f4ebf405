import { type Category, parseCategory } from "~/features/catalogue/categories";

/** Words that indicate a category, the more specific categories first. */
const PATTERNS: [Category, RegExp][] = [
  ["ENGRAVING", /\bengrav\w*|\blaser (?:cut|etch)\w*|\bpersonali[sz]ed\b|\bmonogram\w*/],
  [
    "PHONE_CASE",
    /\b(?:phone|iphone|galaxy|pixel|mobile) (?:[\w-]+ ){0,3}(?:case|cover|bumper|sleeve)s?\b|\b(?:phone|mobile) ?cases?\b|\bmagsafe case\b/,
  ],
  ["CAR_ACCESSORY", /\b(?:car|auto|automotive|vehicle|dash ?cam|windshield|dashboard|truck)\b/],
  [
    "JEWELRY",
    /\bjewel\w*|\b(?:ring|necklace|bracelet|earring|pendant|brooch|anklet|bangle|charm|cufflink)s?\b/,
  ],
  [
    "HEALTH_AND_BEAUTY",
    /\b(?:beauty|health|skin ?care|cosmetics?|make ?up|soap|shampoo|lotion|serum|balm|wellness|hair|nail|massage|vitamin|perfume|fragrance|toothbrush)s?\b/,
  ],
  [
    "COMPUTER_ACCESSORY",
    /\b(?:computer|laptop|macbook|keyboard|mouse|monitor|webcam|usb|hdmi|hub|ssd|printer|trackpad|desktop|pc)s?\b/,
  ],
  [
    "PHONE_ACCESSORY",
    /\b(?:phone|iphone|smartphone|mobile|charger|charging|power ?bank|screen protector|earbuds|headphone|headset|selfie|cable|magsafe|airpods)s?\b/,
  ],
  [
    "HOME_DECOR",
    /\b(?:home|decor|decoration|candle|vase|lamp|cushion|pillow|rug|wall art|print|poster|frame|mug|kitchen|garden|furniture|blanket|clock|coaster|planter|pot|bedding|living)s?\b/,
  ],
];

/**
 * Guesses a category from a product's type, tags or title in another shop.
 *
 * @param hints texts, the most reliable first; one that names a category of the shop decides
 * @returns null where nothing fits
 */
export function guessCategory(hints: string[]): Category | null {
  for (const hint of hints) {
    const parts = hint.split(/[,>/|]/).map((part) => part.trim());
    for (const part of parts.reverse()) {
      const named = part && parseCategory(part);
      if (named && named !== "OTHERS") return named;
    }
    const text = ` ${hint.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
    const match = PATTERNS.find(([, pattern]) => pattern.test(text));
    if (match) return match[0];
  }
  return null;
}
