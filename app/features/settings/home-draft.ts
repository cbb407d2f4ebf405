import { FEATURED_FIELDS, MAX_FEATURED } from "./groups";

/** Form of the home page before it is saved. */
export interface HomeDraft {
  headline: string;
  introduction: string;
  /** Product of the hero; "" for none. */
  heroProduct: string;
  /** Products below the hero in their order. */
  featured: string[];
}

/** Product that a form shows by its name. */
export interface ChosenProduct {
  id: string;
  name: string;
  priceCents: number;
  /** Stored picture or an address; null for none. */
  image: string | null;
}

/** Products of the home page's form. */
export interface HomeProducts {
  /** Those that the form names and the shop has, in no order. */
  chosen: ChosenProduct[];
  /** Those that the shop chooses by itself where none are chosen. */
  automatic: ChosenProduct[];
}

/** Products that a search has found. */
export interface FoundProducts {
  text: string;
  products: ChosenProduct[];
}

/** Reads a product from the address of its page, or its id. */
const productId = (text: string) => /\/products\/([\w-]{1,64})/.exec(text)?.[1] ?? text.trim();

/** Reads a form as it was sent. */
export function readHomeDraft(values: Record<string, unknown>): HomeDraft {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  const featured = FEATURED_FIELDS.map((name) => productId(text(name))).filter(Boolean);
  return {
    headline: text("headline"),
    introduction: text("introduction"),
    heroProduct: productId(text("heroProduct")),
    featured: [...new Set(featured)],
  };
}

/**
 * Changes the products of a form: `hero mug` puts one into the hero, `noHero` takes it out, `add mug`, `up mug` and
 * `remove mug` change those below. Anything else leaves the form as it is, for a search or a preview.
 */
export function changeProducts(draft: HomeDraft, act: string): HomeDraft {
  const [verb, id = ""] = act.split(" ");
  const { featured } = draft;
  const place = featured.indexOf(id);
  if (verb === "hero") return { ...draft, heroProduct: id };
  if (verb === "noHero") return { ...draft, heroProduct: "" };
  if (verb === "remove") return { ...draft, featured: featured.filter((one) => one !== id) };
  if (verb === "add" && place < 0 && featured.length < MAX_FEATURED)
    return { ...draft, featured: [...featured, id] };
  if (verb !== "up" || place < 1) return draft;
  const others = featured.filter((one) => one !== id);
  return { ...draft, featured: others.toSpliced(place - 1, 0, id) };
}
