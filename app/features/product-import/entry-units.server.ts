import type { Db } from "~/db/client.server";
import type { ProductOption } from "~/db/schema";
import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { choiceText, MAX_UNITS } from "~/domain/unit-name";
import { planNewUnits, planUnits } from "~/features/catalogue/operations/units.server";
import { coloursOf, type ProductUnit, type UnitInput, valuesByName } from "~/features/catalogue/units";
import type { UnitPlan, UnitWrite } from "~/features/catalogue/units.queries.server";
import { AppError } from "~/http/errors";
import { MAX_LIST_LENGTH } from "~/records/fields";
import type { Entry } from "./merge-rows.server";
import type { PlannedChange } from "./plan";
import { findUnits, type StoredProduct } from "./queries/products.server";
import type { ReadUnit, ReadUnits } from "./read-units";
import { storedProducts } from "./stored.server";
import { choiceKey } from "./variants";

/** Units that a product of a file gets. */
export interface EntryPlan extends UnitWrite {
  /** Changes of its units, as readers see them. */
  changes: PlannedChange[];
}

/** Outline of a plan until it is made again to be stored: the units of all products of a file are too many to be held. */
export interface PlanOutline {
  changes: PlannedChange[];
  /** Bytes of the units as JSON. */
  bytes: number;
  units: number;
  pieces: number;
  /** Lowest price of a unit where they have several, in cents. */
  fromCents: number | null;
}

/** Bytes of the JSON around the units of a product. */
const PRODUCT_BYTES = 150;

export function outlineOf({ plan: { units }, priceCents, changes }: EntryPlan): PlanOutline {
  const prices = new Set(units.map((unit) => unit.priceCents ?? priceCents));
  return {
    changes,
    bytes: Buffer.byteLength(JSON.stringify(units)) + PRODUCT_BYTES,
    units: units.length,
    pieces: sumOf(units),
    fromCents: prices.size > 1 ? Math.min(...prices) : null,
  };
}

interface DividedProduct extends StoredProduct {
  units: ProductUnit[];
}

/** Units of a product whose changes a dry run names. */
const MAX_NAMED = 6;

/** Products with their plans, and those that break a rule, with the message of their rows. */
interface PlannedEntries {
  plans: Map<Entry, EntryPlan>;
  refused: { entry: Entry; error: string }[];
}

/**
 * Plans the units of the products that have several in a file, by the rules of the product API. Units that the file doesn't name
 * stay, unless it names other options.
 */
export async function planEntryUnits(db: Db, entries: Entry[]): Promise<PlannedEntries> {
  const planned: PlannedEntries = { plans: new Map(), refused: [] };
  const divided = entries.filter(({ values }) => values.units !== null);
  if (divided.length === 0) return planned;
  const stored = await storedProducts(db, divided);
  const units = await findUnits(
    db,
    divided.flatMap((entry) => stored(entry)?.id ?? []),
  );
  for (const entry of divided) {
    const product = stored(entry);
    try {
      const plan = planEntry(entry, product && { ...product, units: units.get(product.id) ?? [] });
      if (plan) planned.plans.set(entry, plan);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      planned.refused.push({ entry, error: error.details?.[0]?.message ?? error.message });
    }
  }
  return planned;
}

/** Plans the units of a product, and gives it the price and the colors of them; null where they stay. */
function planEntry(entry: Entry, stored: DividedProduct | undefined): EntryPlan | null {
  const { units: read } = entry.values;
  // A new product without a price is rejected when it is stored.
  if (!read || (!stored && read.priceCents === null)) return null;
  const { imageUrls } = entry.values;
  if (stored && imageUrls) entry.values = { ...entry.values, imageUrls: withKept(imageUrls, stored, read) };
  const plan = stored ? planStored(stored, read, entry) : planNew(entry, read, read.priceCents ?? 0);
  const own = plan
    ? { priceCents: plan.priceCents, colors: coloursOf(plan.plan.options) }
    : { priceCents: null, colors: null };
  entry.values = { ...entry.values, ...own, stock: null };
  return plan;
}

