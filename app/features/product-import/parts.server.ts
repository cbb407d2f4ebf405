import type { Db } from "~/db/client.server";
import { dollars } from "~/domain/money";
import { MAX_LIST_LENGTH } from "~/records/fields";
import type { Entry, MergedRows } from "./merge-rows.server";
import { findNamed, type NamedProduct } from "./queries/products.server";

const IDS_PER_QUERY = 500;

/**
 * Completes the products that a file knows by their keys alone: their names, pictures and prices are those that are stored.
 * Keys that no product has, a second key of one product, and variants whose price would not be above 0 are rejected.
 */
export async function completeParts(db: Db, merged: MergedRows): Promise<void> {
  const parts = merged.entries.filter(({ rows }) => rows.some(({ draft }) => draft.isPart));
  const named = new Map<string, Entry>();
  const lost = new Set<Entry>();
  for (let from = 0; from < parts.length; from += IDS_PER_QUERY) {
    const slice = parts.slice(from, from + IDS_PER_QUERY);
    const ids = slice.flatMap(({ target }) => target ?? []);
    const stored = new Map((await findNamed(db, ids)).map((product) => [product.id, product]));
    for (const entry of slice) {
      const error = errorOf(entry, stored.get(entry.target ?? ""), named);
      if (error === null) continue;
      lost.add(entry);
      merged.rejected.push(...entry.rows.map(({ draft }) => ({ draft, error })));
    }
  }
  if (lost.size > 0) merged.entries = merged.entries.filter((entry) => !lost.has(entry));
}

/** Completes a part. @param named the first part of each product, by its id @returns the error of its rows; null for none */
function errorOf(entry: Entry, product: NamedProduct | undefined, named: Map<string, Entry>): string | null {
  if (!product) return notStored(entry);
  const earlier = named.get(product.id);
  if (earlier) return alreadyNamed(earlier);
  named.set(product.id, entry);
  return completePart(entry, product);
}

const notStored = ({ key }: Entry) =>
  `No product has the ${key?.title ?? "key"} ${key?.value ?? ""}. Upload the list of products first`;

const alreadyNamed = ({ key, rows }: Entry) =>
  `Row ${rows[0]?.draft.row ?? ""} names the same product by its ${key?.title ?? "key"}. Name it alike in all rows`;

/** Takes over what is stored of a product. @returns the error of a price; null for none */
function completePart(entry: Entry, { name, nameKey, priceCents, imageUrls }: NamedProduct): string | null {
  const { units } = entry.values;
  const priced = units?.units.map((unit) => ({
    ...unit,
    cents: typeof unit.surchargeCents === "number" ? priceCents + unit.surchargeCents : null,
  }));
  for (const { cents, values } of priced ?? [])
    if (cents !== null && cents <= 0)
      return `${values.join(" / ")} would cost ${dollars(cents)}: its price is ${dollars(priceCents)}`;
  const pictures =
    entry.values.imageUrls &&
    [...new Set([...imageUrls, ...entry.values.imageUrls])].slice(0, MAX_LIST_LENGTH);
  const own = { name, key: nameKey, imageUrls: pictures };
  entry.values = { ...entry.values, ...own, units: units && { ...units, units: priced ?? [] } };
  for (const row of entry.rows) {
    row.values = { ...row.values, ...own };
    row.draft.name = name;
  }
  return null;
}
