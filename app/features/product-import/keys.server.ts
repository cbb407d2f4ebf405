import type { Db } from "~/db/client.server";
import { SKU_SYSTEM, type SourceKey } from "./draft";
import type { Entry } from "./merge-rows.server";
import { findByKeys, findStored, findWithoutKey } from "./queries/products.server";
import { resolveBySku } from "./skus.server";

/** System of the keys in a column `id`, in which this shop's own export has the ids of its products. */
const OWN_SYSTEM = "id";

const KEYS_PER_QUERY = 5000;

type KeyedEntry = Entry & { key: SourceKey };

/**
 * Finds the stored products that the file's keys identify. A key that no product has goes to the product with its SKUs, else
 * to the oldest product of the same name, without a key of that system: a first import recognises what was typed by hand.
 */
export async function resolveKeys(db: Db, entries: Entry[]): Promise<void> {
  const keyed = entries.filter((entry): entry is KeyedEntry => entry.key !== undefined);
  for (const [system, ofSystem] of Map.groupBy(keyed, ({ key }) => key.system)) {
    // An SKU may have moved to another product since it was kept as a key.
    if (system === SKU_SYSTEM) await resolveBySku(db, system, ofSystem);
    const taken = new Set(ofSystem.map(({ target }) => target));
    for (const slice of slices(ofSystem.filter(({ target }) => target === null)))
      await resolveByKey(db, system, slice, taken);
    if (system !== SKU_SYSTEM) await resolveBySku(db, system, ofSystem);
    await resolveByName(
      db,
      system,
      ofSystem.filter(({ hasKey }) => !hasKey),
    );
  }
}

async function resolveByKey(
  db: Db,
  system: string,
  entries: KeyedEntry[],
  taken: Set<string | null>,
): Promise<void> {
  const known = await findByKeys(
    db,
    system,
    entries.map(({ key }) => key.value),
  );
  for (const entry of entries) {
    const id = known.get(entry.key.value);
    if (id === undefined || taken.has(id)) continue;
    entry.target = id;
    entry.hasKey = true;
  }
  if (system === OWN_SYSTEM)
    await resolveOwn(
      db,
      entries.filter(({ hasKey }) => !hasKey),
    );
}

/** Finds the products that the shop's own export names by their ids. */
async function resolveOwn(db: Db, entries: KeyedEntry[]): Promise<void> {
  const names = new Map(
    (
      await findStored(
        db,
        entries.map(({ key }) => key.value),
      )
    ).map(({ id, nameKey }) => [id, nameKey]),
  );
  for (const entry of entries) {
    // Another system may number its products alike: both must have the name.
    if (names.get(entry.key.value) === entry.values.key) entry.target = entry.key.value;
  }
}

async function resolveByName(db: Db, system: string, entries: KeyedEntry[]): Promise<void> {
  const byName = Map.groupBy(
    entries.filter(({ target }) => target === null),
    ({ values }) => values.key,
  );
  const taken = new Set(entries.map(({ target }) => target));
  for (const names of slices([...byName.keys()]))
    for (const { id, nameKey } of await findWithoutKey(db, system, names)) {
      const entry = byName.get(nameKey)?.find(({ target }) => target === null);
      if (entry && !taken.has(id)) entry.target = id;
    }
}

function* slices<T>(list: T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += KEYS_PER_QUERY)
    yield list.slice(from, from + KEYS_PER_QUERY);
}