const inputOf = (read: ReadUnits, unit: ReadUnit, price: number | null | undefined): UnitInput => ({
  options: valuesByName(read.options, unit.values),
  ...(unit.sku !== null && { sku: unit.sku }),
  ...(unit.barcode !== null && { barcode: unit.barcode }),
  ...(price !== undefined && { price }),
  ...(unit.stock !== null && { stock: unit.stock }),
  ...(unit.image !== null && { image: unit.image }),
});

function planNew({ id, values }: Entry, read: ReadUnits, priceCents: number): EntryPlan | null {
  const units = read.units.map((unit) => inputOf(read, unit, unit.cents === priceCents ? null : unit.cents));
  const plan = planNewUnits({
    id,
    stock: 0,
    imageUrls: values.imageUrls ?? [],
    options: read.options,
    units,
  });
  return plan && { plan, productId: id, priceCents, changes: [] };
}

/** Unit of a file, or a stored one that the file doesn't name, with its price in cents. */
interface Row {
  read: ReadUnit | null;
  stored: ProductUnit | null;
  cents: number | null;
}

/** Plans the units of a stored product; null where nothing changes. */
function planStored(stored: DividedProduct, read: ReadUnits, { values }: Entry): EntryPlan | null {
  const isSame = hasSameOptions(stored.options, read.options);
  const rows = rowsOf(stored, read, isSame);
  const imageUrls = values.imageUrls ?? stored.imageUrls;
  const options = isSame ? joinedOptions(stored, read, rows) : read.options;
  refuseManyUnits(rows.length);
  const price = priceOf(stored, rows, read.priceCents);
  const units = rows.map((row) => storedInput(row, read, price, { imageUrls, stored }));
  const isCounted = read.units.every(({ stock }) => stock !== null);
  const stock = isCounted && stored.options.length === 0 ? sumOf(read.units) : undefined;
  const plan = planUnits(stored, { options, units, stock }, imageUrls);
  if (!plan) return null;
  refuseHeld(stored, plan.removed);
  const named = new Set(
    rows.flatMap(({ read }, at) => (read && read.stock !== null ? [plan.units[at]?.id ?? ""] : [])),
  );
  const counted = new Set(plan.units.flatMap(({ id, isNew }) => (isNew || named.has(id) ? [id] : [])));
  const changes = changesOf(stored, plan, price.cents);
  return changes.length === 0
    ? null
    : { plan, productId: stored.id, priceCents: price.cents, counted, changes };
}

/** Adds to a file's pictures those of stored units for which it names none, as many as a product may have. */
function withKept(imageUrls: string[], stored: DividedProduct, read: ReadUnits): string[] {
  const rows = rowsOf(stored, read, hasSameOptions(stored.options, read.options));
  const kept = rows.flatMap(({ read, stored }) => (stored?.image && !read?.image ? [stored.image] : []));
  return [...new Set([...imageUrls, ...kept])].slice(0, Math.max(MAX_LIST_LENGTH, imageUrls.length));
}

const sumOf = (units: { stock: number | null }[]) => units.reduce((sum, { stock }) => sum + (stock ?? 0), 0);

/** Tells whether a file names the stored options; others replace them. */
const hasSameOptions = (stored: ProductOption[], read: ProductOption[]) =>
  stored.length === read.length && !placesOf(stored, read).includes(-1);

/** Returns the place in the file's options of each stored one; -1 for none. */
const placesOf = (stored: ProductOption[], read: ProductOption[]) =>
  stored.map(({ name }) => read.findIndex((each) => choiceKey(each.name) === choiceKey(name)));

/** Joins the stored values of the same options with new ones; the new name of a value takes its place. */
function joinedOptions({ options, units }: DividedProduct, read: ReadUnits, rows: Row[]): ProductOption[] {
  const places = placesOf(options, read.options);
  return options.map(({ name, values }, option) => {
    const after = ({ read: found, stored }: Row) =>
      (found ? found.values[places[option] ?? -1] : stored?.values[option]) ?? "";
    const known = new Map(values.map((value) => [choiceKey(value), value]));
    const used = new Set(rows.map((row) => choiceKey(after(row))));
    const had = new Set(units.map((unit) => choiceKey(unit.values[option] ?? "")));
    const isLost = (value: string) => had.has(choiceKey(value)) && !used.has(choiceKey(value));
    const joined = values.flatMap((value) =>
      isLost(value)
        ? rows.flatMap((row) => (row.stored?.values[option] === value ? [after(row)] : []))
        : [value],
    );
    const added = [...joined, ...rows.map(after)];
    return {
      name,
      values: [
        ...new Map(added.map((value) => [choiceKey(value), known.get(choiceKey(value)) ?? value])).values(),
      ],
    };
  });
}

