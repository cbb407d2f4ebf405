import type { Db } from "~/db/client.server";
import type { Entry } from "./merge-rows.server";
import { findByNames, findStored, type StoredProduct } from "./queries/products.server";

/** Finds the stored products of entries. @returns finds that of an entry among them */
export async function storedProducts(
  db: Db,
  entries: Entry[],
): Promise<(entry: Entry) => StoredProduct | undefined> {
  const names = entries.filter(({ key }) => !key).map(({ values }) => values.key);
  const ids = entries.flatMap(({ target }) => target ?? []);
  const byName = Map.groupBy(names.length > 0 ? await findByNames(db, names) : [], (row) => row.nameKey);
  const byId = new Map((ids.length > 0 ? await findStored(db, ids) : []).map((row) => [row.id, row]));
  return ({ key, target, values, nth }) => (key ? byId.get(target ?? "") : byName.get(values.key)?.[nth]);
}
