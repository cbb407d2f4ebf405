import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** Allows search engines the public pages and their pictures only. */
export async function loader({ context }: LoaderFunctionArgs) {
  const open = new Set(context.publicPaths.map(firstSegment));
  const closed = [...new Set(context.routePaths.map(firstSegment))].filter(
    (segment) => /^[\w-]+$/.test(segment) && !open.has(segment),
  );
  const lines = [
    "User-agent: *",
    "Allow: /api/storage/object",
    ...closed.sort().map((segment) => `Disallow: /${segment}`),
  ];
  const body = `${[...lines, "", `Sitemap: ${context.settings.url}/sitemap.xml`].join("\n")}\n`;
  return new Response(body, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}

const firstSegment = (path: string) => path.split("/")[1] ?? "";
