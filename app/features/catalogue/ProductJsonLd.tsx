import { useNonce } from "~/ui/nonce";
import { categoryName } from "./categories";
import { scriptJson } from "./script-json";
import { shopAddress } from "./shop-address";
import type { ShownProduct } from "./shown-product";

interface JsonLdProps {
  product: ShownProduct;
  /** The description without tags. */
  summary: string;
  /** The shop's origin. */
  origin: string;
}

/** What search engines are told of a product: https://schema.org/Product with its offer, and its breadcrumb. */
export function ProductJsonLd(props: JsonLdProps) {
  const nonce = useNonce();
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every < escaped, so no text can end the element
      dangerouslySetInnerHTML={{ __html: scriptJson([productOf(props), breadcrumbOf(props)]) }}
    />
  );
}

function productOf({ product, summary, origin }: JsonLdProps) {
  const { id, name, priceCents, stock, category, images, colors } = product;
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    sku: id,
    description: summary,
    category: categoryName(category),
    ...(colors.length && { color: colors.join(", ") }),
    image: images.map(({ url }) => pictureAddress(url, origin)),
    offers: {
      "@type": "Offer",
      url: `${origin}/products/${id}`,
      price: (priceCents / 100).toFixed(2),
      priceCurrency: "CAD",
      availability: `https://schema.org/${stock > 0 ? "InStock" : "OutOfStock"}`,
    },
  };
}

function breadcrumbOf({ product: { name, category }, origin }: JsonLdProps) {
  const trail = [
    ["Home", "/"],
    ["Shop", "/shop"],
    [categoryName(category), shopAddress({ search: "", category, sort: "default" })],
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

function pictureAddress(url: string, origin: string): string {
  const [, key] = /^minio:(.*)$/s.exec(url) ?? [];
  return key === undefined ? url : `${origin}/api/storage/object?key=${encodeURIComponent(key)}&w=1000`;
}
