import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { press } from "../support/forms";
import { admin, manager } from "../support/people";
import { registerForTax, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

let token = "";
beforeAll(async () => {
  token = (await admin()).token;
});
beforeEach(async () => {
  await env.DB.exec("DELETE FROM shop_settings");
});

const page = async (path: string, by = token) => (await call(path, { token: by })).text();
/** Reads how many steps the list shows as done; null without a list. */
const done = async (path = "/admin/today", by = token) =>
  /(\d) of 6 done/.exec(await page(path, by))?.[1] ?? null;
const settings = (json: object) => call("/api/settings", { method: "PATCH", json, token });

describe("the steps of a new shop", () => {
  it("are closed for good by a form, which is in the audit log", async () => {
    expect(await done()).toBe("0");
    const answer = await press(await page("/admin/today"), /^Close this list/, {}, { token });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/admin/today"]);
    expect(await done()).toBeNull();
    // Fields that nobody has saved keep to their defaults.
    const content = await env.DB.prepare("SELECT content FROM shop_settings").first<string>("content");
    expect(JSON.parse(content ?? "")).toEqual({ isSetUp: true });
    const log = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'shopSettings' ORDER BY seq DESC LIMIT 1",
    ).first<string>("changes");
    expect(JSON.parse(log ?? "")).toEqual({ isSetUp: [false, true] });
  });

  it("are closed by admins alone", async () => {
    const html = await page("/admin/today");
    const { id, token: other } = await manager();
    await press(html, /^Close this list/, {}, { token: other });
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
    expect(await done()).toBe("0");
  });

  it("lead an admin from the empty shop to its first sale, on Today and on the dashboard", async () => {
    expect([await done(), await done("/admin")]).toEqual(["0", "0"]);
    await settings({ name: "Maple & Oak" });
    expect(await done()).toBe("1");
    await settings({ chatFollowsHours: true });
    expect(await done()).toBe("2");
    await registerForTax("EMPORIA");
    expect(await done()).toBe("3");
    const productId = await addProduct({ stock: 3 });
    expect(await done("/admin")).toBe("4");
    const colleague = (await manager()).token;
    expect(await done()).toBe("5");
    expect([await done("/admin/today", colleague), await done("/admin", colleague)]).toEqual([null, null]);
    await sold(token, { lines: [{ productId, quantity: 1, amount: 20 }] });
    expect([await done(), await done("/admin")]).toEqual([null, null]);
  });
});
