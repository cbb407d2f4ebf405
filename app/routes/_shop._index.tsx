import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useRouteLoaderData } from "@remix-run/react";
import { localDay } from "~/domain/days";
import { cachedLoader } from "~/features/catalogue/browser-cache";
import { featuredProducts } from "~/features/catalogue/operations/products.server";
import { publicMeta } from "~/features/catalogue/public-meta";
import { shopData } from "~/features/catalogue/seo.server";
import { heroProduct, homeProducts, largeTile } from "~/features/home/hero.server";
import homeCss from "~/features/home/home.css?url";
import { ConversationExample, Features, HERO_PICTURE, Hero } from "~/features/home/Introduction";
import { CategoryTiles, FeaturedProducts } from "~/features/home/ProductSections";
import { type PageHandle, pageData, resultOrNull } from "~/http/page.server";
import { shownSettings } from "~/http/shop-settings.server";
import { Icon } from "~/ui/Icon";
import { LazyErrorPage } from "~/ui/LazyErrorPage";
import { Link } from "~/ui/navigation";
import { type PageMeta, pageMeta, useSite } from "~/ui/site";
import type { loader as shopLoader } from "./_shop";

export const handle: PageHandle = { publicPage: { parameters: [] } };

const PAGE = {
  title: "Look round, then ask",
  path: "/",
  description:
    "Phone cases, cables, jewelry, things for the house, and a laser that writes names on wood and steel. Write to us, a person answers, you collect.",
};

/** Preload of the hero's own picture. */
const HERO_PRELOAD = {
  tagName: "link",
  rel: "preload",
  as: "image",
  type: "image/webp",
  imageSrcSet: HERO_PICTURE.srcSet,
  imageSizes: HERO_PICTURE.sizes,
  // React 18 knows it in lower case only.
  ...{ fetchpriority: "high" },
};

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  ...pageMeta(data ? (data.meta as PageMeta) : { title: "Shop", hidden: true }, matches),
  ...(data && !data.hero.product?.image ? [HERO_PRELOAD] : []),
];

export const links: LinksFunction = () => [{ rel: "stylesheet", href: homeCss }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [settings, automatic, chosen, highlighted] = await Promise.all([
    shownSettings(context),
    resultOrNull(featuredProducts(context)),
    resultOrNull(homeProducts(context)),
    resultOrNull(largeTile(context)),
  ]);
  // Not a 200, so that no cache stores the incomplete page.
  const data = shopData(settings, localDay(context.now, settings.timezone));
  const meta = publicMeta({ ...PAGE, ...ownTexts(settings), data }, settings);
  const featured = chosen?.featured.length ? chosen.featured : automatic;
  const hero = { ...settings.home, product: heroProduct(chosen?.heroes ?? [], featured ?? []) };
  return pageData(request, { featured, hero, highlighted, meta }, { status: featured ? 200 : 503 });
}

/** Returns the owner's headline and text, as search engines and shared links show them. */
function ownTexts({ home: { headline, introduction } }: Awaited<ReturnType<typeof shownSettings>>) {
  return {
    ...(headline && { title: headline.replace(/\.$/, "") }),
    ...(introduction && { description: introduction.replaceAll(/\s+/g, " ") }),
  };
}

export const clientLoader = cachedLoader;

export default function Home() {
  const { featured, hero, highlighted } = useLoaderData<typeof loader>();
  const categories = useRouteLoaderData<typeof shopLoader>("routes/_shop")?.categories ?? [];
  const productCount = categories.reduce((sum, { products }) => sum + products, 0);
  return (
    <>
      <div className="wrap">
        <Hero {...hero} />
        <Features />
        <CategoryTiles categories={categories} highlighted={highlighted} />
        <FeaturedProducts cards={featured} />
      </div>
      <ConversationExample shopName={useSite().name} />
      <div className="wrap">
        <div className="shop-link">
          <Link to="/shop">
            Browse All Products <Icon name="arrow-right" />
          </Link>
          {productCount > 0 && <span className="soft num">{productCountLabel(productCount)}</span>}
        </div>
      </div>
    </>
  );
}

function productCountLabel(count: number): string {
  return count === 1 ? "1 thing in the shop" : `${count.toLocaleString("en-CA")} things in the shop`;
}

export function ErrorBoundary() {
  return <LazyErrorPage subject="products" />;
}
