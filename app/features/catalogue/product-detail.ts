import type { Category } from "./categories";

/** A product as its page shows it. */
export interface ProductDetail {
  id: string;
  name: string;
  /** Sanitised. */
  descriptionHtml: string;
  priceCents: number;
  stock: number;
  category: Category;
  colors: string[];
  /** `url` as stored. */
  images: { url: string; alt: string }[];
}
