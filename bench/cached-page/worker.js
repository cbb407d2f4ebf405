/** Reference for cached pages: a Worker that returns an unchanged page from the Cache API. */
export default {
  async fetch(request, _env, context) {
    const url = new URL(request.url);
    const key = new Request(url);
    const cached = await caches.default.match(key);
    if (cached) return cached;
    const body = "x".repeat(Number(url.searchParams.get("bytes")));
    const headers = { "Content-Type": "text/html", "Cache-Control": "public, max-age=600" };
    context.waitUntil(caches.default.put(key, new Response(body, { headers })));
    return new Response(body, { headers });
  },
};
