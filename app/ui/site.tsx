import type { MetaDescriptor } from "@remix-run/cloudflare";
import { useRouteLoaderData } from "@remix-run/react";
import { createContext, useContext } from "react";

export interface Site {
  name: string;
  /** Origin of canonical links, without a trailing slash. */
  url: string;
  supportEmail: string;
  legalEmail: string;
  phone: string;
  pickup: { address: string; hours: { days: string; times: string }[]; mapUrl: string };
  social: { instagram: string; facebook: string; tiktok: string };
}

const FALLBACK: Site = {
  name: "Emporia",
  url: "",
  supportEmail: "",
  legalEmail: "",
  phone: "",
  pickup: { address: "", hours: [], mapUrl: "" },
  social: { instagram: "", facebook: "", tiktok: "" },
};

/** Returns the shop's data; empty except for the name when root failed to load. */
export function useSite(): Site {
  return useRouteLoaderData<{ shop: Site }>("root")?.shop ?? FALLBACK;
}

/** CSP nonce of the response during rendering; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined);

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}

/** Reference of a failed response during rendering; undefined in the browser, where the document carries it. */
export const ReferenceContext = createContext<string | undefined>(undefined);

/** Form key of the response during rendering; undefined in the browser. */
export const FormKeyContext = createContext<string | undefined>(undefined);

/** Hidden field by which the server recognises a form that is submitted twice; scripts submit theirs once. */
export function FormKey() {
  return (
    <input
      type="hidden"
      name="key"
      defaultValue={useContext(FormKeyContext) ?? ""}
      suppressHydrationWarning
    />
  );
}

interface PageMeta {
  title: string;
  description?: string;
  /** Canonical path of the page, with query. */
  path: string;
  /** Image for link previews: a local path or URL; the shop's by default. */
  image?: string;
  /** Price in link previews, cents. */
  priceCents?: number;
  /** Excludes the page from search engines: forms, accounts, errors. */
  hidden?: boolean;
}

const SHARE_PICTURE = "/share.png";

/** Unread answers in the reader's chats, which the shop's pages read. */
interface ShopAnswers {
  answers?: { unread: number };
}

/** Creates a page's `meta`: title with the number of unread answers, description, canonical link and Open Graph data. */
export function pageMeta(page: PageMeta, matches: { id: string; data?: unknown }[]): MetaDescriptor[] {
  // Root's data is missing after an error in root.
  const root = matches.find(({ id }) => id === "root")?.data as { shop?: Site } | undefined;
  const { name, url } = root?.shop ?? FALLBACK;
  const shop = matches.find(({ id }) => id === "routes/_shop")?.data as ShopAnswers | undefined;
  const waiting = shop?.answers?.unread ?? 0;
  const named = page.title.includes(name) ? page.title : `${page.title} · ${name}`;
  const title = waiting > 0 ? `(${waiting}) ${named}` : named;
  const picture = page.image ?? SHARE_PICTURE;
  const image = picture.startsWith("/") ? url + picture : picture;
  return [
    { title },
    { property: "og:title", content: page.title },
    { property: "og:site_name", content: name },
    ...priceTags(page),
    { property: "og:image", content: image },
    { name: "twitter:card", content: "summary_large_image" },
    ...descriptionTags(page),
    ...(page.hidden ? [{ name: "robots", content: "noindex" }] : canonicalTags(url + page.path)),
  ];
}

function priceTags({ priceCents }: PageMeta): MetaDescriptor[] {
  if (priceCents === undefined) return [{ property: "og:type", content: "website" }];
  return [
    { property: "og:type", content: "product" },
    { property: "product:price:amount", content: (priceCents / 100).toFixed(2) },
    { property: "product:price:currency", content: "CAD" },
  ];
}

function descriptionTags({ description }: PageMeta): MetaDescriptor[] {
  if (!description) return [];
  return [
    { name: "description", content: description },
    { property: "og:description", content: description },
  ];
}

function canonicalTags(url: string): MetaDescriptor[] {
  return [
    { property: "og:url", content: url },
    { tagName: "link", rel: "canonical", href: url },
  ];
}

/**
 * Structured data for search engines in a script element.
 *
 * @param json JSON with every < escaped (scriptJson), so that no text can end the element
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
