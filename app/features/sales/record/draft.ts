import { amountProblem } from "~/domain/amount-problem";
import { BUSINESSES, type Business, businessOf } from "~/domain/enums";
import { decimalDollars, dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { unitName } from "~/domain/unit-name";
import {
  chosenPicture,
  type LabelledOptions,
  nameWithOptions,
  type OfferedOptions,
} from "~/features/catalogue/options";
import type { CodeHit } from "~/features/codes/lookup";
import { confirmationFor, otherMonth } from "~/features/ledger/confirmations";
import { BELOW_ZERO, MAX_LINES, MAX_TITLE } from "../document";
import { byMode, type PaymentPart, settle, type Tender } from "../payments";
import { saleTotals, sum, type TaxRules } from "../tax";

/** Products that the search for a line finds. */
export const MAX_FOUND = 6;

/** Line of a sale as its form holds it: text, so that nothing typed is lost. */
export interface DraftLine {
  /** Empty for a custom line. A product of one unit has its id. */
  unitId: string;
  description: string;
  category: string;
  businessType: string;
  quantity: string;
  /** Dollars for one piece. */
  price: string;
  /** Of a quote. */
  material: string;
  size: string;
  /** "hold", "quote" or both that the line came from, else empty: a sale without such a line leaves it open. */
  from: string;
}

/** Unit of a line. */
export interface SaleProduct {
  id: string;
  /** With the choice. */
  name: string;
  category: string;
  /** Stored entry (`minio:{key}` or a URL). */
  image: string | null;
  /** Colours with their pictures. */
  colors: OfferedOptions["colors"];
  priceCents: number;
  available: number;
  isHidden: boolean;
  /** Pieces in the hold that the sale ends. */
  heldPieces: number;
}

/** Fields of the API's list that a search for a line shows; `price` in dollars. */
export interface ListedProduct {
  name: string;
  category: string;
  isHidden?: boolean | undefined;
  imageUrls: string[];
  units: {
    id: string;
    options: Record<string, string>;
    sku: string;
    barcode: string;
    price: number;
    available: number;
    image: string;
  }[];
}

/** Units that a search for a line shows. */
const MAX_FOUND_UNITS = 2 * MAX_FOUND;

/** Lists the units of found products; of one product those first whose choice and codes have most words of the search. */
export function foundUnits(products: ListedProduct[], text: string): SaleProduct[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = (values: string[]) =>
    words.filter((word) => values.some((value) => value.toLowerCase().startsWith(word))).length;
  return products
    .flatMap(({ name, category, isHidden = false, imageUrls, units }) =>
      units
        .map(({ id, options, sku, barcode, price, available, image }) => ({
          values: Object.values(options),
          codes: [sku, barcode],
          id,
          price,
          available,
          image,
        }))
        .sort((a, b) => hits([...b.values, ...b.codes]) - hits([...a.values, ...a.codes]))
        .map(({ values, codes: _, price, image, ...unit }) => ({
          ...unit,
          name: unitName(name, values),
          category,
          isHidden,
          priceCents: Math.round(price * 100),
          image: image || (imageUrls[0] ?? null),
          colors: [],
          heldPieces: 0,
        })),
    )
    .slice(0, MAX_FOUND_UNITS);
}

/** Unit that a code has found. */
export const unitOfCode = ({
  unitId,
  name,
  choice,
  category,
  price,
  available,
  image,
}: CodeHit): SaleProduct => ({
  id: unitId,
  name: unitName(name, choice ? [choice] : []),
  category,
  available,
  isHidden: false,
  priceCents: Math.round(price * 100),
  image: image || null,
  colors: [],
  heldPieces: 0,
});

export const LINE_FIELDS = [
  "unitId",
  "description",
  "category",
  "businessType",
  "quantity",
  "price",
  "material",
  "size",
  "from",
] as const satisfies (keyof DraftLine)[];

/** Reads a field of a form, which is missing when it is empty. */
export const typedText = (value: unknown) => (typeof value === "string" ? value.slice(0, 1000) : "");

/** Reads the lines of a form as they were typed. */
export function draftLines(value: unknown): DraftLine[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_LINES)
    .map(
      (line: Record<string, unknown> | null | undefined) =>
        Object.fromEntries(LINE_FIELDS.map((field) => [field, typedText(line?.[field])])) as Record<
          keyof DraftLine,
          string
        >,
    );
}

