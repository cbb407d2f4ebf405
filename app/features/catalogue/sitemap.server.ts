import type { AppLoadContext } from "@remix-run/cloudflare";
import { countProducts, findProductStamps } from "./queries.server";
import { findCategories } from "./shop.queries.server";

/** The protocol allows 50,000 addresses a file (sitemaps.org). */
const PER_FILE = 40_000;
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

interface Entry {
  path: string;
  /** Epoch seconds of the last change, where known. */
  changed?: number;
}

/**
 * /sitemap.xml: every page that a search engine may show. A catalogue too large for one file is an index of
 * `/sitemap.xml?page=1…`.
 *
 * @param context of the request; `page` is read from its address
 */
export async function sitemap(context: AppLoadContext): Promise<Response> {
  const files = Math.max(1, Math.ceil((await countProducts(context.db, null)) / PER_FILE));
  const asked = Number(new URL(context.request.url).searchParams.get("page"));
  const page = Number.isSafeInteger(asked) && asked >= 1 && asked <= files ? asked : null;
  if (files > 1 && page === null) return index(context, files);
  const products = await findProductStamps(context.db, {
    limit: PER_FILE,
    offset: ((page ?? 1) - 1) * PER_FILE,
  });
  const entries: Entry[] = (page ?? 1) === 1 ? await fixedPages(context) : [];
  entries.push(
    ...products.map(({ id, updatedAt }) => ({
      path: `/products/${encodeURIComponent(id)}`,
      changed: updatedAt,
    })),
  );
  const urls = entries.map(({ path, changed }) => `<url>${location(context, path)}${lastmod(changed)}</url>`);
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
