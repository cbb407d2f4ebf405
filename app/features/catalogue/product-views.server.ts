import { imageUrl } from "~/features/storage/image-entries";
import { timestamp } from "~/http/fields";
import type { ProductField } from "./product-fields";
import type { ProductRow } from "./queries.server";
import { sanitizeRichText } from "./rich-text.server";

/** A product as the API answers it (spec 3; contract: Routes). */
export interface ApiProduct extends Record<ProductField, unknown> {
  id: string;
  productId: string;
  name: string;
  description: string;
  /** Dollars. */
  price: number;
  stock: number;
  category: string;
  colors: string[];
  imageUrls: string[];
  createdAt: { seconds: number; nanoseconds: number };
}

/**
 * @param row as stored
 * @param raw keep `minio:{key}` entries as they are; otherwise they become addresses
 */
export function apiProduct(row: ProductRow, raw: boolean): ApiProduct {
  return {
    id: row.id,
    productId: row.id,
    name: row.name,
    description: sanitizeRichText(row.description),
    price: row.priceCents / 100,
    stock: row.stock,
    category: row.category,
    colors: row.colors,
    imageUrls: raw ? row.imageUrls : row.imageUrls.map((entry) => imageUrl(entry)),
    createdAt: timestamp(row.createdAt),
  };
}

/** A product as its page shows it. */
export interface ProductView {
  id: string;
  name: string;
  descriptionHtml: string;
  priceCents: number;
  stock: number;
  category: string;
  colors: string[];
  /** As stored (`minio:{key}` or an address), with what each shows. */
  images: { url: string; alt: string }[];
}

/** @param row as stored */
export function productView(row: ProductRow): ProductView {
  const { id, name, priceCents, stock, category, colors } = row;
  const images = row.imageUrls.map((url, i) => ({ url, alt: row.imageAlts[i] ?? name }));
  return {
    id,
    name,
    descriptionHtml: sanitizeRichText(row.description),
    priceCents,
    stock,
    category,
    colors,
    images,
  };
}
