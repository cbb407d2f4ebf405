import { beforeAll, describe, expect, it } from "vitest";
import { admin } from "../support/people";
import { registerForTax } from "../support/sales";
import { addProduct, call, cookiesOf } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await admin());
});

/** Reads a page past the cache. */
const read = async (path: string, by: { cookie?: string } = { cookie: "emporia_theme=dark" }) =>
  (await (await call(path, by)).text()).replaceAll(/<!-- -->/g, "");

const save = (fields: object) => call("/api/settings", { method: "PATCH", token, json: fields });

describe("How buying works", () => {
  it("is in the sitemap, says how long a hold and a quote last, and links to the reader's purchases", async () => {
    expect((await save({ holdDays: 3, quoteDays: 21 })).status).toBe(200);
    const page = await read("/how");
    expect(page).toContain("How buying works");
    expect(page).toMatch(/keep your things for you for 3 days/);
    expect(page).toContain("valid for 21 days");
    expect(page).toContain('href="/purchases"');
    expect(await read("/sitemap.xml")).toContain("/how</loc>");
  });

  it("has the returns of the settings as text, else those that the shop brings along", async () => {
    expect(await read("/how")).toContain("come by with the receipt");
    expect((await save({ returns: "30 days.\n<b>Unused</b> only." })).status).toBe(200);
    const page = await read("/how");
    expect(page).toContain("30 days.</p>");
    expect(page).toContain("&lt;b&gt;Unused&lt;/b&gt; only.");
    expect(page).not.toContain("come by with the receipt");
    expect((await save({ returns: "x".repeat(1001) })).status).toBe(400);
  });
});

describe("the footer", () => {
  it("has address with its map, hours, phone and e-mail of the settings, and what is empty is left out", async () => {
    const place = { address: "1 King Street", mapUrl: "https://maps.example/x", phone: "+1 416 555 0199" };
    expect((await save({ ...place, supportEmail: "hi@shop.example" })).status).toBe(200);
    const footer = (await read("/how")).split("<footer")[1] ?? "";
    expect(footer).toContain('<a href="https://maps.example/x">1 King Street</a>');
    expect(footer).toContain('<a href="tel:+14165550199">+1 416 555 0199</a>');
    expect(footer).toContain('<a href="mailto:hi@shop.example">hi@shop.example</a>');
    expect(footer).toContain("Tuesday to Saturday: 10:00 to 18:00");
    expect(footer).toContain('href="/how#returns"');
    expect((await save({ address: "", phone: "" })).status).toBe(200);
    const bare = (await read("/how")).split("<footer")[1] ?? "";
    expect(bare).not.toContain("King Street");
    expect(bare).not.toContain("tel:");
  });
});

describe("names of the settings", () => {
  it("stand in the terms and the web manifests", async () => {
    expect((await save({ name: "Nordlicht & Søn", engravingName: "Fine Cuts" })).status).toBe(200);
    expect(await read("/terms")).toContain("Fine Cuts, which engraves");
    expect(await read("/terms")).not.toContain("Laser Craft");
    const site = await call("/site.webmanifest");
    expect(site.headers.get("Content-Type")).toBe("application/manifest+json");
    expect(await site.json()).toMatchObject({
      name: "Nordlicht & Søn",
      short_name: "Nordlicht &",
      start_url: "/",
    });
    expect(await (await call("/admin.webmanifest")).json()).toMatchObject({
      name: "Nordlicht & Søn back office",
    });
  });
});

describe("the note about tax", () => {
  it("stands on the product's page and in the cart, of the business that sells it", async () => {
    const id = await addProduct({ name: "Lamp", category: "HOME_DECOR", stock: 3 });
    const engraved = await addProduct({ name: "Board", category: "ENGRAVING", stock: 3 });
    expect(await read(`/products/${id}`)).not.toContain("HST");
    await registerForTax("EMPORIA");
    await registerForTax("LASER", false);
    expect(await read(`/products/${id}?a`)).toContain("Prices include HST.</small>");
    expect(await read(`/products/${engraved}`)).toContain("Prices are without HST, 13% is added.</small>");
    const fields = { intent: "add", id, quantity: "1", redirectTo: "/cart" };
    const added = await call("/cart", {
      body: new URLSearchParams(fields),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await read("/cart", { cookie: cookiesOf(added) })).toContain(
      "Prices include HST. Nothing is charged here.",
    );
    expect(await read("/how")).toMatch(/Prices of [^<]+ include HST\. Prices of Fine Cuts are without HST/);
  });
});
