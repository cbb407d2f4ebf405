import { call } from "./shop";

/** Response of an import. */
export interface UploadResult {
  message: string;
  created: number;
  updated: number;
  errors: number;
  errorDetails: { row: number; product: string; error: string }[];
}

/** Sends a file to product/bulk-upload. */
export function sendFile(
  token: string,
  content: BlobPart,
  name = "products.csv",
  choices?: unknown,
): Promise<Response> {
  const form = new FormData();
  form.append("file", new File([content], name));
  if (choices) form.append("choices", JSON.stringify(choices));
  return call("/api/product/bulk-upload", { body: form, token });
}

/** Sends a file to product/bulk-upload and returns the result. */
export async function uploaded(
  token: string,
  content: BlobPart,
  name?: string,
  choices?: unknown,
): Promise<UploadResult> {
  return (await (await sendFile(token, content, name, choices)).json()) as UploadResult;
}

/** Product in the staff's API. */
export interface ApiProduct {
  id: string;
  name: string;
  description: string;
  price: number;
  stock: number;
  category: string;
  colors: string[];
  imageUrls: string[];
}

/** Reads all products by name. */
export async function productsByName(): Promise<Record<string, ApiProduct>> {
  const all = (await (await call("/api/product/all?raw=1&sort=name-asc")).json()) as ApiProduct[];
  return Object.fromEntries(all.map((product) => [product.name, product]));
}
