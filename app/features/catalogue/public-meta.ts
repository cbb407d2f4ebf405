import type { MetaDescriptor } from "@remix-run/cloudflare";
import { CURRENCY } from "~/domain/currency";
import { decimalDollars } from "~/domain/money";

interface PublicPage {
  title: string;
  description: string;
  /** Canonical path of the page, with query. */
  path: string;
  /** Image for link previews: a local path or URL; the shop's by default. */
  image?: string | null;
  /** Price in link previews, cents. */
  priceCents?: number;
  /** Structured data for search engines (https://schema.org). */
  data?: object[];
}

const SHARE_PICTURE = "/share.png";

/**
 * Creates title, description, canonical link, Open Graph data and structured data of a page for search engines. The loaders of the catalogue
 * call it, so that its code stays out of a first view.
 *
 * @param shop its name and its origin, without a trailing slash
 */
export function publicMeta(page: PublicPage, { name, url }: { name: string; url: string }) {
  const { title, description, path } = page;
  const picture = page.image ?? SHARE_PICTURE;
  const tags: MetaDescriptor[] = [
    { property: "og:title", content: title },
    { property: "og:site_name", content: name },
    ...priceTags(page),
    { property: "og:image", content: picture.startsWith("/") ? url + picture : picture },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "description", content: description },
    { property: "og:description", content: description },
    { property: "og:url", content: url + path },
    { tagName: "link", rel: "canonical", href: url + path },
    ...(page.data ?? []).map((thing) => ({ "script:ld+json": thing })),
  ];
  return { title, tags };
}

function priceTags({ priceCents }: PublicPage): MetaDescriptor[] {
  if (priceCents === undefined) return [{ property: "og:type", content: "website" }];
  return [
    { property: "og:type", content: "product" },
    { property: "product:price:amount", content: decimalDollars(priceCents) },
    { property: "product:price:currency", content: CURRENCY },
  ];
}
