import { z } from "zod";
import { Listing } from "~/http/api-route.server";
import { AppError } from "~/http/errors";
import { listWindow } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { categoryTiles, listCards, listWholeProducts } from "./product-list.server";
import { apiProduct, type ProductView, productView } from "./product-views.server";
import { type CardRow, findProduct, findRandom, findRelated } from "./queries.server";
import { plainText } from "./rich-text.server";
import { CategoryInput, PAGE_SIZE, ProductIdInput, ProductListInput, type ShopQuery } from "./schema";
import { findCategories } from "./shop.queries.server";

export { createProduct, deleteProduct, updateProduct } from "./operations/writes.server";

const FEATURED = 8;
const RELATED = 4;
const WindowInput = z.object(listWindow);

/** A list that is short enough to be read whole, as the window that was asked for. */
function windowOf<T>(rows: T[], { limit, offset }: z.infer<typeof WindowInput>): Listing<T> {
  return new Listing(rows.slice(offset, limit === undefined ? undefined : offset + limit), rows.length);
}

/** GET product/all: every product, or those of a category or a search (contract: Routes). */
export const listProducts = operation({
  access: "anyone",
  input: ProductListInput,
  cacheable: true,
  async run({ db, input }) {
    const { raw, limit, offset, category = null, search = "", sort } = input;
    const { rows, total } = await listWholeProducts(db, { category, search, sort }, { limit, offset });
    return new Listing(
      rows.map((row) => apiProduct(row, raw === "1")),
      total,
    );
  },
});

/** GET product/category/{category}. */
export const listCategoryProducts = operation({
  access: "anyone",
  input: CategoryInput,
  cacheable: true,
  async run({ db, input: { category, limit, offset } }) {
    const query = { category, search: "", sort: "default" as const };
    const { rows, total } = await listWholeProducts(db, query, { limit, offset });
    return new Listing(
      rows.map((row) => apiProduct(row, false)),
      total,
    );
  },
});

/** GET product/categories: the names of the categories that have products, spec order. */
export const listCategories = operation({
  access: "anyone",
  input: WindowInput,
  cacheable: true,
  run: async ({ db, input }) =>
    windowOf(
      (await findCategories(db)).map(({ category }) => category),
      input,
    ),
});

/** GET product/id/{id}; 404 `Product not found`. */
export const readProduct = operation({
  access: "anyone",
  input: ProductIdInput,
  cacheable: true,
  run: async ({ db, input }) => apiProduct(found(await findProduct(db, input.id)), input.raw === "1"),
});

/** GET product/random: 8 products, in stock first. */
export const listRandomProducts = operation({
  access: "anyone",
  input: WindowInput,
  cacheable: true,
  run: async ({ db, input }) =>
    windowOf(
      (await findRandom(db, FEATURED)).map((row) => apiProduct(row, false)),
      input,
    ),
});

/** The categories that have products, with how many and a picture; for the header, home and the shop's filter. */
export const shopCategories = ({ db }: RequestContext) => categoryTiles(db);

/** The cards of home's Featured Products: 8, in stock first, others each time the page is made. */
export async function featuredProducts({ db }: RequestContext): Promise<CardRow[]> {
  const rows = await findRandom(db, FEATURED);
  return rows.map(({ id, name, priceCents, stock, category, imageUrls, imageAlts }) => ({
    id,
    name,
    priceCents,
    stock,
    category,
    image: imageUrls[0] ?? null,
    imageAlt: imageAlts[0] ?? null,
  }));
}

/** What /shop shows of its catalogue. */
export interface ShopPage {
  cards: CardRow[];
  /** Products that match in all. */
  total: number;
  page: number;
  pages: number;
}

/**
 * One page of /shop: 24 cards (spec 2, Shop).
 *
 * @param query from the page's address; a page past the last one is read as the last
 */
export async function shopPage({ db }: RequestContext, query: ShopQuery): Promise<ShopPage> {
  const read = (page: number) => listCards(db, query, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const { rows, total } = await read(query.page);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (query.page <= pages) return { cards: rows, total, page: query.page, pages };
  return { cards: (await read(pages)).rows, total, page: pages, pages };
}

/** What a product's page shows. */
export interface ProductPage {
  product: ProductView;
  /** The description without tags, for search engines. */
  summary: string;
  /** Up to 4 others of its category; empty when they can't be read. */
  related: CardRow[];
}

/**
 * One product and its relatives (spec 2, Product detail).
 *
 * @throws AppError notFound
 */
export async function productPage({ db }: RequestContext, id: string): Promise<ProductPage> {
  const [row, related] = await Promise.all([
    findProduct(db, id),
    findRelated(db, id, RELATED).catch(() => []),
  ]);
  const product = productView(found(row));
  return { product, summary: plainText(product.descriptionHtml), related };
}

function found<T>(row: T | undefined): T {
  if (!row) throw new AppError("notFound", "Product not found");
  return row;
}