/**
 * Pairs the stored units with those of the file, by an SKU that one of each has, then by the choice. The stored ones come in
 * their order, new ones follow; with other options, what the file doesn't name goes.
 */
function rowsOf({ options, units }: DividedProduct, read: ReadUnits, isSame: boolean): Row[] {
  const pairs = pairsBySku(options.length > 0 ? units : [], read.units);
  const paired = new Set(pairs.values());
  const places = placesOf(options, read.options);
  const keyOf = (values: string[]) => JSON.stringify(values.map(choiceKey));
  const open = read.units.filter((unit) => !paired.has(unit));
  const byChoice = new Map(
    isSame ? open.map((unit) => [keyOf(places.map((at) => unit.values[at] ?? "")), unit]) : [],
  );
  const known = units.map((unit): Row => {
    const key = keyOf(unit.values);
    const found = pairs.get(unit) ?? byChoice.get(key) ?? null;
    if (!pairs.has(unit)) byChoice.delete(key);
    return { read: found, stored: unit, cents: found?.cents ?? null };
  });
  const kept = known.filter((row) => isSame || row.read !== null);
  const taken = new Set(kept.map((row) => row.read));
  const isNew = (unit: ReadUnit) => !taken.has(unit);
  return [
    ...kept,
    ...read.units.filter(isNew).map((unit) => ({ read: unit, stored: null, cents: unit.cents })),
  ];
}

/** Pairs units by an SKU that only one of the product and one of the file has. */
function pairsBySku(stored: ProductUnit[], read: ReadUnit[]): Map<ProductUnit, ReadUnit> {
  const bySku = <U extends { sku: string | null }>(units: U[]) =>
    Map.groupBy(
      units.filter(({ sku }) => sku),
      ({ sku }) => choiceKey(sku ?? ""),
    );
  const named = bySku(read);
  return new Map(
    [...bySku(stored)].flatMap(([sku, [unit, ...others]]) => {
      const [found, ...more] = named.get(sku) ?? [];
      return unit && found && others.length + more.length === 0 ? [[unit, found] as const] : [];
    }),
  );
}

interface PlannedPrice {
  /** Price of the product, in cents. */
  cents: number;
  /** Price of a row's unit; null for the product's, undefined to leave it. */
  ofRow(row: Row): number | null | undefined;
}

/** Decides which price is the product's: the stored one while a unit has it, else the first of the file. */
function priceOf(product: DividedProduct, rows: Row[], first: number | null): PlannedPrice {
  const before = ({ stored }: Row) => stored && (stored.priceCents ?? product.priceCents);
  const effective = (row: Row) => row.cents ?? before(row);
  const isKept = rows.every((row) => row.stored !== null && effective(row) === before(row));
  if (isKept) return { cents: product.priceCents, ofRow: () => undefined };
  const isUsed = first === null || rows.some((row) => effective(row) === product.priceCents);
  const cents = isUsed ? product.priceCents : first;
  return { cents, ofRow: (row) => ((effective(row) ?? cents) === cents ? null : effective(row)) };
}

function storedInput(
  row: Row,
  read: ReadUnits,
  price: PlannedPrice,
  { imageUrls, stored: { options } }: { imageUrls: string[]; stored: DividedProduct },
): UnitInput {
  const { stored } = row;
  const own = row.read
    ? inputOf(read, row.read, price.ofRow(row))
    : { options: valuesByName(options, stored?.values ?? []), price: price.ofRow(row) };
  // A picture that the product no longer has leaves its units too.
  const isLost =
    own.image === undefined && stored !== null && stored.image !== "" && !imageUrls.includes(stored.image);
  return { ...own, ...(stored && { id: stored.id }), ...(isLost && { image: "" }) };
}

