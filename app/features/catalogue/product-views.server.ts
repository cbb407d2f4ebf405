import { imageUrl } from "~/features/storage/schema";
import { timestamp } from "~/http/fields";
import type { ProductField } from "./product-fields";
import type { ProductRow } from "./queries.server";
import { plainText, sanitizeRichText } from "./rich-text.server";

/** Product in the format of the API. */
export interface ApiProduct extends Record<ProductField, unknown> {
  id: string;
  productId: string;
  name: string;
  description: string;
  /** Dollars. */
  price: number;
  stock: number;
  /** Stock without what is on hold. */
  available: number;
  category: string;
  colors: string[];
  hasEngraving: boolean;
  imageUrls: string[];
  createdAt: { seconds: number; nanoseconds: number };
}

/**
 * Converts a product to the format of the API.
 *
 * @param raw keeps `minio:{key}` entries instead of converting them to URLs
 * @param isStaff shows the whole stock; others see what they can buy
 */
export function apiProduct(
  row: ProductRow,
  { raw, isStaff }: { raw: boolean; isStaff: boolean },
): ApiProduct {
  return {
    id: row.id,
    productId: row.id,
    name: row.name,
    description: sanitizeRichText(row.description),
    price: row.priceCents / 100,
    stock: isStaff ? row.stock : row.available,
    available: row.available,
    category: row.category,
    colors: row.colors,
    hasEngraving: row.hasEngraving,
    imageUrls: raw ? row.imageUrls : row.imageUrls.map((entry) => imageUrl(entry)),
    createdAt: timestamp(row.createdAt),
  };
}

/** Product in the format of its page. */
export interface ProductView {
  id: string;
  name: string;
  descriptionHtml: string;
  priceCents: number;
  stock: number;
  available: number;
  category: string;
  colors: string[];
  hasEngraving: boolean;
  /** Stored entries (`minio:{key}` or a URL) with alternative texts. */
  images: { url: string; alt: string }[];
}

/** Description as its page shows it: a beginning, and the rest behind a label; an empty rest hides nothing. */
export interface FoldedText {
  lead: string;
  rest: string;
  label: string;
}

/** Number of characters from which a description is folded. */
const LONG_TEXT = 280;
const MAX_LABELS = 4;

/**
 * Splits a description after its first paragraph.
 *
 * @param html sanitised
 */
export function foldText(html: string): FoldedText {
  const [, lead = "", rest = ""] = /^\s*(<p>(?:(?!<\/p>).)*<\/p>)(.*)$/s.exec(html) ?? [];
  const text = plainText(html);
  if (text.length < LONG_TEXT) return { lead: html, rest: "", label: "" };
  if (plainText(rest).trim() === "")
    return { lead: `<p>${beginning(text)}…</p>`, rest: html, label: "The whole description" };
  const words = [...rest.matchAll(/<strong>([^<]{2,30}?):?<\/strong>/g)].map(([, word = ""]) => word);
  const [first, ...others] = words.slice(0, MAX_LABELS);
  const named = first && `More: ${[first, ...others.map((word) => word.toLowerCase())].join(", ")}`;
  return { lead, rest, label: named ?? "More about it" };
}

/** Cuts a text after a word and escapes it for HTML. */
function beginning(text: string): string {
  const cut = text
    .toWellFormed()
    .slice(0, LONG_TEXT / 2)
    .replace(/\s+\S*$/, "");
  return cut.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function productView(row: ProductRow): ProductView {
  const { id, name, priceCents, stock, available, category, colors, hasEngraving } = row;
  const images = row.imageUrls.map((url, i) => ({ url, alt: row.imageAlts[i] ?? name }));
  const descriptionHtml = sanitizeRichText(row.description);
  return {
    id,
    name,
    descriptionHtml,
    priceCents,
    stock,
    available,
    category,
    colors,
    hasEngraving,
    images,
  };
}