/** Creates the line of a product. @param chosen options that a shopper chose, which its description names */
export function productLine(product: SaleProduct, quantity = 1, chosen: LabelledOptions = {}): DraftLine {
  const { id, name, category, priceCents } = product;
  return {
    unitId: id,
    description: nameWithOptions(name, chosen),
    category,
    businessType: businessOf(category),
    quantity: String(quantity),
    price: decimalDollars(priceCents),
    material: "",
    size: "",
    from: "",
  };
}

/** Finds the picture of a line's product, in the colour that the line's description names after the product. */
export function linePicture(
  { description }: Pick<DraftLine, "description">,
  { name, image, colors }: Pick<SaleProduct, "name" | "image" | "colors">,
): string | null {
  const isNamed = (color: string) => {
    const beginning = nameWithOptions(name, { color }).slice(0, -1);
    return [")", ","].some((end) => description.startsWith(beginning + end));
  };
  const color = colors.find((one) => isNamed(one.name))?.name ?? null;
  return chosenPicture(image, { colors }, { color }).image;
}

/** Creates a line of no product, whose category follows its business when it is recorded. */
export const customLine = (description: string, businessType: Business = "EMPORIA"): DraftLine => ({
  unitId: "",
  description,
  category: "",
  businessType,
  quantity: "1",
  price: "",
  material: "",
  size: "",
  from: "",
});

const QUANTITY = /^\d{1,7}$/;

/** Returns the cents of one piece; null for a price that can't be read. */
export function priceCents({ price }: Pick<DraftLine, "price">): number | null {
  const amount = parseAmount(price);
  return amount?.isCertain ? amount.cents : null;
}

/** Returns the error message of a typed price, the same as the server's; null for a valid or empty one. */
export const priceProblem = (line: Pick<DraftLine, "price">): string | null =>
  line.price.trim() === "" || priceCents(line) !== null ? null : amountProblem(line.price.trim(), BELOW_ZERO);

/** Returns the pieces; null for a quantity that can't be read. */
export function pieces({ quantity }: Pick<DraftLine, "quantity">): number | null {
  return QUANTITY.test(quantity.trim()) && Number(quantity) > 0 ? Number(quantity) : null;
}

/** Returns the amount of all pieces in cents, 0 while a field can't be read. */
export const lineCents = (line: DraftLine): number => (priceCents(line) ?? 0) * (pieces(line) ?? 0);

/** Stands for an amount of a price that can't be read. */
export const NO_AMOUNT = "–";

export const sumCents = (lines: DraftLine[]): number => lines.reduce((sum, line) => sum + lineCents(line), 0);

/** Formats the sum of lines. @param cents of the lines, or what they come to */
export const sumLabel = (lines: DraftLine[], cents = sumCents(lines)): string =>
  lines.some((line) => priceProblem(line) !== null) ? NO_AMOUNT : dollars(cents);

/** Names a quote after its lines: `Slate coasters and 2 more`; empty for lines without a description. */
export function titleOf(lines: Pick<DraftLine, "description">[]): string {
  const [first = "", ...others] = lines.map(({ description }) => description.trim()).filter(Boolean);
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  return [...first].slice(0, MAX_TITLE - more.length).join("") + more;
}

/** Returns the pieces of a line's product that this line may sell: what is available or in the hold, without other lines. */
export function sellable(lines: DraftLine[], index: number, product: SaleProduct): number {
  const others = lines.filter((line, i) => i !== index && line.unitId === product.id);
  const taken = others.reduce((sum, line) => sum + (pieces(line) ?? 0), 0);
  return Math.max(0, product.available + product.heldPieces - taken);
}

/** Document that a sale makes for one business. */
export interface BusinessTotals {
  business: Business;
  rules: TaxRules;
  linesCents: number;
  taxCents: number;
  roundingCents: number;
  totalCents: number;
}

