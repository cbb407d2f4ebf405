import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** What search engines may visit: the shop, not what is somebody's own. */
export async function loader({ context }: LoaderFunctionArgs) {
  const closed = ["/admin", "/api/", "/account", "/cart", "/chat", "/login", "/signup", "/resetPassword"];
  const lines = ["User-agent: *", "Allow: /api/storage/object", ...closed.map((path) => `Disallow: ${path}`)];
  const body = `${[...lines, "", `Sitemap: ${context.settings.url}/sitemap.xml`].join("\n")}\n`;
  return new Response(body, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
