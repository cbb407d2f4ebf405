// Service worker of the back office (docs/decisions/0024-push.md): notifications, and a plain page for navigations
// without network. Every other request goes its usual way; nothing is cached.
importScripts("/push-worker.js");

/** @param nonce of the page's script, which loads the page again once the shop answers */
const offlineHtml = (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>You are offline</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f9fbf9, #0d1310);
    color: light-dark(#17231d, #e8efe9); font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; padding: 2rem 1rem; text-align: center; }
  h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 0.75rem; }
  a { display: inline-block; margin-top: 1rem; padding: 0.75rem 1.5rem; border-radius: 0.7rem; background: #0d5f3f;
    color: #fff; font-weight: 600; text-decoration: none; }
</style>
</head>
<body>
<main>
<h1>You are offline</h1>
<p>The back office needs a connection. Nothing of it is stored on this device.</p>
<a href="">Try again</a>
</main>
<script nonce="${nonce}">
  const retry = () => fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).then(() => location.reload(), () => {});
  addEventListener("online", retry);
  setInterval(retry, 10000);
</script>
</body>
</html>`;

const policy = (nonce) =>
  `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

function offlinePage() {
  const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("");
  return new Response(offlineHtml(nonce), {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy(nonce),
      "Cache-Control": "no-store",
    },
  });
}

// The browser requests the page while it starts this worker.
self.addEventListener("activate", (event) => event.waitUntil(self.registration.navigationPreload?.enable()));

async function navigate({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return offlinePage();
  }
}

self.addEventListener("fetch", (event) => {
  const { mode, method } = event.request;
  if (mode === "navigate" && method === "GET") event.respondWith(navigate(event));
});
