/** Reference for cached pages: a Worker without work. */
export default { fetch: () => new Response("ok") };
