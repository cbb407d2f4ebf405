import { openDb } from "~/db/client.server";
import { deletePageChanges, findPageChanges } from "./page-changes.queries.server";
import { categoryTag, LISTS_TAG, productTag, SHOP_TAG } from "./page-tags";

/** Changes whose pages are purged one by one: with the tags of their lists fewer than the 100 that a purge may name. */
const MAX_CHANGES = 80;

/**
 * Purges the pages that no longer show what is stored (docs/decisions/0067-shared-cache.md). A purge that fails leaves the
 * changes to the next one.
 *
 * @param purge removes the pages with one of the tags; false when it has failed
 */
export async function purgeChangedPages(
  env: Pick<Env, "DB">,
  purge: (tags: string[]) => Promise<boolean>,
): Promise<void> {
  const { db } = openDb(env.DB);
  const changes = await findPageChanges(db, MAX_CHANGES + 1);
  const [first] = changes;
  if (first && (await purge(tagsOf(changes)))) await deletePageChanges(db, first.newest);
}

/** Lists the tags of the pages that changes reach. */
function tagsOf(changes: Awaited<ReturnType<typeof findPageChanges>>): string[] {
  if (changes.length > MAX_CHANGES || changes.some(({ isEverywhere }) => isEverywhere)) return [SHOP_TAG];
  const tags = changes.flatMap(({ productId, category }) => [productTag(productId), categoryTag(category)]);
  return [...new Set([...tags, LISTS_TAG])];
}
