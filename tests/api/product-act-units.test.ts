import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { ActResult } from "~/features/product-admin/operations/acts.server";
import { lastLogged as logged } from "../support/audit";
import { manager } from "../support/people";
import { hold } from "../support/sales";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

const acted = async (json: Record<string, unknown>): Promise<ActResult> =>
  (await call("/api/product/acts", { json, token })).json();

describe("an act on a product whose units have own prices, stock and codes", () => {
  const units = (id: string) =>
    env.DB.prepare(
      `SELECT u.id, u.option_values, u.sku, u.barcode, u.price_cents, u.stock, p.base_cents, p.price_cents AS lowest
       FROM units AS u JOIN products AS p ON p.id = u.product_id WHERE p.id = ? ORDER BY u.position`,
    )
      .bind(id)
      .all<Record<string, unknown>>()
      .then(({ results }) => results);
  const undo = async (run: string | null) =>
    (await call(`/api/product/bulk-upload/${run}/undo`, { method: "POST", token })).json<
      Record<string, unknown>
    >();
  const addRing = async () => {
    const ring = {
      ...{ name: "Own ring", price: 20, category: "JEWELRY" },
      options: [{ name: "Size", values: ["5", "6", "7"] }],
      units: [
        { options: { Size: "5" }, sku: "RING-5", stock: 2 },
        { options: { Size: "6" }, price: 30, barcode: "4006381333931", stock: 3 },
        { options: { Size: "7" }, price: 0.5, stock: 4 },
      ],
    };
    const created = await call("/api/product", { json: ring, token });
    return (await created.json<{ id: string }>()).id;
  };

  it("changes all prices by the same, shows them first, and takes them back", async () => {
    const id = await addRing();
    const before = await units(id);
    const up = { act: "price", by: 10, round: ".99", ids: [id] };
    const [preview] = (await acted({ ...up, dryRun: true })).products;
    expect(preview).toMatchObject({ before: "$20.00", after: "$21.99", percent: "+10.0 %" });
    expect(preview?.units).toEqual([
      { id: before[1]?.id, name: "6", before: "$30.00", after: "$32.99", percent: "+10.0 %" },
      { id: before[2]?.id, name: "7", before: "$0.50", after: "$0.99", percent: "+98.0 %" },
    ]);
    const [first, second] = await Promise.all([
      acted({ ...up, id: "ring-up" }),
      acted({ ...up, id: "ring-up" }),
    ]);
    expect([first.changed, second.changed]).toEqual([1, 1]);
    const after = await units(id);
    expect(after.map(({ price_cents, base_cents, lowest }) => [price_cents, base_cents, lowest])).toEqual([
      [null, 2199, 99],
      [3299, 2199, 99],
      [99, 2199, 99],
    ]);
    expect(await logged(id)).toBe(
      "Price: $20.00 → $21.99; 6: Own price: $30.00 → $32.99; 7: Own price: $0.50 → $0.99",
    );
    expect(first.runId).toBe(first.id);
    const undone = await undo(first.runId);
    expect(await logged(id)).toBe(
      "Price: $21.99 → $20.00; 6: Own price: $32.99 → $30.00; 7: Own price: $0.99 → $0.50",
    );
    expect(undone).toMatchObject({ updated: 1, stayed: 0, partial: 0 });
    expect(await units(id)).toEqual(before);
    await undo(String(undone.runId));
    expect(await units(id)).toEqual(after);
  });

  it("leaves it where one price would not be above 0", async () => {
    const id = await addRing();
    const result = await acted({ act: "price", by: -1, unit: "amount", ids: [id] });
    expect(result).toMatchObject({ changed: 0, left: [{ reason: expect.stringContaining("$0.50") }] });
  });

  it("deletes it, and brings it back with its units: ids, stock, SKUs and barcodes", async () => {
    const id = await addRing();
    const before = await units(id);
    const { id: run, changed } = await acted({ act: "delete", ids: [id] });
    expect(changed).toBe(1);
    expect(await units(id)).toEqual([]);
    const moved = `SELECT sum(quantity) AS n FROM stock_movements WHERE product_id = '${id}'`;
    expect(await env.DB.prepare(moved).first("n")).toBe(0);
    expect(await undo(run)).toMatchObject({ created: 1 });
    expect(await units(id)).toEqual(before);
    expect(await env.DB.prepare(moved).first("n")).toBe(9);
  });

  it("names who holds a unit of it, and keeps it", async () => {
    const id = await addRing();
    const [{ id: unitId } = { id: "" }] = await units(id);
    const until = Math.floor(Date.now() / 1000) + 3600;
    await hold(token, { until, lines: [{ unitId, quantity: 1 }] });
    const { left } = await acted({ act: "delete", ids: [id] });
    expect(left).toMatchObject([{ id, reason: "On hold for a customer: 1" }]);
    expect(await units(id)).toHaveLength(3);
  });
});
