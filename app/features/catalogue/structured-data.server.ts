import { imageUrl } from "~/features/storage/image-entries";
import type { ShopSettings } from "~/http/shop-settings.server";
import { categoryName, parseCategory } from "./categories";
import type { ProductPage } from "./operations.server";
import { scriptJson } from "./script-json";
import { shopUrl } from "./shop-address";

/**
 * What search engines are told of a product: https://schema.org/Product with its offer, and its breadcrumb.
 *
 * @param page what the product's page shows
 * @param origin the shop's, without a trailing slash
 * @returns JSON that may stand in a script element
 */
export function productJsonLd(page: ProductPage, origin: string): string {
  return scriptJson([productOf(page, origin), breadcrumbOf(page, origin)]);
}

/**
 * What search engines are told of the shop: https://schema.org/Organization, and the site with its search.
 *
 * @param settings the shop's name, address and ways to reach it
 * @returns JSON that may stand in a script element
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

function productOf({ product, summary }: ProductPage, origin: string) {
  const { id, name, priceCents, stock, category, images, colors } = product;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: id,
    description: summary,
    category: categoryName(category),
    ...(colors.length && { color: colors.join(", ") }),
    image: images.map(({ url }) => absolute(imageUrl(url, 1000), origin)),
    offers: {
      "@type": "Offer",
      url: `${origin}/products/${id}`,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "CAD",
      availability: `https://schema.org/${stock > 0 ? "InStock" : "OutOfStock"}`,
    },
  };
}

function breadcrumbOf({ product: { name, category: stored } }: ProductPage, origin: string) {
  const category = parseCategory(stored);
  const trail = [
    ["Home", "/"],
    ["Shop", "/shop"],
    [categoryName(stored), shopUrl({ search: "", category, sort: "default" })],
  ];
  const links = trail.map(([label, path], place) => ({
    "@type": "ListItem",
    position: place + 1,
    name: label,
    item: `${origin}${path}`,
  }));
  return {
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: [...links, { "@type": "ListItem", position: links.length + 1, name }],
  };
}

function absolute(address: string, origin: string): string {
  return address.startsWith("/") ? origin + address : address;
}

/** As much of a description as a search engine shows: 160 characters at most, cut between words. */
export function excerpt(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s+\S*$/, "")}…` : text;
}

/** The picture that link previews show: a local path or an address, null for a product without one. */
export function previewPicture({ images }: ProductPage["product"]): string | null {
  return images[0] ? imageUrl(images[0].url, 1000) : null;
}
