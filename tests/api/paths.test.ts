import { expect, it } from "vitest";
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
