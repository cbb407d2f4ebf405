import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeAll, expect, inject, it } from "vitest";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { manager } from "../support/people";
import { importFile } from "../support/product-import";
import { hold, type SaleAnswer, sell } from "../support/sales";
import { call } from "../support/shop";

interface Unit {
  id: string;
  options: Record<string, string>;
  stock: number;
}
/** Unit as a request names it. */
type SentUnit = Partial<Unit> & Pick<Unit, "options"> & { price?: number | null };
interface Product {
  name: string;
  options: { name: string; values: string[] }[];
  units: Unit[];
  stock: number;
}

/** Invariants of stock, which hold whatever was done. */
const CHECKS = [
  "stock is the sum of the movements",
  "movements of a deleted unit add up to 0",
  "a product has the stock and the holds of its units",
  "units belong to a product",
  "the price of a product with own prices is the lowest of its units",
  "pieces on hold are those of the counted lines",
];

const at = fc.nat(3);
const pieces = fc.integer({ min: 1, max: 3 });
const STEP = fc.oneof(
  fc.record({ kind: fc.constant("count" as const), at, stock: fc.nat(9) }),
  fc.record({ kind: fc.constant("add to" as const), at, stock: fc.integer({ min: -3, max: 5 }) }),
  fc.record({ kind: fc.constant("sell" as const), at, quantity: pieces }),
  fc.record({ kind: fc.constant("hold" as const), at, quantity: pieces }),
  fc.record({ kind: fc.constant("release" as const) }),
  fc.record({ kind: fc.constant("credit" as const), restock: fc.boolean() }),
  fc.record({ kind: fc.constant("rename" as const), at }),
  fc.record({ kind: fc.constant("add" as const), stock: fc.nat(5) }),
  fc.record({ kind: fc.constant("remove" as const), at }),
  fc.record({ kind: fc.constant("price" as const), at, price: fc.option(fc.integer({ min: 1, max: 40 })) }),
  fc.record({ kind: fc.constant("divide" as const) }),
  fc.record({ kind: fc.constant("upload" as const), at, stock: fc.nat(9) }),
  fc.record({ kind: fc.constant("act" as const), act: fc.constantFrom("price", "delete") }),
  fc.record({ kind: fc.constant("undo" as const) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** Product of one history, with what was done to it. */
interface Place {
  id: string;
  name: string;
  holds: string[];
  sales: string[];
  runs: string[];
  names: number;
}

let token: string;
let done = 0;

beforeAll(async () => {
  ({ token } = await manager());
});

const put = (id: string, json: Record<string, unknown>) =>
  call(`/api/product/${id}`, { method: "PUT", json, token });
const sizeOf = (unit: Unit) => unit.options.Size ?? "";

/** Sends other units of a product, whose values are those of its only option. */
function replace(place: Place, units: SentUnit[]) {
  const values = units.map(({ options }) => options.Size ?? "");
  return put(place.id, { options: [{ name: "Size", values }], units });
}

async function dealOf(step: Step, place: Place, unit: Unit | undefined): Promise<Response | null> {
  const line = { ...(unit && unit.id !== place.id ? { unitId: unit.id } : { productId: place.id }) };
  if (step.kind === "sell") {
    const answer = await sell(token, { lines: [{ ...line, quantity: step.quantity, amount: 20 }] });
    const { documents = [] } = (await answer.clone().json()) as { documents?: SaleAnswer[] };
    place.sales.push(...documents.map(({ id }) => id));
    return answer;
  }
  if (step.kind === "hold") {
    const id = crypto.randomUUID();
    place.holds.push(id);
    const until = Math.floor(Date.now() / 1000) + 3600;
    return hold(token, { id, until, lines: [{ ...line, quantity: step.quantity }] });
  }
  if (step.kind === "release")
    return call(`/api/hold/${place.holds.pop() ?? "none"}`, { method: "DELETE", token, json: {} });
  if (step.kind === "credit") {
    const json = { restock: step.restock, paymentMode: "CARD", reason: "Model" };
    return call(`/api/sale/${place.sales.pop() ?? "none"}/credit`, { json, token });
  }
  return null;
}

/** Changes the units of a product. @returns null for another step */
async function changeOf(step: Step, place: Place, { units, options, stock }: Product, unit: Unit) {
  const others: SentUnit[] = units.map(({ id, options }) => ({ id, options }));
  const one = others.findIndex(({ id }) => id === unit.id);
  const { id, options: chosen } = unit;
  if (step.kind === "count")
    return put(place.id, { units: others.with(one, { id, options: chosen, stock: step.stock }) });
  if (step.kind === "price")
    return put(place.id, {
      units: others.with(one, { id, options: chosen, price: step.price }),
    });
  if (step.kind === "divide")
    return options.length === 0
      ? replace(place, [
          { options: { Size: "S" }, stock: Math.floor(stock / 2) },
          { options: { Size: "L" }, stock: Math.ceil(stock / 2) },
        ])
      : put(place.id, { options: [], stock });
  if (options.length === 0) return null;
  if (step.kind === "rename") {
    const options = { Size: `${++place.names} mm` };
    return replace(place, others.with(one, { id: unit.id, options }));
  }
  if (step.kind === "add")
    return replace(place, [...others, { options: { Size: `${++place.names} mm` }, stock: step.stock }]);
  if (step.kind === "remove") return replace(place, others.toSpliced(one, 1));
  return null;
}

/** Runs an upload, an act or an undo. */
async function runOf(step: Step, place: Place, { name }: Product, unit: Unit): Promise<Response | null> {
  if (step.kind === "upload") {
    const choice = unit.options.Size ? `,Size,${sizeOf(unit)}` : ",,";
    const csv = `name,price,stock,option1Name,option1Value\n${name},25,${step.stock}${choice}\n`;
    const { runId } = (await importFile(token, csv)) as { runId?: string };
    if (runId) place.runs.push(runId);
    return null;
  }
  if (step.kind === "act") {
    const json = { act: step.act, ids: [place.id], ...(step.act === "price" && { by: 5 }) };
    const answer = await call("/api/product/acts", { json, token });
    const { runId } = (await answer.clone().json()) as { runId?: string };
    if (runId) place.runs.push(runId);
    return answer;
  }
  if (step.kind !== "undo") return null;
  const path = `/api/product/bulk-upload/${place.runs.pop() ?? "none"}/undo`;
  const answer = await call(path, { method: "POST", token });
  const { runId } = (await answer.clone().json()) as { runId?: string };
  if (runId) place.runs.push(runId);
  return answer;
}

async function take(step: Step, place: Place): Promise<void> {
  const found = await call(`/api/product/id/${place.id}`, { token });
  // A deleted product may come back by an undo.
  if (!found.ok && step.kind !== "undo") return;
  const product = found.ok
    ? await found.json<Product>()
    : { name: place.name, options: [], units: [], stock: 0 };
  const unit = product.units["at" in step ? step.at % product.units.length : 0];
  if (step.kind === "add to" && unit) {
    const body = new URLSearchParams({
      intent: "setStock",
      id: unit.id,
      stock: step.stock < 0 ? String(step.stock) : `+${step.stock}`,
    });
    const answer = await call("/admin/inventory-management", { method: "POST", body, token });
    expect(answer.status).toBeLessThan(500);
    return;
  }
  const answer =
    (await dealOf(step, place, unit)) ??
    (unit ? await changeOf(step, place, product, unit) : null) ??
    (await runOf(step, place, product, unit ?? { id: place.id, options: {}, stock: 0 }));
  if (answer)
    expect([200, 201, 400, 404, 409], `${JSON.stringify(step)}: ${await answer.text()}`).toContain(
      answer.status,
    );
}

async function newPlace(): Promise<Place> {
  const name = `Model ring ${++done}`;
  const json = {
    ...{ name, price: 20, category: "JEWELRY", options: [{ name: "Size", values: ["5", "6", "7"] }] },
    units: ["5", "6", "7"].map((Size, at) => ({
      options: { Size },
      stock: 2 + at,
      ...(at === 1 && { price: 30 }),
    })),
  };
  const { id } = await (await call("/api/product", { json, token })).json<{ id: string }>();
  return { id, name, holds: [], sales: [], runs: [], names: 10 };
}

it("has the stock of its units, and each unit that of its movements, after any history", {
  timeout: 900_000,
}, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 14 }), async (history) => {
      const place = await newPlace();
      for (const step of history) await take(step, place);
      steps += history.length;
      const broken = await env.DB.batch<{ id: string }>(
        CHECKS.map((name) => env.DB.prepare(SALE_CHECKS[name] ?? "")),
      );
      expect(Object.fromEntries(CHECKS.map((name, i) => [name, broken[i]?.results]))).toEqual(
        Object.fromEntries(CHECKS.map((name) => [name, []])),
      );
    }),
    { numRuns: inject("modelRuns"), seed: inject("modelSeed"), endOnFailure: true },
  );
  expect(steps).toBeGreaterThan(inject("modelRuns") * 4);
});
