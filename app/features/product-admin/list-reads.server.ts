import type { ListReads } from "~/db/lists";
import { identityKey } from "~/db/text";
import type { Category } from "~/domain/categories";
import { countProducts, PRODUCT_LIST } from "~/features/catalogue/queries.server";
import { NO_FILTER } from "~/features/catalogue/schema";
import { countFound } from "~/features/catalogue/search.queries.server";
import { planSearch } from "~/features/catalogue/search-lookup.queries.server";
import { findByCode } from "~/features/catalogue/units.queries.server";
import type { StaffContext } from "~/http/operation.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import type { ProductRowView, ProductSort } from "./list-params";
import {
  countByCode,
  countByNamePart,
  productRows,
  rowsByCode,
  rowsByNamePart,
  rowsBySearch,
} from "./queries.server";

/** Minimum length of a text that matches anywhere in names. */
const MIN_INFIX_LENGTH = 3;

/**
 * Chooses how a list of products is read. A search finds codes of units; without any, names that contain its text; without any,
 * its words anywhere and with typos.
 */
export async function productReads(
  { db }: StaffContext,
  params: ListParams,
): Promise<ListReads<ProductRowView>> {
  const { q, filters } = params;
  const category = (filters.category ?? null) as Category | null;
  const list = { category, sort: params.sort as ProductSort };
  if (!q)
    return PRODUCT_LIST.reads(db, productRows(list), async () => ({
      total: await countProducts(db, category),
    }));
  const found = await findByCode(db, q);
  if (found)
    return PRODUCT_LIST.reads(db, rowsByCode(found, list), async () => ({
      total: await countByCode(db, found, list),
    }));
  const text = identityKey(q);
  if (Array.from(text).length >= MIN_INFIX_LENGTH) {
    const total = await countByNamePart(db, text, list);
    if (total > 0) return PRODUCT_LIST.reads(db, rowsByNamePart(text, list), async () => ({ total }));
  }
  const plan = (await planSearch(db, q, { insideWords: true }))?.plan;
  if (!plan) return { rows: async () => [], matches: async () => ({ total: 0 }) };
  return PRODUCT_LIST.reads(db, rowsBySearch(plan, list), () =>
    countFound(db, [plan], { ...NO_FILTER, category }, "all"),
  );
}
