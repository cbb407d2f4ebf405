import type { ProductField } from "~/features/catalogue/product-fields";
import type { Refused } from "~/ui/refused";
import type { SentBoxes } from "./ImageTile";
import type { ProductDetail } from "./views";

/** What the product's form begins with: what is stored, or what was sent with a form that was refused. */

/** What is typed. */
export function valuesOf(product: ProductDetail | null) {
  if (!product) return { name: "", description: "", price: "", stock: "0", category: "PHONE_CASE" };
  const { name, descriptionHtml, priceCents, stock, category } = product;
  return {
    name,
    description: descriptionHtml,
    price: (priceCents / 100).toFixed(2),
    stock: String(stock),
    category,
  };
}

/** All that the form holds of a product before anybody changes it. */
export function formOf(product: ProductDetail | null): Record<ProductField, unknown> {
  return { ...valuesOf(product), colors: product?.colors ?? [], imageUrls: product?.imageUrls ?? [] };
}

/** The same for a form that is sent without a script; one that was refused has begun with what it first held. */
export function wasOf(product: ProductDetail, refused: Refused | undefined): string {
  return typedText(refused, "was") ?? JSON.stringify(formOf(product));
}

/** A list as it was sent with a form that was refused; null where none was. */
export function sentList(refused: Refused | undefined, name: string): string[] | null {
  const sent = refused?.lastResult.initialValue;
  if (!sent) return null;
  const value: unknown = sent[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}

/** The boxes and numbers of images, the same way. */
export function sentBoxes(refused: Refused | undefined): SentBoxes | null {
  const ticked = sentList(refused, "imageUrls");
  return ticked && { ticked, places: sentList(refused, "place") ?? [] };
}

/** A line as it was sent with a form that was refused. */
export function typedText(refused: Refused | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** What was wrong with a list, or with one of its entries. */
export function sentError(refused: Refused | undefined, name: string): string | undefined {
  const errors = Object.entries(refused?.lastResult.error ?? {});
  return errors.find(
    ([path]) => path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name)),
  )?.[1]?.[0];
}
