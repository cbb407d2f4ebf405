/** A product as a row of the back office's list; `image` as stored. */
export interface ProductRowView {
  id: string;
  name: string;
  category: string;
  priceCents: number;
  stock: number;
  colors: string[];
  image: string | null;
}

/** A product as the back office's dialogs show it. */
export interface ProductDetail {
  id: string;
  name: string;
  /** Sanitised. */
  descriptionHtml: string;
  priceCents: number;
  stock: number;
  category: string;
  colors: string[];
  /** As stored. */
  imageUrls: string[];
}