function refuseManyUnits(count: number): void {
  if (count <= MAX_UNITS) return;
  throw new AppError(
    "invalid",
    `With those that are stored it would have ${count} variants. Must be at most ${MAX_UNITS} units`,
  );
}

/** Refuses to remove units that are on hold. @throws AppError conflict (409) */
function refuseHeld({ units, name }: DividedProduct, removed: string[]): void {
  const held = units.find((unit) => unit.held > 0 && removed.includes(unit.id));
  if (!held) return;
  const what = choiceText(held.values) || name;
  throw new AppError(
    "conflict",
    `${what} is on hold: ${held.held}. Release it first, then send the row again`,
  );
}

/** Describes the changes of units by a plan; empty for nothing. */
function changesOf(stored: DividedProduct, plan: UnitPlan, cents: number): PlannedChange[] {
  const { options, units, removed } = plan;
  const names = (of: ProductOption[]) => of.map(({ name }) => name).join(", ");
  if (stored.options.length === 0) return [divided(stored, plan), ...ownPrices(stored, plan, cents)];
  const changes: PlannedChange[] = [];
  if (names(options) !== names(stored.options))
    changes.push({ field: "Choices", from: names(stored.options), to: names(options) });
  if (removed.length > 0 || units.some(({ isNew }) => isNew))
    changes.push({ field: "Units", from: String(stored.units.length), to: String(units.length) });
  const before = new Map(stored.units.map((unit) => [unit.id, unit]));
  const ofUnits = units.flatMap((unit) => {
    const was = before.get(unit.id);
    return was ? unitChanges({ was, wasPrice: stored.priceCents }, { unit, price: cents }) : [];
  });
  const more = ofUnits.length - MAX_NAMED;
  changes.push(...ofUnits.slice(0, MAX_NAMED));
  if (more > 0) changes.push({ field: "Further changes", from: "none", to: grouped(more) });
  return changes;
}

function divided(stored: DividedProduct, { units, options }: UnitPlan): PlannedChange {
  const parts = units.slice(0, MAX_NAMED).map(({ stock }) => grouped(stock));
  const sum = `${parts.join(" + ")}${units.length > MAX_NAMED ? " + …" : ""} = ${grouped(sumOf(units))}`;
  const names = options.map(({ name }) => name).join(", ");
  return {
    field: "Stock",
    from: `${grouped(stored.stock)}, counted together`,
    to: `${units.length} ${units.length === 1 ? "unit" : "units"} by ${names}: ${sum}`,
  };
}

/** Says what the units of a product will cost that has one price; empty where all cost what it does. */
function ownPrices({ priceCents }: DividedProduct, { units }: UnitPlan, cents: number): PlannedChange[] {
  const prices = units.map((unit) => unit.priceCents ?? cents);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  if (low === high && low === cents) return [];
  const to = low === high ? dollars(low) : `${dollars(low)} to ${dollars(high)}`;
  return [{ field: "Prices", from: dollars(priceCents), to }];
}

function unitChanges(
  { was, wasPrice }: { was: ProductUnit; wasPrice: number },
  { unit, price }: { unit: UnitPlan["units"][number]; price: number },
): PlannedChange[] {
  const [before, after] = [was.priceCents ?? wasPrice, unit.priceCents ?? price];
  const renamed = { from: choiceText(was.values), to: choiceText(unit.values) };
  const pairs: [string, string, string][] = [
    ["Price", dollars(before), dollars(after)],
    ["Stock", grouped(was.stock), grouped(unit.stock)],
    ["SKU", was.sku, unit.sku],
    ["Barcode", was.barcode, unit.barcode],
    ["Picture", was.image, unit.image],
  ];
  const changes = pairs.flatMap(([field, from, to]) =>
    from === to ? [] : [{ field: `${field}, ${renamed.to}`, from: from || "none", to: to || "none" }],
  );
  return renamed.from === renamed.to ? changes : [{ field: "Choice", ...renamed }, ...changes];
}