/** Computes the documents of a sale and their payment, as the server does. @param deposits of its quote, by mode */
export function totalsOf(
  lines: DraftLine[],
  rulesOf: Record<Business, TaxRules>,
  tender: Tender,
  deposits: PaymentPart[] = [],
) {
  const groups = BUSINESSES.flatMap((business) => {
    const prices = lines.filter((line) => line.businessType === business).map(lineCents);
    const rules = rulesOf[business];
    return prices.length > 0 ? [{ business, rules, prices, ...saleTotals(prices, rules) }] : [];
  });
  const settled = settle(
    groups.map(({ exactCents }) => exactCents),
    deposits,
    tender,
  );
  const totals = groups.map(({ business, rules, prices, taxCents, exactCents }, i): BusinessTotals => {
    const { roundingCents = 0 } = settled.documents[i] ?? {};
    return {
      business,
      rules,
      linesCents: sum(prices),
      taxCents,
      roundingCents,
      totalCents: exactCents + roundingCents,
    };
  });
  return {
    totals,
    paid: byMode(settled.documents.flatMap(({ paid }) => paid)),
    /** Deposits beyond the total. */
    overpaidCents: settled.overpaidCents,
  };
}

/** Change of the lines by a button of the form. */
export type LineEdit =
  | { type: "none" }
  | { type: "find" }
  | { type: "custom" }
  | { type: "add"; unitId: string }
  | { type: "remove"; index: number }
  | { type: "detach"; index: number }
  | { type: "quantity"; index: number; quantity: number };

/** Writes an edit as the value of its button. */
export function editValue(edit: LineEdit): string {
  if (edit.type === "add") return `add.${edit.unitId}`;
  if (edit.type === "remove" || edit.type === "detach") return `${edit.type}.${edit.index}`;
  if (edit.type === "quantity") return `quantity.${edit.index}.${edit.quantity}`;
  return edit.type;
}

/** Parses the value of a button; an unknown one changes nothing. */
export function parseEdit(text: string): LineEdit {
  const [type = "", first = "", second = ""] = text.split(".");
  if (type === "find" || type === "custom") return { type };
  if (type === "add" && first) return { type, unitId: text.slice("add.".length) };
  if (type === "remove" || type === "detach") return { type, index: Number(first) };
  if (type === "quantity") return { type, index: Number(first), quantity: Number(second) };
  return { type: "none" };
}

/**
 * Applies an edit to lines.
 *
 * @param query text of the search, which becomes the description of a custom line
 * @param product of an edit that adds one; undefined when it was deleted
 */
export function applyEdit<L extends DraftLine>(
  lines: L[],
  edit: LineEdit,
  query: string,
  product: SaleProduct | undefined,
): (L | DraftLine)[] {
  if (edit.type === "remove") return lines.filter((_, i) => i !== edit.index);
  // The line of a deleted product becomes a custom line.
  if (edit.type === "detach")
    return lines.map((line, i) => (i === edit.index ? { ...line, unitId: "" } : line));
  if (edit.type === "quantity")
    return lines.map((line, i) => (i === edit.index ? { ...line, quantity: String(edit.quantity) } : line));
  const same = edit.type === "add" ? lines.findIndex((line) => line.unitId === edit.unitId) : -1;
  if (same >= 0 && product && lines[same]?.description === product.name) return oneMore(lines, same);
  if (lines.length >= MAX_LINES) return lines;
  if (edit.type === "custom") return [...lines, customLine(query.trim())];
  return edit.type === "add" && product ? [...lines, productLine(product)] : lines;
}

/** Raises the quantity of a line by 1; one that can't be read becomes 1. */
const oneMore = <L extends DraftLine>(lines: L[], index: number): L[] =>
  lines.map((line, i) => (i === index ? { ...line, quantity: String((pieces(line) ?? 0) + 1) } : line));

/** Returns the product that a text means by itself: the only one found, or the one of this name. */
export function onlyHit<P extends { name: string }>(text: string, found: P[]): P | undefined {
  const name = text.trim().toLowerCase();
  return found.length === 1 ? found[0] : found.find((product) => product.name.toLowerCase() === name);
}

export const LIST = new Intl.ListFormat("en");

/** Asks about a date in another month, and about texts for which lines are still to be added. @param today YYYY-MM-DD */
export function lineConfirmation(fields: FormData, today: string): string | null {
  const texts = [fields.get("unclear"), fields.get("find")].flatMap((text) => String(text ?? "").split("\n"));
  const names = texts.flatMap((text) => (text.trim() ? `“${text.trim()}”` : []));
  return confirmationFor([
    names.length > 0 ? `No line for ${LIST.format(names)} yet` : "",
    otherMonth(fields, today),
  ]);
}
