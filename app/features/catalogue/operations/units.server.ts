import type { Db } from "~/db/client.server";
import type { ProductOption } from "~/db/schema";
import { MAX_STOCK } from "~/domain/stock-levels";
import { choiceText, MAX_UNITS } from "~/domain/unit-name";
import { AppError, type ErrorDetail, fieldError, validationError } from "~/http/errors";
import { findProduct, type ProductRow } from "../queries.server";
import { unitsOf } from "../unit-views";
import { coloursOf, combinations, type ProductUnit, type UnitInput } from "../units";
import { findHoldsOf, type HoldOfUnit, type PlannedUnit, type UnitPlan } from "../units.queries.server";

/** Part of a request that is about a product's units. */
interface UnitChanges {
  options?: ProductOption[] | undefined;
  units?: UnitInput[] | undefined;
  stock?: number | undefined;
  colors?: string[] | undefined;
  /** Stock and holds that the caller saw; `units` are the ids of units. */
  was?: Record<string, unknown> | undefined;
}

/** Product before a change of its units; a new one has none. */
type Before = Pick<ProductRow, "id" | "options" | "stock"> & { units: ProductUnit[] };

const keyOf = (values: string[]) => values.map((value) => value.normalize("NFC").toLowerCase()).join("\n");
const isSameName = (a: string, b: string) => keyOf([a]) === keyOf([b]);

/**
 * Plans the units of a new product, or of one that changes.
 *
 * @param imageUrls entries of the product's pictures after the change
 * @returns null when the request says nothing about them
 * @throws AppError invalid (400) for units that don't fit the options; conflict (409) for a stock or colours that several
 * units have, for pieces that nobody divided, and for a unit whose stock has changed
 */
export function planUnits(before: Before, changes: UnitChanges, imageUrls: string[]): UnitPlan | null {
  const { options = before.options, units: sent } = changes;
  if (changes.options === undefined && sent === undefined) {
    refuseUndivided(before, changes);
    return null;
  }
  const units = options.length === 0 ? onlyUnit(before, changes) : chosenUnits(before, options, sent);
  refusePictures(units, imageUrls);
  refuseSameNames(units);
  refuseTooMany(units);
  const kept = new Set(units.map(({ id }) => id));
  const removed = before.units.map(({ id }) => id).filter((id) => !kept.has(id));
  refuseUnseenRemoval(before, removed, changes.was?.units);
  const plan = { options, units, removed, before: before.units };
  refuseLostPieces(before, plan, changes.stock);
  return plan;
}

/** Refuses to remove units that somebody else has added since the caller saw the product. */
function refuseUnseenRemoval({ id: only, units }: Before, removed: string[], seen: unknown): void {
  if (!Array.isArray(seen)) return;
  // The only unit of a product without options is listed by nobody.
  const unseen = units.filter(({ id }) => id !== only && removed.includes(id) && !seen.includes(id));
  if (unseen.length === 0) return;
  const message = `Somebody else has just added ${choices(unseen)}. Open the product again.`;
  throw new AppError("conflict", message, { details: [{ path: "units", message }], isPublic: true });
}

/** Plans the units of a new product. @returns null where the request says nothing about them */
export function planNewUnits(
  sent: UnitChanges & { id: string; stock: number; imageUrls: string[] },
): UnitPlan | null {
  const { id, stock, imageUrls } = sent;
  const only = {
    id,
    values: [],
    sku: "",
    barcode: "",
    priceCents: null,
    image: "",
    stock,
    held: 0,
    available: stock,
  };
  const isDivided = (sent.options ?? []).length > 0;
  const plan = planUnits({ id, options: [], stock, units: isDivided ? [] : [only] }, sent, imageUrls);
  // The only unit is stored with its product.
  return plan && { ...plan, before: isDivided ? [] : plan.units };
}

/** Refuses the stock or the colours of a product whose units have them. */
function refuseUndivided({ options, stock, units }: Before, changes: UnitChanges): void {
  if (options.length === 0) return;
  if (changes.stock !== undefined && changes.stock !== stock)
    throw fieldError(
      "conflict",
      "stock",
      `Its stock is counted for each choice: ${choices(units)}. Send “units”.`,
    );
  if (changes.colors && keyOf(changes.colors) !== keyOf(coloursOf(options)))
    throw fieldError("conflict", "colors", "Its choices have stock of their own. Send “options”.");
}

const choices = (units: Pick<ProductUnit, "values">[]) => {
  const named = units.slice(0, 5).map(({ values }) => choiceText(values));
  return `${named.join(", ")}${units.length > named.length ? ", …" : ""}`;
};

