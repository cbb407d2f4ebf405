import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lastLogged } from "../support/audit";
import { manager } from "../support/people";
import { call } from "../support/shop";

interface Unit {
  id: string;
  options: Record<string, string>;
}

let token: string;
let id: string;
let units: Unit[];

beforeAll(async () => {
  ({ token } = await manager());
});

const product = async () => (await call(`/api/product/id/${id}`, { token })).json<{ units: Unit[] }>();
const change = async (json: Record<string, unknown>) => {
  const answer = await call(`/api/product/${id}`, { method: "PUT", json, token });
  expect(answer.status, await answer.clone().text()).toBe(200);
};
const upload = async (csv: string) => {
  const body = new FormData();
  body.set("file", new File([csv], "sizes.csv"));
  const answer = await call("/api/product/bulk-upload", { method: "POST", body, token });
  return answer.json<{ runId: string }>();
};
const idsOf = () => units.map((unit) => ({ id: unit.id }));

beforeEach(async () => {
  const json = {
    ...{ name: `Logged ring ${crypto.randomUUID()}`, price: 20, category: "JEWELRY" },
    options: [{ name: "Size", values: ["5", "6"] }],
    units: [
      { options: { Size: "5" }, sku: "LOG-5", stock: 2 },
      { options: { Size: "6" }, price: 30, stock: 3 },
    ],
  };
  ({ id } = await (await call("/api/product", { json, token })).json<{ id: string }>());
  ({ units } = await product());
});

describe("the audit log of a product's units", () => {
  it("says which unit has another price, stock, SKU and barcode", async () => {
    const [first, second] = idsOf();
    await change({
      units: [
        { ...first, stock: 7, sku: "LOG-FIVE" },
        { ...second, price: null, barcode: "4006381333931" },
      ],
    });
    expect(await lastLogged(id)).toBe(
      "5: SKU: LOG-5 → LOG-FIVE; 5: Stock: 2 → 7; 6: Barcode: 4006381333931; 6: Own price: $30.00 → none",
    );
  });

  it("names the options that changed, units that came and went, and one that is called otherwise", async () => {
    const [first] = units;
    await change({
      options: [{ name: "Size", values: ["5 mm", "7"] }],
      units: [
        { id: first?.id, options: { Size: "5 mm" } },
        { options: { Size: "7" }, stock: 4 },
      ],
    });
    expect(await lastLogged(id)).toBe(
      "Options: Size: 5, 6 → Size: 5 mm, 7; 6: there → none; 5 mm: Choice: 5 → 5 mm; 7: 4 in stock",
    );
  });

  it("names another name of an option alone", async () => {
    await change({
      options: [{ name: "Width", values: ["5", "6"] }],
      units: units.map((unit) => ({ id: unit.id, options: { Width: unit.options.Size } })),
    });
    expect(await lastLogged(id)).toBe("Options: Size: 5, 6 → Width: 5, 6");
  });

  it("says whose stock the inventory changes", async () => {
    const body = new URLSearchParams({
      intent: "setStock",
      id: units[1]?.id ?? "",
      stock: "+4",
      change: crypto.randomUUID().slice(0, 8),
    });
    await call("/admin/inventory-management", { method: "POST", body, token });
    expect(await lastLogged(id)).toBe("Stock: 5 → 9; 6: Stock: 3 → 7");
  });

  it("has nothing of units that are sent as they are", async () => {
    await change({ units: idsOf() });
    expect(await lastLogged(id)).not.toContain("5:");
  });

  it("says what a file and its undo change", async () => {
    const { name } = await (await call(`/api/product/id/${id}`, { token })).json<{ name: string }>();
    const { runId } = await upload(
      `name,price,stock,option1Name,option1Value,sku\n${name},20,9,Size,5,LOG-5\n${name},32,3,Size,6,LOG-6\n`,
    );
    expect(await lastLogged(id)).toBe("5: Stock: 2 → 9; 6: SKU: LOG-6; 6: Own price: $30.00 → $32.00");
    await call(`/api/product/bulk-upload/${runId}/undo`, { method: "POST", token });
    expect(await lastLogged(id)).toBe("5: Stock: 9 → 2; 6: SKU: LOG-6 → none; 6: Own price: $32.00 → $30.00");
  });

  it("says which code of an only unit a file changes", async () => {
    const only = { name: `Logged pin ${crypto.randomUUID()}`, price: 5, category: "OTHERS" };
    ({ id } = await (await call("/api/product", { json: only, token })).json<{ id: string }>());
    await upload(`name,sku\n${only.name},PIN-1\n`);
    expect(await lastLogged(id)).toBe("SKU: PIN-1");
  });
});
