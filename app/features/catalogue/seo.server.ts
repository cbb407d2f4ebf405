import type { AppLoadContext } from "@remix-run/cloudflare";
import { type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { CURRENCY } from "~/domain/currency";
import { hoursData } from "~/domain/hours";
import { decimalDollars, dollars } from "~/domain/money";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import { imageUrl } from "~/features/storage/schema";
import type { ShopSettings } from "~/http/shop-settings.server";
import type { ProductOffer } from "./offers";
import type { ProductPageData } from "./operations/products.server";
import { publicMeta } from "./public-meta";
import { countShown, findCategoryStamps, findProductStamps } from "./queries.server";
import { excerpt } from "./rich-text.server";
import type { ShopFilter } from "./schema";
import { findCategories } from "./shop.queries.server";
import { shopUrl } from "./urls";

/** Builds the shop's structured data: https://schema.org/Store, and the site with its search. @param today YYYY-MM-DD */
export function shopData(
  { name, url, supportEmail, phone, social, address, hours }: ShopSettings,
  today: string,
): object[] {
  const organization = {
    "@context": "https://schema.org",
    "@type": "Store",
    name,
    url: `${url}/`,
    logo: `${url}/icon-512.png`,
    email: supportEmail,
    telephone: phone,
    ...(address && { address }),
    openingHoursSpecification: hoursData(hours, today),
    sameAs: Object.values(social).filter(Boolean),
  };
  const site = {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name,
    url: `${url}/`,
    potentialAction: {
      "@type": "SearchAction",
      target: `${url}/shop?search={search}`,
      "query-input": "required name=search",
    },
  };
  return [organization, site];
}

/** Line under a category's heading. */
const CATEGORY_TEXTS: Record<Category, string> = {
  PHONE_CASE: "Silicone, cork, leather and printed cases, fitted at the counter.",
  COMPUTER_ACCESSORY: "Stands, hubs and small things that tidy a desk.",
  PHONE_ACCESSORY: "Cables, chargers and docks that we use ourselves.",
  CAR_ACCESSORY: "Mounts, covers and order for the car.",
  JEWELRY: "Rings, necklaces and earrings from small workshops.",
  HEALTH_AND_BEAUTY: "Balms, serums and brushes for every day.",
  HOME_DECOR: "Lamps, vases and clocks for the rooms you live in.",
  ENGRAVING: "Your words, cut by our own laser.",
  OTHERS: "Good things that fit no other shelf.",
};

/**
 * Heading of /shop: title and line, with the description for search engines.
 *
 * @param asked category of the address, which may be none of the shop's
 */
export function shopHeading(
  { search, category }: Pick<ShopFilter, "search" | "category">,
  asked: string | null = null,
) {
  if (asked?.trim() && !category) return { title: "Shop", text: unknownCategory(asked), description: "" };
  if (search) return { title: `Results for “${search}”`, text: "", description: "" };
  const title = category ? categoryName(category) : "Shop";
  const text = category ? CATEGORY_TEXTS[category] : "Everything in the shop.";
  const description = `${title}: ${text} Look round, ask about it, collect it at the counter.`;
  return { title, text, description };
}

const unknownCategory = (asked: string) =>
  `There is no category “${asked.trim().slice(0, 40).toWellFormed()}”. This is everything in the shop.`;

type Shop = Pick<ShopSettings, "name" | "url">;
type Page = Pick<ProductPageData, "product" | "summary" | "offers">;

/** Creates title and tags of the list; filtered and sorted ones are views of the same page. */
export function shopMeta({ search, category }: ShopFilter, page: number, shop: Shop) {
  const { title, description } = shopHeading({ search: "", category });
  if (search) return { title: `${search} · ${title}`, hidden: true as const };
  return publicMeta({ title, description, path: shopUrl({ category }, page) }, shop);
}

/** Creates title and tags of a product's page. Previews show the description, and few the price by itself. */
export function productMeta(page: Page, shop: Shop) {
  const { product, summary } = page;
  const { id, name: title, priceCents } = product;
  const description = `${dollars(priceCents)} · ${excerpt(summary)}`;
  const image = previewPicture(product);
  const data = [productData(page, shop.url), breadcrumbData(product, shop.url)];
  return publicMeta({ title, description, priceCents, path: `/products/${id}`, image, data }, shop);
}

/** Builds a product's structured data: https://schema.org/Product with an offer of each unit. */
function productData({ product, summary, offers }: Page, origin: string) {
  const { id, name, category, images, colors, choices } = product;
  const built = offers.map((offer) => offerData(offer, origin));
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: (!choices.options && offers[0]?.sku) || id,
    description: summary,
    category: categoryName(category),
    ...(colors.length && { color: colors.join(", ") }),
    image: images.map(({ url }) => absoluteUrl(imageUrl(url, 1000), origin)),
    offers: choices.options ? built : built[0],
  };
}