/** Plans the unit of a product without options, which has the product's id. */
function onlyUnit(before: Before, { units: sent = [], stock: ofProduct }: UnitChanges): PlannedUnit[] {
  const [input] = sent;
  if (sent.length > 1)
    throw fieldError("invalid", "units", "Several units need options that tell them apart.");
  if (input && Object.keys(input.options ?? {}).length > 0)
    throw fieldError("invalid", "units.0.options", "The product has no such option.");
  const stored = before.units.find(({ id }) => id === before.id);
  refuseStaleStocks([{ input, stored }]);
  const stock = input?.stock ?? ofProduct ?? before.stock;
  const unit = written({ id: before.id, values: [], input, stored });
  return [{ ...unit, stock, priceCents: null }];
}

interface Written {
  id: string;
  values: string[];
  input?: UnitInput | undefined;
  stored: ProductUnit | undefined;
}

/**
 * Refuses stocks that have changed since the caller saw them.
 *
 * @throws AppError conflict (409) with the current one beside each unit, and all by the unit's id in the detail `unitsWas`
 */
function refuseStaleStocks(units: Pick<Written, "input" | "stored">[]): void {
  const stale = units.flatMap(({ input, stored }, i) =>
    stored &&
    input?.stockWas !== undefined &&
    input.stockWas !== stored.stock &&
    input.stock !== undefined &&
    input.stock !== stored.stock
      ? [{ i, stored }]
      : [],
  );
  if (stale.length === 0) return;
  const named = stale.map(
    ({ stored: { values, stock } }) =>
      `${choiceText(values) || "The stock"} is ${stock.toLocaleString("en")} now`,
  );
  const now = Object.fromEntries(stale.map(({ stored: { id, stock } }) => [id, stock]));
  throw new AppError("conflict", `${named.slice(0, 5).join(", ")}. Nothing is saved.`, {
    details: [
      ...stale.map(({ i, stored: { stock } }) => ({
        path: `units.${i}.stock`,
        message: `Now ${stock.toLocaleString("en")}. Save again to overwrite it.`,
      })),
      { path: "unitsWas", message: JSON.stringify(now) },
    ],
    isPublic: true,
  });
}

/** Builds a unit: what the request says, else what is stored. */
function written({ id, values, input, stored }: Written): PlannedUnit {
  return {
    id,
    values,
    isNew: stored === undefined,
    sku: input?.sku ?? stored?.sku ?? "",
    barcode: input?.barcode ?? stored?.barcode ?? "",
    priceCents: input?.price === undefined ? (stored?.priceCents ?? null) : input.price,
    image: input?.image ?? stored?.image ?? "",
    stock: input?.stock ?? stored?.stock ?? 0,
  };
}

/** Plans the units of options: those of the request, else every combination of values. */
function chosenUnits(before: Before, options: ProductOption[], sent: UnitInput[] | undefined): PlannedUnit[] {
  const stored = withValues(before, options);
  if (!sent) {
    const all = combinations(options);
    if (all.length > MAX_UNITS)
      throw fieldError("invalid", "options", `${all.length} choices are more than ${MAX_UNITS}.`);
    return all.map((values) => {
      const unit = stored.get(keyOf(values));
      return written({ id: unit?.id ?? crypto.randomUUID(), values, stored: unit });
    });
  }
  const problems: ErrorDetail[] = [];
  const own = new Map(before.units.filter(({ id }) => id !== before.id).map((unit) => [unit.id, unit]));
  const taken = new Set<string>();
  const planned = sent.map((input, i) => {
    const fail = (path: string, message: string) => problems.push({ path: `units.${i}${path}`, message });
    const known = input.id === undefined ? undefined : own.get(input.id);
    if (input.id !== undefined && !known) fail(".id", "No such unit of this product");
    const values = valuesOf(before, options, input, known, fail);
    const unit = known ?? stored.get(keyOf(values));
    if (taken.has(keyOf(values))) fail(".options", "Two units have the same choice");
    taken.add(keyOf(values));
    return { id: unit?.id ?? crypto.randomUUID(), values, input, stored: unit };
  });
  if (new Set(planned.map(({ id }) => id)).size < planned.length)
    problems.push({ path: "units", message: "A unit is listed twice" });
  if (problems.length > 0) throw validationError(problems);
  refuseStaleStocks(planned);
  return planned.map(written);
}

/** Returns the stored units by their values, in the order of other options with the same names. */
function withValues({ options: was, units, id }: Before, options: ProductOption[]): Map<string, ProductUnit> {
  const places = options.map(({ name }) => was.findIndex((option) => isSameName(option.name, name)));
  const isSame = was.length === options.length && !places.includes(-1);
  if (!isSame) return new Map();
  const own = units.filter((unit) => unit.id !== id);
  return new Map(own.map((unit) => [keyOf(places.map((at) => unit.values[at] ?? "")), unit]));
}

