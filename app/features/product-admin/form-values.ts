import type { ProductField } from "~/features/catalogue/product-fields";
import type { FormFailure } from "~/ui/useCheckedForm";
import type { SubmittedImages } from "./ImageTile";
import type { ProductDetail } from "./views";

/** What the product's form begins with: what is stored, or what was sent with a form that was refused. */

/** What is typed. */
export function formValues(product: ProductDetail | null) {
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
export function formState(product: ProductDetail | null): Record<ProductField, unknown> {
  return { ...formValues(product), colors: product?.colors ?? [], imageUrls: product?.imageUrls ?? [] };
}

/** The same for a form that is sent without a script; one that was refused has begun with what it first held. */
export function openedState(product: ProductDetail, refused: FormFailure | undefined): string {
  return submittedText(refused, "was") ?? JSON.stringify(formState(product));
}

/** A list as it was sent with a form that was refused; null where none was. */
export function submittedList(refused: FormFailure | undefined, name: string): string[] | null {
  const sent = refused?.lastResult.initialValue;
  if (!sent) return null;
  const value: unknown = sent[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}

/** The boxes and numbers of images, the same way. */
export function submittedImages(refused: FormFailure | undefined): SubmittedImages | null {
  const ticked = submittedList(refused, "imageUrls");
  return ticked && { ticked, places: submittedList(refused, "place") ?? [] };
}

/** A line as it was sent with a form that was refused. */
export function submittedText(refused: FormFailure | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** What was wrong with a list, or with one of its entries. */
export function submittedError(refused: FormFailure | undefined, name: string): string | undefined {
  const errors = Object.entries(refused?.lastResult.error ?? {});
  return errors.find(
    ([path]) => path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name)),
  )?.[1]?.[0];
}
