import type { AppLoadContext } from "@remix-run/cloudflare";
import { countProducts, findProductStamps } from "./queries.server";
import { findCategories } from "./shop.queries.server";

/** URLs per file; the protocol allows 50,000 (sitemaps.org). */
const MAX_URLS = 40_000;
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

interface Entry {
  path: string;
  /** Last change, epoch seconds. */
  updatedAt?: number;
}

/**
 * Builds /sitemap.xml with every public page. A catalogue too large for one file becomes an index of
 * `/sitemap.xml?page=1…`.
 */
export async function sitemap(context: AppLoadContext): Promise<Response> {
  const files = Math.max(1, Math.ceil((await countProducts(context.db, null)) / MAX_URLS));
  const requested = Number(new URL(context.request.url).searchParams.get("page"));
  const page = Number.isSafeInteger(requested) && requested >= 1 && requested <= files ? requested : null;
  if (files > 1 && page === null) return index(context, files);
  const products = await findProductStamps(context.db, {
    limit: MAX_URLS,
    offset: ((page ?? 1) - 1) * MAX_URLS,
  });
  const entries: Entry[] = (page ?? 1) === 1 ? await fixedPages(context) : [];
  entries.push(
    ...products.map(({ id, updatedAt }) => ({
      path: `/products/${encodeURIComponent(id)}`,
      updatedAt,
    })),
  );
  const urls = entries.map(
    ({ path, updatedAt }) => `<url>${location(context, path)}${lastmod(updatedAt)}</url>`,
  );
  return xml(`<urlset ${XMLNS}>${urls.join("")}</urlset>`);
}

async function fixedPages({ db, publicPaths }: AppLoadContext): Promise<Entry[]> {
  const categories = await findCategories(db);
  const paths = [
    ...publicPaths.filter((path) => !path.includes(":")),
    ...categories.map(({ category }) => `/shop?category=${category}`),
  ];
  return paths.map((path) => ({ path }));
}

function index(context: AppLoadContext, files: number): Response {
  const pages = Array.from(
    { length: files },
    (_, i) => `<sitemap>${location(context, `/sitemap.xml?page=${i + 1}`)}</sitemap>`,
  );
  return xml(`<sitemapindex ${XMLNS}>${pages.join("")}</sitemapindex>`);
}

function location({ settings }: AppLoadContext, path: string): string {
  return `<loc>${(settings.url + path).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</loc>`;
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
