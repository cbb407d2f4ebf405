import { call } from "./shop";

/** Answer of POST product/bulk-upload. */
export interface ImportResult {
  message: string;
  runId: string;
  created: number;
  updated: number;
  errors: number;
  errorDetails: { row: number; product: string; error: string }[];
  /** Absent without notes. */
  notes?: { row: number; product: string; note: string }[];
}

/** File to send, or the import run of a file that was sent before. */
type Source = { content: BlobPart; name?: string | undefined } | { run: string };

interface SendOptions {
  choices?: unknown;
  headers?: Record<string, string>;
}

function send(
  path: string,
  token: string,
  source: Source,
  { choices, headers = {} }: SendOptions,
): Promise<Response> {
  const form = new FormData();
  if ("run" in source) form.append("run", source.run);
  else form.append("file", new File([source.content], source.name ?? "products.csv"));
  if (choices) form.append("choices", JSON.stringify(choices));
  return call(path, { body: form, token, headers });
}

/** Fields that tests read in the plan of an import. */
export interface PlanAnswer {
  run: string;
  rows: Record<string, unknown>[];
  [key: string]: unknown;
}

export const requestPlan = (token: string, source: Source, choices?: unknown): Promise<Response> =>
  send("/admin/products-management/plan", token, source, { choices });

/** Plans the import of a CSV file. @returns the plan */
export async function planFile(token: string, content: string, choices?: unknown): Promise<PlanAnswer> {
  return (await requestPlan(token, { content, name: "a.csv" }, choices)).json();
}

/** Requests the rows that a plan would reject. */
export const requestRejectedRows = (token: string, source: Source): Promise<Response> =>
  send("/admin/products-management/rejected", token, source, {});

/** Imports a file, or the file of a planned run. */
export const commit = (token: string, source: Source, options: SendOptions = {}): Promise<Response> =>
  send("/api/product/bulk-upload", token, source, options);

/** Imports a file. @returns the result */
export async function importFile(
  token: string,
  content: BlobPart,
  { name, choices }: { name?: string; choices?: unknown } = {},
): Promise<ImportResult> {
  return (await commit(token, { content, name }, { choices })).json();
}

/** Product in answers of the API. */
export interface ListedProduct {
  id: string;
  name: string;
  description: string;
  price: number;
  stock: number;
  category: string;
  colors: string[];
  imageUrls: string[];
}

/** Reads all products, keyed by name. */
export async function productsByName(): Promise<Record<string, ListedProduct>> {
  const all: ListedProduct[] = await (await call("/api/product/all?raw=1&sort=name-asc")).json();
  return Object.fromEntries(all.map((product) => [product.name, product]));
}

interface ImportedUnit {
  id: string;
  options: Record<string, string>;
  price: number;
  stock: number;
  sku: string;
  barcode: string;
  image: string;
}

/** Reads the units of a product, by its name. */
export async function unitsByName(token: string, name: string): Promise<ImportedUnit[]> {
  const id = (await productsByName())[name]?.id ?? "";
  const answer = await call(`/api/product/id/${id}?raw=1`, { token });
  return (await answer.json<{ units: ImportedUnit[] }>()).units;
}

/** Lists the units of a product, each as its choice, price, stock and SKU. */
export const listedUnits = async (token: string, name: string) =>
  (await unitsByName(token, name)).map(({ options, price, stock, sku }) => [
    Object.values(options).join(" / "),
    price,
    stock,
    sku,
  ]);

/** Writes a file of one product, by the choice, the price, the stock and the SKU of each row. */
export const shirts = (...variants: string[]) =>
  `Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Inventory Qty,Variant SKU\n${variants
    .map((each, at) => `shirt,${at === 0 ? "Shirt,Size" : ","},${each}`)
    .join("\n")}\n`;
