import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProductOption } from "../../app/db/schema";
import { identityKey, sortKey } from "../../app/db/text";
import { CATEGORIES } from "../../app/domain/categories";
import type { Plate } from "../../app/domain/engraving-plate";
import { shortDollars } from "../../app/domain/money";
import { SHUFFLE_RANGE } from "../../app/features/catalogue/queries.server";
import { plainText, sanitizeRichText } from "../../app/features/catalogue/rich-text.server";
import { coloursOf } from "../../app/features/catalogue/units";
import { seededRandom } from "./random";

/** An entry of data/catalogue.json. Prices are in the shop's currency; in texts they stand as `{price:12}`. */
interface DemoProduct {
  slug: string;
  name: string;
  category: string;
  price: number;
  stock: number;
  colors: string[];
  hasEngraving?: boolean;
  /** Name of what `colors` lists, where it is not Colour. */
  optionLabel?: string;
  /** Choices with a stock of their own, and the units that they make. */
  options?: ProductOption[];
  units?: DemoUnit[];
  /** Engraving plates by picture. */
  plates?: Record<string, Plate>;
  descriptionHtml: string;
  pictures: string[];
  alt: string[];
}

interface DemoUnit {
  values: string[];
  stock: number;
  /** Own price, in the shop's currency. */
  price?: number;
  picture?: string;
}

/** Creation time of the newest demo product: 2026-10-01T12:00:00Z. */
const NEWEST = 1_790_856_000;

/** Reads the demo catalogue, with its prices in texts as the shop writes them. */
async function readCatalogue(dataDir: string): Promise<DemoProduct[]> {
  const text = await readFile(join(dataDir, "catalogue.json"), "utf8");
  return JSON.parse(text.replace(/\{price:(\d+)\}/g, (_, price) => shortDollars(Number(price) * 100)));
}

/** Stores one of the demo's pictures in R2. */
export async function storePicture(env: Env, dataDir: string, picture: string): Promise<void> {
  const bytes = await readFile(join(dataDir, "pictures", picture));
  await env.BUCKET.put(`products/${picture}`, bytes, { httpMetadata: { contentType: "image/webp" } });
}

/**
 * Stores the demo catalogue: images in R2, products in D1.
 *
 * @param env local bindings
 * @param dataDir folder with catalogue.json and pictures/
 */
export async function seedCatalogue(env: Env, dataDir: string): Promise<void> {
  const catalogue = await readCatalogue(dataDir);
  for (const picture of catalogue.flatMap((product) => product.pictures))
    await storePicture(env, dataDir, picture);
  const random = seededRandom(76);
  const rows = interleaved(catalogue).map((product, position) => ({
    id: product.slug,
    name: product.name,
    name_key: identityKey(product.name),
    sort_key: sortKey(product.name),
    description: sanitizeRichText(product.descriptionHtml),
    search_text: plainText(product.descriptionHtml),
    price_cents: Math.round(product.price * 100),
    stock: product.units ? 0 : product.stock,
    options: JSON.stringify(product.options ?? []),
    category: product.category,
    colors: JSON.stringify(product.options ? coloursOf(product.options) : product.colors),
    has_engraving: product.hasEngraving ? 1 : 0,
    image_urls: JSON.stringify(product.pictures.map((picture) => `minio:products/${picture}`)),
    image_alts: JSON.stringify(product.alt),
    option_label: product.options ? "" : (product.optionLabel ?? ""),
    plates: JSON.stringify(
      Object.fromEntries(
        Object.entries(product.plates ?? {}).map(([picture, plate]) => [`minio:products/${picture}`, plate]),
      ),
    ),
    shuffle: Math.floor(random() * SHUFFLE_RANGE),
    created_at: NEWEST - position * 86_400,
    updated_at: NEWEST - position * 86_400,
  }));
  const columns = Object.keys(rows[0] ?? {});
  await env.DB.prepare(
    `INSERT INTO products (${columns.join(", ")})
     SELECT ${columns.map((name) => `value ->> '${name}'`).join(", ")} FROM json_each(?)`,
  )
    .bind(JSON.stringify(rows))
    .run();
  await seedUnits(env, interleaved(catalogue));
}

/** Stores the units of products with options, and gives all units a SKU and a barcode. */
async function seedUnits(env: Env, catalogue: DemoProduct[]): Promise<void> {
  const units = catalogue.flatMap(({ slug, units: chosen = [] }) =>
    chosen.map(({ values, stock, price, picture }, position) => ({
      id: `${slug}-${position + 1}`,
      product_id: slug,
      position,
      option_values: JSON.stringify(values),
      price_cents: price === undefined ? null : Math.round(price * 100),
      image: picture === undefined ? "" : `minio:products/${picture}`,
      stock,
      stock_change: JSON.stringify({ id: `${slug}-${position + 1}`, reason: "opening", actor: "" }),
      updated_at: NEWEST,
    })),
  );
  const columns = Object.keys(units[0] ?? {});
  const priced = catalogue.filter((product) => product.units?.some(({ price }) => price !== undefined));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO units (${columns.join(", ")})
       SELECT ${columns.map((name) => `value ->> '${name}'`).join(", ")} FROM json_each(?)`,
    ).bind(JSON.stringify(units)),
    env.DB.prepare(
      `UPDATE products SET base_cents = price_cents WHERE id IN (SELECT value FROM json_each(?))`,
    ).bind(JSON.stringify(priced.map(({ slug }) => slug))),
    env.DB.prepare(`UPDATE units SET sku = upper(v.value ->> 'sku'), barcode = v.value ->> 'barcode' FROM json_each(?) AS v
      WHERE units.id = v.value ->> 'id'`).bind(JSON.stringify(codesOf(catalogue))),
  ]);
}

/** Makes the codes of all units: barcodes of the range that shops may give themselves. */
const codesOf = (catalogue: DemoProduct[]) =>
  catalogue
    .flatMap(({ slug, units: chosen }) => chosen?.map((_, i) => `${slug}-${i + 1}`) ?? [slug])
    .map((id, i) => ({ id, sku: id, barcode: ean13(`20${String(i + 1).padStart(10, "0")}`) }));

/** Appends the check digit of an EAN-13. @param digits the first twelve */
function ean13(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** Orders products by category in turn, so that the first page shows every category. */
function interleaved(catalogue: DemoProduct[]): DemoProduct[] {
  const position = new Map<DemoProduct, number>();
  for (const category of CATEGORIES) {
    const products = catalogue.filter((product) => product.category === category);
    for (const [i, product] of products.entries())
      position.set(product, i * CATEGORIES.length + CATEGORIES.indexOf(category));
  }
  return [...catalogue].sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
}
