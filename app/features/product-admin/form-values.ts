import type { ProductField } from "~/features/catalogue/product-fields";
import type { FormFailure } from "~/ui/useCheckedForm";
import type { SubmittedImages } from "./ImageTile";
import type { ProductDetail } from "./list-params";

export function formValues(product: ProductDetail | null) {
  if (!product) return { name: "", description: "", price: "", stock: "0", category: "PHONE_CASE" };
  const { name, descriptionHtml, priceCents, stock, category, hasEngraving } = product;
  return {
    name,
    description: descriptionHtml,
    price: (priceCents / 100).toFixed(2),
    stock: String(stock),
    category,
    ...(hasEngraving && { hasEngraving: "on" }),
  };
}

/** Initial values as the form sends them: a checkbox without a tick sends nothing. */
export function formState(product: ProductDetail | null): Record<ProductField, unknown> {
  return {
    hasEngraving: null,
    ...formValues(product),
    colors: product?.colors ?? [],
    imageUrls: product?.imageUrls ?? [],
  };
}

/** Serialises the initial values for a form without JavaScript; a rejected form keeps its first ones. */
export function openedState(product: ProductDetail, rejection: FormFailure | undefined): string {
  return submittedText(rejection, "was") ?? JSON.stringify(formState(product));
}

/** Reads a list from a rejected form; null without one. */
export function submittedList(rejection: FormFailure | undefined, name: string): string[] | null {
  const submitted = rejection?.lastResult.initialValue;
  if (!submitted) return null;
  const value: unknown = submitted[name];
  return (Array.isArray(value) ? value : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}

/** Reads the checkboxes and numbers of images from a rejected form. */
export function submittedImages(rejection: FormFailure | undefined): SubmittedImages | null {
  const ticked = submittedList(rejection, "imageUrls");
  return ticked && { ticked, positions: submittedList(rejection, "place") ?? [] };
}

export function submittedText(rejection: FormFailure | undefined, name: string): string | undefined {
  const value: unknown = rejection?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the error of a list or of one of its entries. */
export function submittedError(rejection: FormFailure | undefined, name: string): string | undefined {
  const errors = Object.entries(rejection?.lastResult.error ?? {});
  return errors.find(
    ([path]) => path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name)),
  )?.[1]?.[0];
}
