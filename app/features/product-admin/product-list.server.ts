import type { Category } from "~/features/catalogue/categories";
import { nameKey } from "~/features/catalogue/product-schema";
import { countFound, countProducts, findProduct } from "~/features/catalogue/queries.server";
import { sanitizeRichText } from "~/features/catalogue/rich-text.server";
import { planSearch } from "~/features/catalogue/search.queries.server";
import type { StaffContext } from "~/http/operation.server";
import {
  type ListParams,
  type ProductDetail,
  type ProductRowView,
  type ProductSort,
  pageCount,
} from "./list-params";
import {
  countByNamePart,
  findByNamePart,
  findProductRows,
  type ProductListQuery,
  searchProductRows,
} from "./queries.server";

/** Page of the product list. */
export interface ProductListPage {
  rows: ProductRowView[];
  total: number;
  /** Page that was read; the last one when the URL names a later one. */
  page: number;
}

/** Minimum length of a text that matches anywhere in names. */
const MIN_INFIX_LENGTH = 3;

/**
 * Reads a page of products. A search finds names that contain its text; without any, it finds its words anywhere and
 * with typos. At most three round trips to D1.
 */
export async function productListPage({ db }: StaffContext, params: ListParams): Promise<ProductListPage> {
  const category = (params.filters.category ?? null) as Category | null;
  const { q } = params;
  if (!q)
    return readPage(params, category, {
      rows: (query) => findProductRows(db, query),
      total: () => countProducts(db, category),
    });
  const text = nameKey(q);
  if (Array.from(text).length >= MIN_INFIX_LENGTH) {
    const page = await readPage(params, category, {
      rows: (query) => findByNamePart(db, text, query),
      total: () => countByNamePart(db, text, category),
    });
    if (page.total > 0) return page;
  }
  const plan = await planSearch(db, q, { insideWords: true });
  if (!plan) return { rows: [], total: 0, page: 1 };
  return readPage(params, category, {
    rows: (query) => searchProductRows(db, plan, query),
    total: () => countFound(db, plan, category),
  });
}

interface Reads {
  rows(query: ProductListQuery): Promise<ProductRowView[]>;
  total(): Promise<number>;
}

/** Reads the requested page, or the last one. */
async function readPage(
  params: ListParams,
  category: Category | null,
  reads: Reads,
): Promise<ProductListPage> {
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

/** Reads a product for its dialogs; null for an unknown id. */
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
