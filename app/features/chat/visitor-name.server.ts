import unhomoglyph from "unhomoglyph";
import { hasWebAddress } from "~/http/fields";
import { NEW_CUSTOMER, SUPPORT_TEAM } from "./limits";

/**
 * Chooses a visitor's displayed name: the first that is visible, contains no web address and cannot be mistaken for the
 * shop's.
 *
 * @param shopName name that the settings have
 * @returns `New Customer` when no name qualifies
 */
export function visitorName(shopName: string, ...names: string[]): string {
  const usable = names.map((name) => name.trim()).find((name) => isUsable(name, shopName));
  return usable ?? NEW_CUSTOMER;
}

/** Returns the given name; for `New Customer` the latest that the visitor gave before. @param earlier latest first */
export function rememberedName(shopName: string, given: string, earlier: string[]): string {
  const isNew = (name: string) => name === NEW_CUSTOMER;
  return isNew(given) ? visitorName(shopName, ...earlier.filter((name) => !isNew(name))) : given;
}

function isUsable(name: string, shopName: string): boolean {
  const isVisible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name);
  return isVisible && !hasWebAddress(name) && !resemblesShop(name, shopName);
}

/** Detects `Support Team` anywhere in a name, and the shop's name alone or with a word for its staff. */
function resemblesShop(name: string, shopName: string): boolean {
  // A symbol can separate words or stand for a letter: | is like l, ℮ like e.
  const outlines = [nameOutline(name), nameOutline([...name].map(latin).join(""))];
  if (outlines.some((outline) => outline.includes(nameOutline(SUPPORT_TEAM)))) return true;
  const shop = nameOutline(shopName);
  const staff = ["", "Support", "Team", "Staff"].map(nameOutline);
  const names = staff.flatMap((word) => [shop + word, nameOutline("The") + shop + word]);
  return shop !== "" && outlines.some((outline) => names.includes(outline));
}

/**
 * Reduces a name to the outline by which names are compared: the UTS 39 skeleton in lower case, without accents, spaces
 * and punctuation, and with I as l.
 */
function nameOutline(name: string): string {
  const letters = [...name.normalize("NFKD").replace(IGNORED, "")].map(latin).join("").toLowerCase();
  return unhomoglyph(letters).normalize("NFKD").toLowerCase().replace(IGNORED, "").replaceAll("i", "l");
}

/** Characters other than letters and digits, and invisible letters. */
const IGNORED = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
/** Small capitals, which UTS 39 distinguishes from capitals of the same shape. */
const SMALL_CAPITALS: Record<string, string> = { ᴀ: "A", ᴇ: "E", ᴍ: "M", ᴘ: "P", ᴛ: "T" };

/** Maps a character to the Latin letter of the same shape, in either case; else to its skeleton. */
function latin(character: string): string {
  const skeletons = [character, character.toUpperCase()].map(unhomoglyph);
  const found = skeletons.find((skeleton) => /^[\x21-\x7e]+$/.test(skeleton));
  return found ?? SMALL_CAPITALS[character] ?? skeletons[0] ?? character;
}
