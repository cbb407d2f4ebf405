import { amountProblem } from "~/domain/amount-problem";
import { BUSINESSES, type Business, businessOf } from "~/domain/enums";
import { decimalDollars, dollars } from "~/domain/money";
import type { TaxRules } from "~/domain/tax";
import { parseAmount } from "~/domain/typed-amount";
import { choiceText, unitName } from "~/domain/unit-name";
import {
  chosenPicture,
  type LabelledOptions,
  nameWithOptions,
  type OfferedOptions,
} from "~/features/catalogue/options";
import type { CodeHit } from "~/features/codes/lookup";
import { confirmationFor, otherMonth } from "~/features/ledger/confirmations";
import {
  DISCOUNT_KINDS,
  type Discount,
  discountCents,
  discountProblem,
  parseDiscount,
  spreadDiscount,
} from "../discount";
import { BELOW_ZERO, MAX_LINES, MAX_TITLE } from "../document";
import { byMode, notPaidText, type PaymentPart, settle, type Tender } from "../payments";
import { saleTotals, sum } from "../tax";

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
  /** Off the price of all pieces: `10%`, or dollars. */
  discount: string;
  reason: string;
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
  /** Number of its product up to which it counts as low; missing for that of the settings. */
  lowStock?: number | undefined;
  /** Pieces in the hold that the sale ends. */
  heldPieces: number;
  productId: string;
  /** Values of its options, "" without any. */
  choice: string;
  /** All units of its product, where a search has found them. */
  siblings?: SaleProduct[];
}

