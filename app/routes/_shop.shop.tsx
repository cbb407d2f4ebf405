import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientLoaderFunctionArgs, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { cachedLoader, pages } from "~/features/catalogue/browser-cache";
import { type VisibleShop, withEarlierPages } from "~/features/catalogue/earlier-pages";
import listCss from "~/features/catalogue/list.css?url";
import { shopPage } from "~/features/catalogue/operations/products.server";
import { loadResults, ProductGrid, ScrollToTop, SearchNote } from "~/features/catalogue/ProductGrid";
import { ActiveFilters, ShopFilters, ShopSearch, SortField } from "~/features/catalogue/ShopTools";
import { PAGE_SIZE, ShopInput } from "~/features/catalogue/schema";
import { shopHeading, shopMeta } from "~/features/catalogue/seo.server";
import { noteSearch } from "~/features/search-words/missed.server";
import { type PageHandle, pageData, pageResult } from "~/http/page.server";
import { shownSettings } from "~/http/shop-settings.server";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { type PageMeta, pageMeta } from "~/ui/site";
import type { loader as shopLoader } from "./_shop";

export const handle: PageHandle = {
  publicPage: {
    parameters: ["search", "category", "min", "max", "stock", "sort", "page"],
  },
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: listCss }];

/** List of a URL without parameters. */
const WHOLE_SHOP = ShopInput.parse({});

interface ShopData extends VisibleShop {
  heading: ReturnType<typeof shopHeading>;
  meta: PageMeta;
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { search, searchParams } = context.url;
  const { page, ...filter } = search ? ShopInput.parse(Object.fromEntries(searchParams)) : WHOLE_SHOP;
  const reading = shownSettings(context);
  const shop = await pageResult(shopPage(context, { ...filter, page }));
  noteSearch(context, filter.search, shop);
  return pageData(request, {
    ...shop,
    filter: { ...filter, sort: shop.sort },
    meta: shopMeta(filter, shop.page, await pageResult(reading)),
    heading: shopHeading(filter, searchParams.get("category")),
    first: shop.page,
    size: PAGE_SIZE,
  } satisfies ShopData);
}

export async function clientLoader(args: ClientLoaderFunctionArgs): Promise<ShopData> {
  const loaded = await cachedLoader<ShopData>(args);
  // Otherwise the page would flash when it is drawn.
  if (loaded.searched || loaded.facets.total === 0) await loadResults();
  return { ...loaded, ...withEarlierPages(loaded, (url) => pages.peek(url)) };
}
clientLoader.hydrate = true as const;

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  return pageMeta(data ? (data.meta as PageMeta) : { title: "Shop", hidden: true }, matches);
};

export default function Shop() {
  const { heading, ...shop } = useLoaderData<typeof clientLoader>();
  const { filter, facets, searched } = shop;
  const categories = useRouteLoaderData<typeof shopLoader>("routes/_shop")?.categories ?? [];
  return (
    <div className="wrap">
      <div className="list-head">
        <div>
          <h1>{heading.title}</h1>
          {heading.text && <p className="list-text">{heading.text}</p>}
          <SearchNote shop={shop} />
        </div>
        <ShopSearch filter={filter} />
      </div>
      <div className="list-body">
        <ShopFilters categories={categories} shop={shop} />
        <div>
          <div className="list-strip">
            <p className="result-count" role="status">
              {searched?.title ?? `${facets.total} ${facets.total === 1 ? "product" : "products"} found`}
            </p>
            <ActiveFilters filter={filter} />
            {facets.total > 1 && <SortField filter={filter} />}
          </div>
          <ProductGrid shop={shop} categories={categories} />
        </div>
      </div>
      <ScrollToTop />
    </div>
  );
}

export function ErrorBoundary() {
  return <LazyErrorPage subject="products" />;
}
