import type { Db } from "~/db/client.server";
import { SKU_SYSTEM, type SourceKey, sourceKeyOf } from "./draft";
import type { Entry } from "./merge-rows.server";
import { findBySkus, type SkuHit } from "./queries/products.server";
import type { ReadRow, RowValues } from "./read-rows.server";

const SKUS_PER_QUERY = 5000;

type ValidRow = Extract<ReadRow, { values: RowValues }>;

const skuKey = (sku: string): SourceKey | undefined => sourceKeyOf("SKU", SKU_SYSTEM, sku);

/**
 * Gives rows their SKU as a key, in a file that has no other, where it is that of one stored product without options. Rows of
 * one name have such SKUs all, or keep their name; so do rows for whose product another row has the name.
 */
export async function keyBySku(db: Db, rows: ReadRow[]): Promise<void> {
  if (rows.some(({ draft }) => draft.key)) return;
  const valid = rows.filter((row): row is ValidRow => "values" in row && !row.draft.skip);
  const found = await productsOfSkus(
    db,
    valid.flatMap(({ values }) => values.sku ?? []),
  );
  if (found.size === 0) return;
  const named = Map.groupBy(valid, ({ values }) => values.key);
  const keyed = new Map([...named].filter(([, group]) => group.every((row) => isFound(row, found))));
  leaveSharedSkus(keyed);
  leaveNamedProducts(keyed, named, found);
  for (const group of keyed.values())
    for (const { draft, values } of group) draft.key = skuKey(values.sku ?? "");
  for (const { draft, values } of valid) noteChoice(draft, found.get(values.sku ?? ""));
}

/** Notes an SKU that a choice of a product has: the row, which names no choice, is not about it. */
function noteChoice(draft: ValidRow["draft"], hit: SkuHit | undefined): void {
  if (hit?.isDivided && !draft.key)
    draft.notes.push(`A choice of “${hit.name}” has the SKU ${hit.sku} already`);
}

const isFound = ({ values: { sku, units } }: ValidRow, found: Map<string, SkuHit>) =>
  units === null && sku !== null && found.get(sku)?.isDivided === false;

/** Takes out the rows of different names that have one SKU. */
function leaveSharedSkus(keyed: Map<string, ValidRow[]>): void {
  const bySku = Map.groupBy([...keyed.values()].flat(), ({ values }) => skuKey(values.sku ?? "")?.value);
  for (const rows of bySku.values()) {
    const names = new Set(rows.map(({ values }) => values.key));
    if (names.size > 1) for (const name of names) keyed.delete(name);
  }
}

/** Takes out the rows whose product has the name of rows that are not recognised by an SKU. */
function leaveNamedProducts(
  keyed: Map<string, ValidRow[]>,
  named: Map<string, ValidRow[]>,
  found: Map<string, SkuHit>,
): void {
  const isOthers = ({ values }: ValidRow) => {
    const name = found.get(values.sku ?? "")?.nameKey ?? "";
    return named.has(name) && !keyed.has(name);
  };
  for (;;) {
    const left = [...keyed].filter(([, group]) => group.some(isOthers));
    if (left.length === 0) return;
    for (const [name] of left) keyed.delete(name);
  }
}

/**
 * Finds the stored products of entries by the SKUs of their units, where all that are stored are of one product.
 *
 * @param system of the entries' keys; a product that has another key of it is none of theirs
 */
export async function resolveBySku(db: Db, system: string, entries: Entry[]): Promise<void> {
  const open = entries.filter(({ target }) => target === null);
  const found = await productsOfSkus(db, open.flatMap(skusOf), system === SKU_SYSTEM ? undefined : system);
  const taken = new Set(entries.map(({ target }) => target));
  for (const entry of open) {
    const [id, ...others] = new Set(skusOf(entry).flatMap((sku) => found.get(sku)?.id ?? []));
    if (id === undefined || others.length > 0 || taken.has(id)) continue;
    taken.add(id);
    entry.target = id;
    entry.hasSku = true;
  }
}

function skusOf({ key, rows, values: { sku, units } }: Entry): string[] {
  const ofUnits = units ? units.units.flatMap((unit) => unit.sku ?? []) : sku ? [sku] : [];
  const isPart = rows.some(({ draft }) => draft.isPart);
  return isPart && key?.system === SKU_SYSTEM ? [key.value, ...ofUnits] : ofUnits;
}

async function productsOfSkus(db: Db, skus: string[], system?: string): Promise<Map<string, SkuHit>> {
  const found = new Map<string, SkuHit>();
  for (let from = 0; from < skus.length; from += SKUS_PER_QUERY)
    for (const hit of await findBySkus(db, skus.slice(from, from + SKUS_PER_QUERY), system))
      found.set(hit.sku, hit);
  return found;
}
