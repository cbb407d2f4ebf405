/** What a cached page is measured against: a Worker that has nothing to do. */
export default { fetch: () => new Response("ok") };
