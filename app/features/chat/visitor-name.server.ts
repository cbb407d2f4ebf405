import unhomoglyph from "unhomoglyph";
import { hasWebAddress } from "~/http/person-name";
import { shopSettings } from "~/http/shop-settings.server";
import { NEW_CUSTOMER, SUPPORT_TEAM } from "./limits";

/**
 * Chooses the name that a visitor writes under. One that could be taken for the shop's own is passed over, as is one
 * with a web address in it from before these were refused.
 *
 * @param env names the shop
 * @param names the first usable one counts
 * @returns `New Customer` when there is none
 */
export function visitorName(env: Env, ...names: string[]): string {
  const shopName = shopSettings(env).name;
  const usable = names.map((name) => name.trim()).find((name) => isUsable(name, shopName));
  return usable ?? NEW_CUSTOMER;
}

function isUsable(name: string, shopName: string): boolean {
  const isVisible = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name);
  return isVisible && !hasWebAddress(name) && !isOfShop(name, shopName);
}

/** Recognises `Support Team` anywhere in a name, and the shop's name alone or with words for its staff. */
function isOfShop(name: string, shopName: string): boolean {
  const outline = outlineOf(name);
  const shop = outlineOf(shopName);
  if (outline.includes(outlineOf(SUPPORT_TEAM))) return true;
  const staff = ["", "Support", "Team", "Staff"].map(outlineOf);
  return (
    shop !== "" && staff.some((word) => outline === shop + word || outline === outlineOf("The") + shop + word)
  );
}

/**
 * Outline by which names are compared: the UTS 39 skeleton without accents, spaces and punctuation. Skeletons tell
 * capitals from small letters, and I from i; people hardly do.
 */
function outlineOf(name: string): string {
  const letters = [...name.normalize("NFKD").replace(UNSEEN, "")].map(latin).join("").toLowerCase();
  return unhomoglyph(letters).normalize("NFKD").toLowerCase().replace(UNSEEN, "").replaceAll("i", "l");
}

/** All but letters and digits, and the letters that nobody sees. */
const UNSEEN = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;
/** Small capitals, which UTS 39 keeps apart from the capitals that they are drawn as. */
const SMALL_CAPITALS: Record<string, string> = { ᴀ: "A", ᴇ: "E", ᴍ: "M", ᴘ: "P", ᴛ: "T" };

/** Latin letter that a character is drawn as, itself or as a capital; else its skeleton. */
function latin(character: string): string {
  const skeletons = [character, character.toUpperCase()].map(unhomoglyph);
  const found = skeletons.find((skeleton) => /^[\x21-\x7e]+$/.test(skeleton));
  return found ?? SMALL_CAPITALS[character] ?? skeletons[0] ?? character;
}
