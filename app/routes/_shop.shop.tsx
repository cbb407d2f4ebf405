import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { type ClientLoaderFunctionArgs, useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { cachedLoader, pages } from "~/features/catalogue/browser-cache";
import { categoryName } from "~/features/catalogue/categories";
import { LoadFailure } from "~/features/catalogue/LoadStates";
import { shopPage } from "~/features/catalogue/operations.server";
import { ProductGrid, ScrollToTop } from "~/features/catalogue/ProductGrid";
import { CategoryChips, CategoryRail, ShopTools } from "~/features/catalogue/ShopTools";
import { PAGE_SIZE, ShopInput } from "~/features/catalogue/schema";
import { shopUrl, type VisibleShop, withEarlierPages } from "~/features/catalogue/shop-url";
import { type PageHandle, pageResult } from "~/http/page.server";
import { pageMeta } from "~/ui/site";
import type { loader as shopLoader } from "./_shop";

export const handle: PageHandle = { publicPage: { parameters: ["search", "category", "sort", "page"] } };

export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = ShopInput.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { search, category, sort } = query;
  const shop = await pageResult(shopPage(context, query));
  return json<VisibleShop>({
    ...shop,
    filter: { search, category, sort },
    first: shop.page,
    size: PAGE_SIZE,
  });
}

export async function clientLoader(args: ClientLoaderFunctionArgs) {
  return withEarlierPages(await cachedLoader<VisibleShop>(args), (url) => pages.peek(url));
}
clientLoader.hydrate = true as const;

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return pageMeta({ title: "Shop", path: "/shop", hidden: true }, matches);
  const { filter, page } = data;
  const heading = filter.category ? categoryName(filter.category) : "Shop";
  const description = `${filter.category ? heading : "All we sell"}: pick it here, ask about it, collect it at the counter.`;
  const title = filter.search ? `${filter.search} · ${heading}` : heading;
  const path = shopUrl({ ...filter, sort: "default" }, page);
  return pageMeta({ title, description, path, hidden: filter.search !== "" }, matches);
};

export default function Shop() {
  const shop = useLoaderData<typeof clientLoader>();
  const categories = useRouteLoaderData<typeof shopLoader>("routes/_shop")?.categories ?? [];
  return (
    <div className="wrap">
      <div className="list-head">
        <div>
          <h1>Shop</h1>
          <p className="result-count" role="status">
            {shop.total} products found
          </p>
        </div>
        <ShopTools filter={shop.filter} />
      </div>
      <CategoryChips categories={categories} filter={shop.filter} />
      <div className="list-body">
        <CategoryRail categories={categories} filter={shop.filter} />
        <div>
          <ProductGrid shop={shop} />
        </div>
      </div>
      <ScrollToTop />
    </div>
  );
}

export function ErrorBoundary() {
  return (
    <LoadFailure
      title="Failed to fetch data"
      text="The products could not be loaded. Please try again."
      canRetry
    />
  );
}
