import { imageUrl } from "~/features/storage/image-entries";
import type { ShopSettings } from "~/http/shop-settings.server";
import { categoryName, parseCategory } from "./categories";
import type { ProductPage } from "./operations.server";
import { shopUrl } from "./shop-url";

/**
 * Builds a product's structured data: https://schema.org/Product with its offer, and its breadcrumb.
 *
 * @param origin of the shop, without a trailing slash
 * @returns JSON escaped for a script element
 */
export function productJsonLd(page: ProductPage, origin: string): string {
  return scriptJson([productData(page, origin), breadcrumbData(page, origin)]);
}

/**
 * Builds the shop's structured data: https://schema.org/Organization, and the site with its search.
 *
 * @returns JSON escaped for a script element
 */
export function shopJsonLd({ name, url, supportEmail, phone, social }: ShopSettings): string {
  const organization = {
    "@context": "https://schema.org",
    "@type": "Organization",
    name,
    url: `${url}/`,
    logo: `${url}/icon-512.png`,
    email: supportEmail,
    telephone: phone,
    sameAs: Object.values(social),
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
  return scriptJson([organization, site]);
}

function productData({ product, summary }: ProductPage, origin: string) {
  const { id, name, priceCents, stock, category, images, colors } = product;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: id,
    description: summary,
    category: categoryName(category),
    ...(colors.length && { color: colors.join(", ") }),
    image: images.map(({ url }) => absoluteUrl(imageUrl(url, 1000), origin)),
    offers: {
      "@type": "Offer",
      url: `${origin}/products/${id}`,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "CAD",
      availability: `https://schema.org/${stock > 0 ? "InStock" : "OutOfStock"}`,
    },
  };
}

function breadcrumbData({ product: { name, category: stored } }: ProductPage, origin: string) {
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

/** Shortens a description to at most 160 characters, cut between words. */
export function excerpt(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s+\S*$/, "")}…` : text;
}

/** Path or URL of the picture in link previews; null for a product without one. */
export function previewPicture({ images }: ProductPage["product"]): string | null {
  return images[0] ? imageUrl(images[0].url, 1000) : null;
}

/** Serialises a value as JSON escaped for a script element: `</script>` and `<!--` stay text. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