/** Builds the structured data of a unit: https://schema.org/Offer. */
function offerData({ path, sku, gtin, priceCents, stock }: ProductOffer, origin: string) {
  return {
    "@type": "Offer",
    url: `${origin}${path}`,
    sku,
    ...(gtin && { gtin }),
    price: decimalDollars(priceCents),
    priceCurrency: CURRENCY,
    availability: `https://schema.org/${stock === 0 ? "OutOfStock" : stock <= SCARCE_STOCK ? "LimitedAvailability" : "InStock"}`,
    itemCondition: "https://schema.org/NewCondition",
    availableDeliveryMethod: "https://schema.org/OnSitePickup",
  };
}

function breadcrumbData({ name, category: stored }: ProductPageData["product"], origin: string) {
  const category = parseCategory(stored);
  const trail = [
    ["Home", "/"],
    ["Shop", "/shop"],
    [categoryName(stored), shopUrl({ search: "", category, sort: "default" })],
  ];
  const links = trail.map(([label, path], i) => ({
    "@type": "ListItem",
    position: i + 1,
    name: label,
    item: `${origin}${path}`,
  }));
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [...links, { "@type": "ListItem", position: links.length + 1, name }],
  };
}

function absoluteUrl(url: string, origin: string): string {
  return url.startsWith("/") ? origin + url : url;
}

/** Path or URL of the picture in link previews; null for a product without one. */
function previewPicture({ images }: ProductPageData["product"]): string | null {
  return images[0] ? imageUrl(images[0].url, 1000) : null;
}

/** URLs per file; the protocol allows 50,000 (sitemaps.org). */
const MAX_URLS = 40_000;
const XMLNS =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

interface Entry {
  path: string;
  /** Last change, epoch seconds. */
  updatedAt?: number;
  /** Stored image entries. */
  images?: string[];
}

/**
 * Builds /sitemap.xml with every public page. A catalogue too large for one file becomes an index of
 * `/sitemap.xml?page=1…`.
 */
export async function sitemap(context: AppLoadContext): Promise<Response> {
  const files = Math.max(1, Math.ceil((await countShown(context.db)) / MAX_URLS));
  const requested = Number(new URL(context.request.url).searchParams.get("page"));
  const page = Number.isSafeInteger(requested) && requested >= 1 && requested <= files ? requested : null;
  if (files > 1 && page === null) return index(context, files);
  const products = await findProductStamps(context.db, {
    limit: MAX_URLS,
    offset: ((page ?? 1) - 1) * MAX_URLS,
  });
  const entries: Entry[] = (page ?? 1) === 1 ? await fixedPages(context) : [];
  entries.push(
    ...products.map(({ id, ...product }) => ({ path: `/products/${encodeURIComponent(id)}`, ...product })),
  );
  const urls = entries.map(
    ({ path, updatedAt, images = [] }) =>
      `<url>${location(context, path)}${lastmod(updatedAt)}${images.map((entry) => image(context, entry)).join("")}</url>`,
  );
  return xml(`<urlset ${XMLNS}>${urls.join("")}</urlset>`);
}

/** Lists the pages besides products; those of a category change with its latest product. */
async function fixedPages({ db, publicPaths }: AppLoadContext): Promise<Entry[]> {
  const [categories, changes] = await Promise.all([findCategories(db), findCategoryStamps(db)]);
  return [
    ...publicPaths.filter((path) => !path.includes(":")).map((path) => ({ path })),
    ...categories.map(({ category }) => {
      const updatedAt = changes.get(category);
      return { path: `/shop?category=${category}`, ...(updatedAt && { updatedAt }) };
    }),
  ];
}

function index(context: AppLoadContext, files: number): Response {
  const pages = Array.from(
    { length: files },
    (_, i) => `<sitemap>${location(context, `/sitemap.xml?page=${i + 1}`)}</sitemap>`,
  );
  return xml(`<sitemapindex ${XMLNS}>${pages.join("")}</sitemapindex>`);
}

function image({ settings }: AppLoadContext, entry: string): string {
  return `<image:image><image:loc>${escapeXml(absoluteUrl(imageUrl(entry, 1000), settings.url))}</image:loc></image:image>`;
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function location({ settings }: AppLoadContext, path: string): string {
  return `<loc>${escapeXml(settings.url + path)}</loc>`;
}

function lastmod(seconds: number | undefined): string {
  return seconds === undefined
    ? ""
    : `<lastmod>${new Date(seconds * 1000).toISOString().slice(0, 10)}</lastmod>`;
}

function xml(body: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
