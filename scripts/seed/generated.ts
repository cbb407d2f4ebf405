import { sortKey } from "../../app/db/text";
import { CATEGORIES } from "../../app/domain/categories";
import { SHUFFLE_RANGE } from "../../app/features/catalogue/queries.server";
import { LOOKS, MADE_OF, MAKERS, maker, THINGS, USES } from "./generated-texts";
import { seededRandom } from "./random";

/** Rows of one INSERT: about 700 kB of JSON, below D1's 2 MB for a bound value. */
const ROWS_A_STATEMENT = 1000;
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
