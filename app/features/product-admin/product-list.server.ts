import type { Category } from "~/features/catalogue/categories";
import { nameKey } from "~/features/catalogue/product-schema";
import { countFound, countProducts, findProduct } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { planSearch } from "~/features/catalogue/search.queries.server";
import type { StaffContext } from "~/http/operation.server";
import { type ListParams, type ProductSort, pageCount } from "./list-params";
import {
  countByNamePart,
  findByNamePart,
  findProductRows,
  type ProductListQuery,
  searchProductRows,
} from "./queries.server";
import type { ProductDetail, ProductRowView } from "./views";

/** A page of the list of products. */
export interface ProductListPage {
  rows: ProductRowView[];
  total: number;
  /** The page that was read: the last one where an address asks for a later one. */
  page: number;
}

/** Characters from which on a text is looked for anywhere in names. */
const ANYWHERE = 3;

/**
 * A page of products for the back office. A search finds what holds its text in the name (back office 5); only where
 * nothing does, its words wherever they stand, typos among them. At most three round trips to D1.
 */
export async function productListPage({ db }: StaffContext, params: ListParams): Promise<ProductListPage> {
  const category = (params.filters.category ?? null) as Category | null;
  const { q } = params;
  if (!q)
    return pageOf(params, category, {
      rows: (query) => findProductRows(db, query),
      total: () => countProducts(db, category),
    });
  const text = nameKey(q);
  if (Array.from(text).length >= ANYWHERE) {
    const page = await pageOf(params, category, {
      rows: (query) => findByNamePart(db, text, query),
      total: () => countByNamePart(db, text, category),
    });
    if (page.total > 0) return page;
  }
  const plan = await planSearch(db, q, { insideWords: true });
  if (!plan) return { rows: [], total: 0, page: 1 };
  return pageOf(params, category, {
    rows: (query) => searchProductRows(db, plan, query),
    total: () => countFound(db, plan, category),
  });
}

interface Reads {
  rows(query: ProductListQuery): Promise<ProductRowView[]>;
  total(): Promise<number>;
}

/** The page that was asked for, or the last one where there are fewer. */
async function pageOf(params: ListParams, category: Category | null, reads: Reads): Promise<ProductListPage> {
  const { page, size } = params;
  const read = (at: number) =>
    reads.rows({
      category,
      sort: params.sort as ProductSort,
      dir: params.dir,
      limit: size,
      offset: (at - 1) * size,
    });
  const [rows, total] = await Promise.all([read(page), reads.total()]);
  const last = pageCount(total, size);
  return page <= last ? { rows, total, page } : { rows: await read(last), total, page: last };
}

/** A product for its dialogs; null when there is none. */
export async function productDetail({ db }: StaffContext, id: string): Promise<ProductDetail | null> {
  const product = await findProduct(db, id);
  if (!product) return null;
  const { name, description, priceCents, stock, category, colors, imageUrls } = product;
  return {
    id,
    name,
    descriptionHtml: sanitizeRichText(description),
    priceCents,
    stock,
    category,
    colors,
    imageUrls,
  };
}
