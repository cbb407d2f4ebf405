import type { Db } from "~/db/client.server";
import type { SourceKey } from "./draft";
import { findByKeys, findWithoutKey } from "./queries/products.server";
import type { Entry } from "./read-rows.server";

const KEYS_PER_QUERY = 5000;

type KeyedEntry = Entry & { key: SourceKey };

/**
 * Finds the stored products that the file's keys identify. A key that no product has goes to the oldest product of the
 * same name without a key of that system, so that a first import recognises what was typed by hand.
 */
export async function resolveKeys(db: Db, entries: Entry[]): Promise<void> {
  const keyed = entries.filter((entry): entry is KeyedEntry => entry.key !== undefined);
  for (const [system, ofSystem] of Map.groupBy(keyed, ({ key }) => key.system)) {
    for (const slice of slices(ofSystem)) await resolveByKey(db, system, slice);
    await resolveByName(
      db,
      system,
      ofSystem.filter(({ hasKey }) => !hasKey),
    );
  }
}

async function resolveByKey(db: Db, system: string, entries: KeyedEntry[]): Promise<void> {
  const known = await findByKeys(
    db,
    system,
    entries.map(({ key }) => key.value),
  );
  for (const entry of entries) {
    entry.target = known.get(entry.key.value) ?? null;
    entry.hasKey = entry.target !== null;
  }
}

async function resolveByName(db: Db, system: string, entries: KeyedEntry[]): Promise<void> {
  const byName = Map.groupBy(entries, ({ values }) => values.key);
  for (const names of slices([...byName.keys()]))
    for (const { id, nameKey } of await findWithoutKey(db, system, names)) {
      const entry = byName.get(nameKey)?.find(({ target }) => target === null);
      if (entry) entry.target = id;
    }
}

function* slices<T>(list: T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += KEYS_PER_QUERY)
    yield list.slice(from, from + KEYS_PER_QUERY);
}
