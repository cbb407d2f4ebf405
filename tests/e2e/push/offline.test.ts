import { accessibilityProblems, expect, test, waitForHydration } from "../../support/browser";
import { fetchShop } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";

test("the service worker of the back office shows a plain page without network and stores nothing", async ({
  browser,
  shop,
}) => {
  const context = await browser.newContext({
    baseURL: shop.url,
    ...(await signedInAs("manager")).browser,
  });
  await waitForHydration(context);
  const page = await context.newPage();
  const workerRequests: string[] = [];
  context.on("request", (request) => {
    if (request.serviceWorker()) workerRequests.push(new URL(request.url()).pathname);
  });
  await page.goto("/admin");
  const registration = await page.evaluate(async () => {
    const { scope, active } = await navigator.serviceWorker.ready;
    return { scope: new URL(scope).pathname, script: active?.scriptURL.replace(/.*\//, "") };
  });
  expect(registration).toEqual({ scope: "/admin", script: "admin-worker.js" });
  await page.goto("/admin/users-management");
  await page.getByRole("heading", { name: "Users" }).first().waitFor();
  await page.goto("/admin/chat");
  await page.waitForLoadState("networkidle");
  // Once, and again when the browser looks for a newer one.
  expect(new Set(workerRequests.filter((path) => !path.startsWith("/admin")))).toEqual(
    new Set(["/push-worker.js"]),
  );

  await context.setOffline(true);
  const answer = await page.goto("/admin/users-management");
  expect(answer?.status()).toBe(503);
  expect(answer?.headers()["content-security-policy"]).toContain("default-src 'none'");
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  // The service worker does not answer the API.
  await expect(page.evaluate(() => fetch("/api/auth/me"))).rejects.toThrow();

  await context.setOffline(false);
  // The offline page reloads by itself.
  await page.getByRole("heading", { name: "Users" }).first().waitFor();
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await context.close();
});

async function manifestOf(html: string) {
  const links = [...html.matchAll(/<link rel="manifest" href="([^"]+)"/g)].map(([, href]) => href ?? "");
  expect(links).toHaveLength(1);
  const answer = await fetchShop(links[0] ?? "");
  expect(answer.headers.get("Content-Type")).toContain("application/manifest+json");
  return (await answer.json()) as { start_url: string; icons: { src: string; purpose?: string }[] };
}

test("the back office is installable", async () => {
  const { cookie } = await signedInAs("manager");
  const admin = await manifestOf(await (await fetchShop("/admin", { headers: { Cookie: cookie } })).text());
  expect(admin.start_url).toBe("/admin");
  expect(admin.icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
  for (const { src } of admin.icons)
    expect((await fetchShop(src)).headers.get("Content-Type")).toBe("image/png");
});

test("the shop has a manifest of its own and registers no service worker", async ({ open }) => {
  const page = await open("/");
  expect((await manifestOf(await page.content())).start_url).toBe("/");
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});
