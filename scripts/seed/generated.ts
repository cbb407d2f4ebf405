import { sortKey } from "../../app/db/text";
import { CATEGORIES } from "../../app/domain/categories";
import { SHUFFLE_RANGE } from "../../app/features/catalogue/queries.server";
import { LOOKS, MADE_OF, MAKERS, maker, THINGS, USES } from "./generated-texts";
import { seededRandom } from "./random";

/** Rows of one INSERT: about 700 kB of JSON, below D1's 2 MB for a bound value. */
const ROWS_A_STATEMENT = 1000;
/** Products of one transaction that writes units. */
const UNITS_A_STATEMENT = 500;
/** 2026-09-01T12:00:00Z: creation time of the newest generated product. */
const NEWEST = 1_788_264_000;
const COLOURS = ["Black", "White", "Red", "Blue", "Green", "Grey", "Sand", "Plum"];

/**
 * Creates the product of a number, reproducibly. As in real shops, there are few product types, many variants and an
 * uneven distribution of brands.
 *
 * @param number from 0; the newest product is 0
 * @returns a row of the table `products`
 */
export function generatedProduct(number: number) {
  const random = seededRandom(number * 7919 + 17);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T;
  const categoryIndex = Math.floor(random() * CATEGORIES.length);
  const [look, stuff, thing, use] = [
    pick(LOOKS),
    pick(MADE_OF),
    pick(THINGS[categoryIndex] ?? []),
    pick(USES),
  ];
  const by = maker(Math.floor(random() ** 2 * MAKERS));
  const name = `${capital(look)} ${stuff} ${thing} by ${by} ${1000 + (number % 9000)}`;
  const text = `${article(look)} ${look} ${thing} of ${stuff} for the ${use}. ${capital(pick(LOOKS))}, ${pick(LOOKS)} and made to last; it goes well with ${pick(MADE_OF)} and with any ${pick(USES)}.`;
  const added = NEWEST - number * 60;
  return {
    id: `${look}-${stuff}-${thing}-${number.toString(36)}`,
    name,
    name_key: name.toLowerCase(),
    sort_key: sortKey(name),
    description: `<p>${text}</p>`,
    search_text: text,
    price_cents: 99 + Math.floor(random() ** 3 * 400) * 100,
    stock: Math.max(0, Math.floor(random() * 60) - 5),
    category: CATEGORIES[categoryIndex] ?? "OTHERS",
    colors: JSON.stringify(random() < 0.5 ? [pick(COLOURS)] : []),
    image_urls: JSON.stringify([`minio:products/generated-${number % 50}-1.webp`]),
    image_alts: JSON.stringify([`${capital(look)} ${thing}`]),
    shuffle: Math.floor(random() * SHUFFLE_RANGE),
    created_at: added,
    updated_at: added,
  };
}

const SIZES = ["S", "M", "L", "XL", "XXL"];

/**
 * Gives every second generated product five sizes, two of them with their own price, with SKUs and barcodes.
 *
 * @param database D1 with the generated products
 * @param from number of the first product, and after the last one
 */
export async function generateUnits(database: D1Database, from: number, to: number): Promise<void> {
  const options = JSON.stringify([{ name: "Size", values: SIZES }]);
  const change =
    "json_object('id', lower(hex(randomblob(12))), 'reason', 'adjustment', 'actor', 'Generator')";
  const divided = "(SELECT value FROM json_each(?))";
  const statements = [
    `UPDATE units SET stock = 0, stock_change = ${change} WHERE product_id IN ${divided} AND stock > 0`,
    `DELETE FROM units WHERE product_id IN ${divided}`,
    `UPDATE products SET options = '${options}', colors = '[]' WHERE id IN ${divided}`,
    `INSERT INTO units (id, product_id, position, option_values, sku, barcode, price_cents, stock, stock_change, updated_at)
      SELECT p.id || '-' || lower(v.value), p.id, v.key, json_array(v.value), 'G-' || p.row || '-' || v.value,
        printf('2%012d', p.row * 10 + v.key), iif(v.key > 2, p.price_cents + 500, NULL), (p.row * 7 + v.key * 5) % 12, ${change}, p.updated_at
      FROM products AS p CROSS JOIN json_each('${JSON.stringify(SIZES)}') AS v WHERE p.id IN ${divided}`,
    `UPDATE products SET base_cents = price_cents WHERE id IN ${divided}`,
  ];
  for (let first = from; first < to; first += UNITS_A_STATEMENT) {
    const length = Math.min(UNITS_A_STATEMENT, to - first);
    const numbers = Array.from({ length }, (_, i) => first + i).filter((number) => number % 2 === 0);
    const ids = JSON.stringify(numbers.map((number) => generatedProduct(number).id));
    await database.batch(statements.map((sql) => database.prepare(sql).bind(ids)));
  }
}

/**
 * Fills a database with generated products.
 *
 * @param database migrated D1
 * @param from number of the first product; those before it may be there already
 * @param to number after the last product
 */
export async function generateProducts(database: D1Database, from: number, to: number): Promise<void> {
  const columns = Object.keys(generatedProduct(0));
  const places = columns.map((name) => `value ->> '${name}'`).join(", ");
  const insert = database.prepare(
    `INSERT INTO products (${columns.join(", ")}) SELECT ${places} FROM json_each(?)`,
  );
  for (let first = from; first < to; first += ROWS_A_STATEMENT) {
    const length = Math.min(ROWS_A_STATEMENT, to - first);
    const rows = Array.from({ length }, (_, i) => generatedProduct(first + i));
    await insert.bind(JSON.stringify(rows)).run();
  }
}

function article(before: string): string {
  return /^[aeio]/.test(before) ? "An" : "A";
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
