import type { ProductOption } from "~/db/schema";
import { MAX_STOCK } from "~/domain/stock-levels";
import { imageEntry } from "~/features/catalogue/product-rules";
import { OptionsRule, UnitsRule } from "~/features/catalogue/units";
import { splitCurrency } from "./currency";
import type { Draft, DraftVariant } from "./draft";
import { type NumberStyle, type Parsed, type Problem, parsePrice, parseStock, quoted } from "./money";
import { type Cell, textOf } from "./sheet";
import { choiceKey } from "./variants";

/** Unit of a file; null for a blank, which keeps the stored value. */
export interface ReadUnit {
  /** One value of each option. */
  values: string[];
  sku: string | null;
  barcode: string | null;
  /** Price that its row names, in cents. */
  cents: number | null;
  /** Amount beyond the price of the stored product, in cents; none keeps the stored price. */
  surchargeCents?: number | null;
  stock: number | null;
  /** Entry of a picture; null for none. */
  image: string | null;
}

/** Options and units of a product of a file. */
export interface ReadUnits {
  options: ProductOption[];
  units: ReadUnit[];
  /** Price of the product in the file, in cents: its own where a unit has it, else that of the first; null for none. */
  priceCents: number | null;
}

interface UnitStyles {
  price: NumberStyle;
  stock: NumberStyle;
  /** Stock of what the other system does not count; null leaves it. */
  untracked: number | null;
}

/** Problems of a product that its message names. */
const MAX_PROBLEMS = 3;

/** Parses the variants of a product by the rules of options and units. */
export function readUnits(draft: Draft, styles: UnitStyles): Parsed<ReadUnits> {
  const { variants = [] } = draft;
  const notes = new Set<string>();
  const problems: Problem[] = [];
  const take = <T>(read: Parsed<T> | null, line: number): T | null => {
    if (read && "problem" in read) problems.push({ ...read, problem: `Row ${line}: ${read.problem}` });
    else if (read?.note) notes.add(read.note);
    return read && "value" in read ? read.value : null;
  };
  const options = optionsOf(draft);
  const units = variants.map((variant): ReadUnit => {
    const stock = textOf(variant.stock);
    return {
      values: valuesOf(variant, options),
      sku: variant.sku || null,
      barcode: variant.barcode || null,
      cents:
        textOf(variant.price) === ""
          ? null
          : take(parsePrice(variant.price ?? "", styles.price, draft.currency), variant.line),
      ...(variant.surcharge !== undefined && {
        surchargeCents: take(parseSurcharge(variant.surcharge, styles.price), variant.line),
      }),
      stock: variant.isUncounted
        ? styles.untracked
        : stock === ""
          ? null
          : take(parseStock(variant.stock ?? "", styles.stock, MAX_STOCK), variant.line),
      image: entryOf(variant.image),
    };
  });
  problems.push(...choiceProblems(variants, options, units), ...ruleProblems(variants, options, units));
  const [first] = problems;
  const priceCents = priceOf(draft, units, styles.price);
  if (!first)
    return { value: { options, units, priceCents }, ...(notes.size > 0 && { note: [...notes].join("; ") }) };
  const named = problems.slice(0, MAX_PROBLEMS).map(({ problem }) => problem);
  return { problem: named.join(", "), hint: first.hint };
}

/** Parses an amount beyond a price, which may be 0 or below it. */
function parseSurcharge(cell: Cell, style: NumberStyle): Parsed<number> {
  const text = textOf(cell);
  if (/^[-+]?[.,]?0[0.,]*$/.test(splitCurrency(text).number.trim())) return { value: 0 };
  const isLess = /^-.*\d/.test(text);
  const read = parsePrice(isLess ? text.slice(1) : cell, style);
  return isLess && "value" in read ? { ...read, value: -read.value } : read;
}

function priceOf({ price }: Draft, units: ReadUnit[], style: NumberStyle): number | null {
  const prices = units.flatMap(({ cents }) => cents ?? []);
  const own = parsePrice(price ?? "", style);
  return "value" in own && prices.includes(own.value) ? own.value : (prices[0] ?? null);
}

/** Returns the entry of a picture; null for none, and for what is none. */
const entryOf = (url: string) =>
  url === "" ? null : (imageEntry.safeParse(url.replace(/^http:/i, "https:")).data ?? null);

/** Lists the options of variants with the values that they have, in the order of the file. */
function optionsOf({ variants = [], listed = [] }: Draft): ProductOption[] {
  const found = new Map<string, { name: string; values: Map<string, string>; used: Set<string> }>();
  const optionOf = (name: string) => {
    const option = found.get(choiceKey(name)) ?? { name, values: new Map(), used: new Set<string>() };
    found.set(choiceKey(name), option);
    return option;
  };
  for (const [name, values] of listed)
    for (const value of values) optionOf(name).values.set(choiceKey(value), value);
  for (const { options } of variants)
    for (const [name, value] of options) {
      if (value === "") continue;
      const option = optionOf(name);
      const key = choiceKey(value);
      if (!option.values.has(key)) option.values.set(key, value);
      option.used.add(key);
    }
  return [...found.values()].map(({ name, values, used }) => ({
    name,
    values: [...values].flatMap(([key, value]) => (used.has(key) ? [value] : [])),
  }));
}

/** Returns a variant's value of each option, as the option writes it; "" for one that it lacks. */
function valuesOf({ options: own }: DraftVariant, options: ProductOption[]): string[] {
  return options.map(({ name, values }) => {
    const value = own.find((each) => choiceKey(each[0]) === choiceKey(name))?.[1] ?? "";
    return values.find((each) => choiceKey(each) === choiceKey(value)) ?? "";
  });
}

/** Finds variants without a value of an option, and those of one choice. */
function choiceProblems(variants: DraftVariant[], options: ProductOption[], units: ReadUnit[]): Problem[] {
  const lines = new Map<string, number>();
  return variants.flatMap(({ line }, at): Problem[] => {
    const { values = [] } = units[at] ?? {};
    const blank = values.indexOf("");
    if (blank !== -1)
      return [
        {
          problem: `Row ${line} has no ${options[blank]?.name ?? "value"}`,
          hint: "Every variant needs a value of each option",
        },
      ];
    const key = JSON.stringify(values);
    const earlier = lines.get(key);
    lines.set(key, earlier ?? line);
    if (earlier === undefined) return [];
    const choice = values.join(" / ");
    return [
      {
        problem: `Rows ${earlier} and ${line} have the same choice, ${choice}`,
        hint: "Every variant needs a choice of its own",
      },
    ];
  });
}

/** Applies the rules of the product API, and names the row of what they refuse. */
function ruleProblems(variants: DraftVariant[], options: ProductOption[], units: ReadUnit[]): Problem[] {
  // Prices, stocks and pictures were parsed already, by stricter rules.
  const codes = units.map(({ sku, barcode }) => ({ sku: sku ?? "", barcode: barcode ?? "" }));
  const [read, ofUnits] = [OptionsRule.safeParse(options), UnitsRule.safeParse(codes)];
  const problems: Problem[] = [];
  for (const { message, path } of read.error?.issues ?? [])
    problems.push({
      problem: `Options${path.length > 0 ? ` ${quoted(String(options[Number(path[0])]?.name))}` : ""}`,
      hint: message,
    });
  for (const { message, path } of ofUnits.error?.issues ?? []) {
    const line = variants[Number(path[0])]?.line;
    problems.push({
      problem: line === undefined ? `${units.length} variants` : `Row ${line}: ${String(path[1] ?? "")}`,
      hint: message,
    });
  }
  return problems;
}
