/** What any Worker can do at most that keeps a page in the Cache API: passes it on as it is. */
export default {
  async fetch(request, _env, context) {
    const url = new URL(request.url);
    const key = new Request(url);
    const kept = await caches.default.match(key);
    if (kept) return kept;
    const body = "x".repeat(Number(url.searchParams.get("bytes")));
    const headers = { "Content-Type": "text/html", "Cache-Control": "public, max-age=600" };
    context.waitUntil(caches.default.put(key, new Response(body, { headers })));
    return new Response(body, { headers });
  },
};