/** Fields of the API's list that a search for a line shows; `price` in dollars. */
export interface ListedProduct {
  id: string;
  name: string;
  category: string;
  isHidden?: boolean | undefined;
  lowStock?: number | undefined;
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

/**
 * Lists the units of found products: those alone that share the text as a code, else of one product those first whose choice and
 * codes have most words of the search.
 */
export function foundUnits(products: ListedProduct[], text: string): SaleProduct[] {
  const code = text.trim().toLowerCase();
  const hasCode = ({ sku, barcode }: ListedProduct["units"][number]) =>
    [sku, barcode].some((each) => each && each.toLowerCase() === code);
  const ids = new Set(products.flatMap(({ units }) => units.filter(hasCode).map(({ id }) => id)));
  const found = products.flatMap((product) => unitsOf(product, code));
  return (ids.size > 1 ? found.filter(({ id }) => ids.has(id)) : found).slice(0, MAX_FOUND_UNITS);
}

/** Lists the units of a product, those first that have most words of a search; each knows the others. */
function unitsOf(product: ListedProduct, text: string): SaleProduct[] {
  const { id: productId, name, category, isHidden = false, lowStock, imageUrls, units } = product;
  const words = text.split(/\s+/).filter(Boolean);
  const hits = (values: string[]) =>
    words.filter((word) => values.some((value) => value.toLowerCase().startsWith(word))).length;
  const found = units
    .map((unit) => ({ ...unit, values: Object.values(unit.options) }))
    .sort((a, b) => hits([...b.values, b.sku, b.barcode]) - hits([...a.values, a.sku, a.barcode]))
    .map(({ id, values, price, available, image }) => ({
      ...{ id, productId, category, available, isHidden, lowStock, colors: [], heldPieces: 0 },
      name: unitName(name, values),
      choice: choiceText(values),
      priceCents: Math.round(price * 100),
      image: image || (imageUrls[0] ?? null),
    }));
  return found.length > 1 ? found.map((unit) => ({ ...unit, siblings: found })) : found;
}

/** Unit that a code has found. */
export const unitOfCode = ({
  unitId,
  productId,
  name,
  choice,
  category,
  price,
  available,
  image,
}: CodeHit): SaleProduct => ({
  id: unitId,
  productId,
  name: unitName(name, choice ? [choice] : []),
  choice,
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
  "discount",
  "reason",
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
  const { id, name, category, choice, priceCents } = product;
  // The name of a unit has its choice already.
  const isNamed = choice !== "" && chosen.color === choice;
  return {
    unitId: id,
    description: nameWithOptions(isNamed ? productName(product) : name, chosen),
    category,
    businessType: businessOf(category),
    quantity: String(quantity),
    price: decimalDollars(priceCents),
    discount: "",
    reason: "",
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
  discount: "",
  reason: "",
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

/** Returns the price of all pieces in cents, 0 while a field can't be read. */
export const priceOfPieces = (line: DraftLine): number => (priceCents(line) ?? 0) * (pieces(line) ?? 0);

/** Returns the error message of a typed discount, the same as the server's; null for a right or empty one. */
export function typedDiscountProblem(line: DraftLine): string | null {
  const discount = parseDiscount(line.discount);
  return discount === null ? DISCOUNT_KINDS : discountProblem(priceOfPieces(line), discount);
}

/** Returns the amount of all pieces in cents, without a discount that the server will refuse. */
export function lineCents(line: DraftLine): number {
  const cents = priceOfPieces(line);
  const isRight = typedDiscountProblem(line) === null;
  return isRight ? cents - discountCents(cents, parseDiscount(line.discount) ?? undefined) : cents;
}

/** Stands for an amount of a price that can't be read. */
export const NO_AMOUNT = "–";

const sumCents = (lines: DraftLine[]): number => lines.reduce((sum, line) => sum + lineCents(line), 0);

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

/** Deposits of a quote, by mode, and the business that took them. */
export interface TakenDeposits {
  parts: PaymentPart[];
  business: Business | null;
}

const NO_DEPOSITS: TakenDeposits = { parts: [], business: null };

/** Returns the amounts of lines, without a discount of all of them that the server will refuse. */
function netCents(lines: DraftLine[], discount: Discount | undefined): number[] {
  const cents = lines.map(lineCents);
  if (discountProblem(sum(cents), discount) !== null) return cents;
  const prices = cents.map((priceCents) => ({ priceCents, discountCents: 0 }));
  const off = spreadDiscount(prices, discount);
  return cents.map((each, i) => each - (off[i] ?? 0));
}

/** Groups lines by business, in the order of their first lines, by which the server pays them. @param net cents of each line */
function groupsOf(lines: DraftLine[], rulesOf: Record<Business, TaxRules>, net: number[]) {
  const businesses = new Set(lines.map(({ businessType }) => businessType));
  return [...businesses].flatMap((name) => {
    const business = BUSINESSES.find((one) => one === name);
    if (!business) return [];
    const prices = net.filter((_, i) => lines[i]?.businessType === business);
    const rules = rulesOf[business];
    return [{ business, rules, prices, ...saleTotals(prices, rules) }];
  });
}

/**
 * Computes the documents of a sale and their payment, as the server does.
 *
 * @param deposits of its quote
 * @param discount of all lines together
 */
export function totalsOf(
  lines: DraftLine[],
  rulesOf: Record<Business, TaxRules>,
  tender: Tender,
  deposits: TakenDeposits = NO_DEPOSITS,
  discount: Discount | undefined = undefined,
) {
  const groups = groupsOf(lines, rulesOf, netCents(lines, discount));
  const first = groups.findIndex(({ business }) => business === deposits.business);
  const settled = settle(
    groups.map(({ exactCents }) => exactCents),
    deposits.parts,
    tender,
    Math.max(0, first),
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
    /** Parts that are not what is to pay, in words. */
    unpaid: settled.isPaid || lines.length === 0 ? undefined : notPaidText(tender.parts, settled.toPayCents),
    /** Deposits beyond the total. */
    overpaidCents: settled.overpaidCents,
  };
}

/** Computes what lines cost with the taxes that are added to them, before cash rounding. */
export const costOf = (lines: DraftLine[], rulesOf: Record<Business, TaxRules>): number =>
  sum(groupsOf(lines, rulesOf, lines.map(lineCents)).map(({ exactCents }) => exactCents));

/** Returns the name of a unit without its choice. */
export const productName = ({ name, choice }: Pick<SaleProduct, "name" | "choice">) =>
  choice ? name.slice(0, -unitName("", [choice]).length) : name;

export const LIST = new Intl.ListFormat("en");

/** Asks about a typed date in another month, and about texts for which lines are still to be added. @param today YYYY-MM-DD */
export function lineConfirmation(fields: FormData, today: string): string | null {
  const texts = [fields.get("unclear"), fields.get("find")].flatMap((text) => String(text ?? "").split("\n"));
  const names = texts.flatMap((text) => (text.trim() ? `“${text.trim()}”` : []));
  return confirmationFor([
    names.length > 0 ? `No line for ${LIST.format(names)} yet` : "",
    fields.get("createdAt") === fields.get("openedOn") ? "" : otherMonth(fields, today),
  ]);
}