/** Reads a unit's value of each option; those of a stored unit where the request names none. */
function valuesOf(
  before: Before,
  options: ProductOption[],
  input: UnitInput,
  stored: ProductUnit | undefined,
  fail: (path: string, message: string) => void,
): string[] {
  const sent = Object.entries(input.options ?? {});
  const unknown = sent.find(([name]) => !options.some((option) => isSameName(option.name, name)));
  if (unknown) fail(".options", `The product has no option “${unknown[0].slice(0, 60)}”`);
  return options.map(({ name, values }) => {
    const at = before.options.findIndex((option) => isSameName(option.name, name));
    const value = sent.find(([key]) => isSameName(key, name))?.[1] ?? stored?.values[at];
    const known = values.find((one) => value !== undefined && isSameName(one, value));
    if (known === undefined)
      fail(
        ".options",
        value === undefined ? `${name} is missing` : `${name} has no value “${value.slice(0, 60)}”`,
      );
    return known ?? "";
  });
}

function refusePictures(units: PlannedUnit[], imageUrls: string[]): void {
  const problems = units.flatMap(({ image }, i) =>
    image === "" || imageUrls.includes(image)
      ? []
      : [{ path: `units.${i}.image`, message: "Must be one of the product's pictures" }],
  );
  if (problems.length > 0) throw validationError(problems);
}

/** Refuses choices that read alike, such as `x / y, z` and `x, y / z`: carts and questions name a choice by its words. */
function refuseSameNames(units: PlannedUnit[]): void {
  const names = new Set<string>();
  for (const [i, { values }] of units.entries()) {
    const name = keyOf([choiceText(values)]);
    if (names.has(name))
      throw fieldError(
        "invalid",
        `units.${i}.options`,
        `Two choices are written “${choiceText(values)}”. Write a value without “ / ”`,
      );
    names.add(name);
  }
}

/** Refuses more pieces than a product may have. */
function refuseTooMany(units: PlannedUnit[]): void {
  const sum = units.reduce((total, { stock }) => total + stock, 0);
  if (sum <= MAX_STOCK) return;
  const [most, all] = [MAX_STOCK, sum].map((count) => count.toLocaleString("en"));
  throw fieldError("invalid", "units", `All choices together have ${all} pieces. At most ${most}`);
}

/** Refuses to begin or to end counting each choice with another number of pieces than the product has. */
function refuseLostPieces(
  { options, stock }: Before,
  { units, options: after, before }: UnitPlan,
  sent?: number,
): void {
  const isTurned = (options.length === 0) !== (after.length === 0);
  const isNew = before.length === 0 && stock === 0;
  const sum = units.reduce((total, unit) => total + unit.stock, 0);
  if (!isTurned || isNew || sum === stock || sent === sum) return;
  throw fieldError(
    "conflict",
    "units",
    `The choices have ${sum.toLocaleString("en")} pieces together, the product ${stock.toLocaleString("en")}. Divide them all.`,
  );
}

/** Explains why units could not be deleted. @throws AppError conflict (409) for one on hold */
export async function refuseHeldUnits(db: Db, { removed, before }: UnitPlan, row: ProductRow): Promise<void> {
  if (removed.length === 0 || before.length === 0) return;
  const holds = await findHoldsOf(db, "unit", removed);
  const first = holds[0]?.unitId;
  if (first === undefined) return;
  const unit = unitsOf(row).find(({ id }) => id === first);
  const name = choiceText(unit?.values ?? []) || row.name;
  throw onHold(
    name,
    holds.filter(({ unitId }) => unitId === first),
  );
}

/** Explains why a product could not be deleted. @throws AppError conflict (409) for one on hold */
export async function refuseHeldProduct(db: Db, id: string): Promise<void> {
  const holds = await findHoldsOf(db, "product", [id]);
  if (holds.length === 0) return;
  throw onHold((await findProduct(db, id))?.name ?? "The product", holds);
}

/** Holds that are named. */
const MAX_NAMED_HOLDS = 5;

/** Lists who has pieces on hold, and how many: `Ann Lee: 2, a customer: 1`. */
export function heldBy(holds: Pick<HoldOfUnit, "name" | "quantity">[]): string {
  const named = holds
    .slice(0, MAX_NAMED_HOLDS)
    .map(({ name, quantity }) => `${name || "a customer"}: ${quantity.toLocaleString("en")}`);
  return `${named.join(", ")}${holds.length > named.length ? ", …" : ""}`;
}

const onHold = (name: string, holds: HoldOfUnit[]) =>
  new AppError(
    "conflict",
    `${name} is on hold for ${heldBy(holds)}. Release ${holds.length === 1 ? "it" : "them"} first.`,
  );
