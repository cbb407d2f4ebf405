import type { MetaDescriptor } from "@remix-run/cloudflare";
import { useNonce } from "./nonce";

/** What root's loader tells every page about the shop, as far as search engines need it. */
export interface SiteIdentity {
  name: string;
  /** Origin of canonical links, without a trailing slash. */
  url: string;
}

interface PageMeta {
  title: string;
  description?: string;
  /** Local path of the one address that this page has, query included. */
  path: string;
  /** Picture for link previews: a local path or an address; the shop's own where none is given. */
  image?: string;
  /** Kept out of search engines: forms, accounts, errors. */
  hidden?: boolean;
}

/** The picture that link previews show where a page has none of its own. */
const SHARE_PICTURE = "/share.png";

/**
 * A page's title, description, canonical link and Open Graph data, for its `meta`.
 *
 * @param page what the page says of itself
 * @param matches what Remix hands to `meta`: root's data names the shop and its address
 */
export function pageMeta(page: PageMeta, matches: { id: string; data?: unknown }[]): MetaDescriptor[] {
  const { name, url } = siteOf(matches);
  const title = page.title.includes(name) ? page.title : `${page.title} · ${name}`;
  const picture = page.image ?? SHARE_PICTURE;
  const image = picture.startsWith("/") ? url + picture : picture;
  return [
    { title },
    { property: "og:title", content: page.title },
    { property: "og:site_name", content: name },
    { property: "og:type", content: "website" },
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
    ...descriptionTags(page),
    ...(page.hidden ? [{ name: "robots", content: "noindex" }] : oneAddress(url + page.path)),
  ];
}

function descriptionTags({ description }: PageMeta): MetaDescriptor[] {
  if (!description) return [];
  return [
    { name: "description", content: description },
    { property: "og:description", content: description },
  ];
}

/** The address a page is known by; one that is kept out of search engines has none. */
function oneAddress(address: string): MetaDescriptor[] {
  return [
    { property: "og:url", content: address },
    { tagName: "link", rel: "canonical", href: address },
  ];
}

/** The shop's name and address from root's data; empty ones while root itself has failed. */
function siteOf(matches: { id: string; data?: unknown }[]): SiteIdentity {
  const root = matches.find(({ id }) => id === "root")?.data as { shop?: SiteIdentity } | undefined;
  return root?.shop ?? { name: "Emporia", url: "" };
}

/**
 * What search engines are told, in a script element of data.
 *
 * @param json JSON with every < escaped (scriptJson), so that no text in it can end the element
 */
export function JsonLd({ json }: { json: string }) {
  return (
    <script
      type="application/ld+json"
      nonce={useNonce()}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped where it is made
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}
