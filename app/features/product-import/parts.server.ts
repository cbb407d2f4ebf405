import type { Db } from "~/db/client.server";
import { dollars } from "~/domain/money";
import { MAX_LIST_LENGTH } from "~/records/fields";
import type { Entry, MergedRows } from "./merge-rows.server";
import { findStored, type StoredProduct } from "./queries/products.server";

/**
 * Completes the products that a file knows by their keys alone: their names, pictures and prices are those that are stored.
 * Those that no product has, and variants whose price would not be above 0, are rejected.
 */
export async function completeParts(db: Db, merged: MergedRows): Promise<void> {
  const parts = merged.entries.filter(({ rows }) => rows.some(({ draft }) => draft.isPart));
  if (parts.length === 0) return;
  const ids = parts.flatMap(({ target }) => target ?? []);
  const stored = new Map((await findStored(db, ids)).map((product) => [product.id, product]));
  const lost = new Set<Entry>();
  for (const entry of parts) {
    const product = stored.get(entry.target ?? "");
    const error = product ? completePart(entry, product) : notStored(entry);
    if (!error) continue;
    lost.add(entry);
    merged.rejected.push(...entry.rows.map(({ draft }) => ({ draft, error })));
  }
  if (lost.size > 0) merged.entries = merged.entries.filter((entry) => !lost.has(entry));
}

const notStored = ({ key }: Entry) =>
  `No product has the ${key?.title ?? "key"} ${key?.value ?? ""}. Upload the list of products first`;

/** Takes over what is stored of a product. @returns the error of a price; null for none */
function completePart(entry: Entry, { name, nameKey, priceCents, imageUrls }: StoredProduct): string | null {
  const { units } = entry.values;
  const priced = units?.units.map((unit) => ({ ...unit, cents: priceCents + (unit.surchargeCents ?? 0) }));
  const low = priced?.find(({ cents }) => cents <= 0);
  if (low)
    return `${low.values.join(" / ")} would cost ${dollars(low.cents)}: its price is ${dollars(priceCents)}`;
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
