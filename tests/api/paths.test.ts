import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import worker from "worker-under-test";
import { dataUrl } from "../support/loader-data";
import { admin } from "../support/people";
import { addProduct, call } from "../support/shop";

it.each(["/SHOP", "/sh%6Fp", "/shop/"])("answers %s as /shop", async (path) => {
  await addProduct({ name: "Brass lamp" });
  const answer = await call(path, { cookie: "emporia_seen=1" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Brass lamp");
});

it.each(["/unknown", "/shop/unknown", "/products", "/receipts", "/push", "/shop.html", "/admin.html"])(
  "answers 404 for %s in the shop's frame",
  async (path) => {
    const answer = await call(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('class="shop-header"');
  },
);

it("leads a signed-out reader of an unknown page of the back office to sign in", async () => {
  const answer = await call("/admin/unknown");
  expect([answer.status, answer.headers.get("Location")]).toEqual([
    302,
    "/login?redirectTo=%2Fadmin%2Funknown",
  ]);
});

it("names the section of a path in another spelling", async () => {
  const { token } = await admin();
  const page = await (await call("/ADMIN/Graphs/", { token })).text();
  expect(page).toContain("<title>Analytics · Emporia back office</title>");
  expect(page).toMatch(
    /aria-current="page"[^>]*href="\/admin\/graphs"|href="\/admin\/graphs"[^>]*aria-current="page"/,
  );
});

it("tells a form to a page without one what is allowed", async () => {
  const answer = await call("/terms", { method: "POST", body: new URLSearchParams({ a: "1" }) });
  expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

it("shows the pages of a failure without recording one", async () => {
  for (const path of ["/serverError", "/internal_server"]) expect((await call(path)).status).toBe(500);
  expect(await env.DB.prepare("SELECT count(*) AS n FROM incidents").first("n")).toBe(0);
});

it("answers a browser's request for data with JSON, which is compressed on its way, and others with the same", async () => {
  await addProduct({ name: "Tin lamp" });
  const json = await call(dataUrl("/shop"), { headers: { "Sec-Fetch-Dest": "empty" } });
  expect(json.headers.get("Content-Type")).toMatch(/^application\/json/);
  const other = await call(dataUrl("/shop"));
  expect(other.headers.get("Content-Type")).toBe("text/remix-deferred");
  expect(await other.json()).toEqual(await json.json());
});

it("says nothing of an error outside of the routes but its reference", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const request = new Request("http://localhost:8787/shop") as Parameters<typeof worker.fetch>[0];
  const answer = await worker.fetch(request, { ...env, COOKIE_SECRET: "" }, createExecutionContext());
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({ message: "Internal Server Error" });
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockClear();
});
