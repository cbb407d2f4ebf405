import type { BusinessTax } from "~/db/tax-rules.server";
import { businessOf } from "~/domain/enums";
import { choiceText } from "~/domain/unit-name";
import { chosenPicture } from "~/features/catalogue/options";
import {
  checkOptions,
  currentOptions,
  noteOn,
  offeredOptions,
  requireUnit,
  shownOptions,
  soldUnit,
} from "~/features/catalogue/product-views.server";
import { findStaffProducts, type SellableProduct } from "~/features/catalogue/queries.server";
import { choiceUrl } from "~/features/catalogue/unit-choice";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, shopSettings, showHours } from "~/http/shop-settings.server";
import { shownTaxes, taxNote } from "~/http/tax-note.server";
import { type CartEntry, cartCookie, clearedCartCookie, unitMark } from "~/session/cookies.server";
import { addLine, findLine, findSameUnit, type LineKey } from "./lines";
import { smsUrl } from "./message";
import { AddInput, EmptyInput, MAX_LINES, OptionsInput, RemoveInput, SetInput } from "./schema";
import { type CartLine, type CartView, cartTotals } from "./view";

const NOTHING_CHARGED =
  "Nothing is charged here. We answer in the chat, check the shelf, and set your things aside.";

/** Says what the total of a cart is. */
function termsOf(lines: Line[], taxes: BusinessTax[], { businesses }: ShopSettings): string {
  const sellers = new Set(lines.map(({ product }) => businessOf(product.category)));
  return [taxNote(taxes, [...sellers].sort(), businesses), NOTHING_CHARGED].filter(Boolean).join(" ");
}

/** Result of adding a product or setting its quantity. */
interface ChangedLine {
  name: string;
  quantity: number;
  /** Pieces of the product that can be bought. */
  stock: number;
  /** True when the stock allowed fewer than requested. */
  isLimited: boolean;
  /** Says that the words exceed the plate. */
  note?: string | null;
}

/** Entry of the cookie with its product; its options are those that the product offers now. */
interface Line extends CartEntry {
  product: SellableProduct;
  /** Name of its choice in the cookie, which the pages of before a change of the product name. */
  storedColor: string | null;
  /** Options that the product no longer offers. */
  unavailable: string[];
}

/**
 * Reads the caller's cart with current names, prices, pictures and stock. Deleted products are omitted, quantities
 * limited to the stock, which the lines of a product share. One read of D1, none for an empty cart.
 */
export async function readCart(context: RequestContext): Promise<CartView> {
  const isEmpty = context.cookies.cart.length === 0;
  const [{ lines, gone }, settings, taxes] = await Promise.all([
    readLines(context),
    isEmpty ? null : shopSettings(context),
    isEmpty ? [] : shownTaxes(context),
  ]);
  const left = new Map(lines.map((line) => [stockKey(line), unitOf(line).stock]));
  const limited = lines.map((line) => {
    const quantity = Math.min(line.quantity, left.get(stockKey(line)) ?? 0);
    left.set(stockKey(line), (left.get(stockKey(line)) ?? 0) - quantity);
    return { ...line, quantity };
  });
  const views = limited.map((line) => lineView(line, line.quantity + (left.get(stockKey(line)) ?? 0)));
  const totals = cartTotals(views);
  const { cartRequests: requests } = context.cookies;
  return {
    ...totals,
    smsUrl: settings ? smsUrl(totals, settings.sms) : "",
    opening: settings ? showHours(context, settings) : "",
    terms: settings ? termsOf(lines, taxes, settings) : "",
    ...(requests.length > 0 && { requests }),
    ...(gone.length > 0 && { gone: `No longer offered: ${gone.join(", ")}` }),
  };
}

/** Unit of a line; the product's own figures where its choice is open. */
const unitOf = ({ product, color }: Pick<Line, "product" | "color">) =>
  soldUnit(product, color) ?? {
    unitId: null,
    priceCents: product.priceCents,
    stock: product.stock,
    image: "",
  };

/** Identifies the stock that lines share. */
const stockKey = (line: Line) => `${line.id} ${unitOf(line).unitId ?? ""}`;

function lineView(line: Line, stock: number): CartLine {
  const { id, product, quantity, color, engraving, unavailable } = line;
  const { name, imageUrls, imageAlts } = product;
  const { priceCents, unitId } = unitOf(line);
  const path = choiceUrl(id, product.options, product.units.find((unit) => unit.id === unitId)?.values ?? []);
  const choices = offeredOptions(product);
  const { image, plate } = chosenPicture(product.image, choices, { color, engraving });
  const note = noteOn(choices, { color, engraving });
  const imageAlt = imageAlts[imageUrls.indexOf(image ?? "")] ?? product.imageAlt;
  const hasChoice = choices.colors.length > 1 || choices.hasEngraving;
  return {
    ...{ id, name, priceCents, stock, quantity, image, imageAlt, color, engraving },
    ...(plate && { plate }),
    ...(note && { note }),
    ...(unitId && { unitId }),
    path,
    ...(unitOf(line).stock === 0 && { restockUrl: `${path}#restock` }),
    chosen: shownOptions(product, { color, engraving }),
    swatch: choices.colors.find((choice) => choice.name === color)?.swatch ?? null,
    choices: hasChoice ? choices : null,
    ...(unavailable.length > 0 && { unavailable }),
  };
}

/**
 * Reads the lines of the cart, the names of its products that are no longer offered, and one more product; lines that a change
 * of the product made equal become one.
 */
async function readLines({ db, cookies }: RequestContext, id?: string) {
  const ids = new Set([...cookies.cart.map((entry) => entry.id), ...(id === undefined ? [] : [id])]);
  const found = ids.size > 0 ? await findStaffProducts(db, [...ids]) : [];
  const [hidden, offered] = [
    found.filter(({ isHidden }) => isHidden),
    found.filter(({ isHidden }) => !isHidden),
  ];
  const products = new Map(offered.map((product) => [product.id, product]));
  const gone = hidden.filter((product) => cookies.cart.some((entry) => entry.id === product.id));
  const lines: Line[] = [];
  for (const entry of cookies.cart) {
    const product = products.get(entry.id);
    if (!product) continue;
    const named = { ...entry, color: presentChoice(product, entry) };
    const options = currentOptions(product, named);
    const unavailable = (["color", "engraving"] as const).flatMap((name) => {
      const was = named[name];
      return was !== null && was !== options[name] ? [was] : [];
    });
    addLine(lines, { ...entry, ...options, product, unavailable, storedColor: entry.color });
  }
  return {
    lines,
    gone: gone.map(({ name }) => name),
    product: id === undefined ? undefined : products.get(id),
  };
}

/** Returns what the choice of an entry is called now: its unit may have another name than when it was chosen. */
function presentChoice({ units, options }: SellableProduct, { color, unit }: CartEntry): string | null {
  const [known, another] = options.length > 0 ? units.filter(({ id }) => unitMark(id) === unit) : [];
  // Ids of an archive may end alike: then the words decide.
  return known && !another ? choiceText(known.values) : color;
}

/** Finds the line that a form names, also by what its choice was called when the form's page was made. */
function namedLine(lines: Line[], key: LineKey): Line | undefined {
  const before = lines.map(({ storedColor, ...line }) => ({ ...line, color: storedColor }));
  return findLine(lines, key) ?? lines[before.findIndex((line) => findLine([line], key))];
}

const without = (lines: Line[], line: Line | undefined) => lines.filter((other) => other !== line);

/** Returns the pieces of a line's unit that the other lines leave. */
function piecesLeft(
  lines: Line[],
  wanted: Pick<Line, "id" | "product" | "color">,
  line: Line | undefined,
): number {
  const { unitId, stock } = unitOf(wanted);
  const others = without(lines, line).filter(
    (other) => other.id === wanted.id && unitOf(other).unitId === unitId,
  );
  return stock - others.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Adds a product to the cart or raises its quantity, up to the stock. Other options make another line. A request that the
 * cart knows adds nothing.
 *
 * @throws AppError notFound (404); invalid (400) for options that the product does not offer; conflict (409) when out of
 * stock, when all stock is in the cart, and when the cart is full
 */
export const addToCart = operation({
  access: "anyone",
  input: AddInput,
  async run({ input, ...context }): Promise<ChangedLine> {
    const { lines, ...found } = await readLines(context, input.id);
    const product = requireSellable(found.product);
    const options = checkOptions(product, input);
    const { name } = product;
    const { stock } = requireUnit(product, options.color);
    const line = findLine(lines, { id: product.id, ...options });
    const before = line?.quantity ?? 0;
    if (input.request && context.cookies.cartRequests.includes(input.request))
      return { name, stock, quantity: before, isLimited: false };
    const left = piecesLeft(lines, { id: product.id, product, ...options }, line);
    if (before >= left) throw new AppError("conflict", stockExhausted(stock));
    const quantity = Math.min(before + input.quantity, left);
    await storeCart(context, withQuantity(lines, { product, ...options, quantity }, input.at), input.request);
    const note = noteOn(offeredOptions(product), options);
    return { name, stock, quantity, isLimited: quantity < before + input.quantity, note };
  },
});

/**
 * Sets a quantity, up to the stock; 0 or less removes the line.
 *
 * @returns null when the line was removed
 * @throws AppError notFound (404) for a line that is gone; conflict (409) when out of stock
 */
export const setQuantity = operation({
  access: "anyone",
  input: SetInput,
  async run({ input, ...context }): Promise<ChangedLine | null> {
    const { lines, product } = await readLines(context, input.id);
    const line = namedLine(lines, input);
    const requested = (input.quantity ?? line?.quantity ?? 0) + input.step;
    if (requested <= 0) {
      await storeCart(context, without(lines, line));
      return null;
    }
    const sellable = requireSellable(product);
    if (!line) throw lineIsGone();
    const { color, engraving } = line;
    const { stock } = unitOf(line);
    const left = piecesLeft(lines, line, line);
    if (left <= 0) throw new AppError("conflict", stockExhausted(stock));
    const quantity = Math.min(requested, left);
    await storeCart(context, withQuantity(lines, { product: sellable, color, engraving, quantity }));
    return { name: sellable.name, stock, quantity, isLimited: quantity < requested };
  },
});

/**
 * Changes the options of a line; a line that has them already takes its pieces.
 *
 * @returns the note on words that exceed the plate
 * @throws AppError notFound (404) for a line that is gone; invalid (400) for options that the product does not offer
 */
export const changeOptions = operation({
  access: "anyone",
  input: OptionsInput,
  async run({ input: { id, wasColor: color, wasEngraving: engraving, ...input }, ...context }) {
    const { lines } = await readLines(context);
    const line = namedLine(lines, { id, color, engraving });
    if (!line) throw lineIsGone();
    const options = checkOptions(line.product, input);
    const changed = { ...line, ...options, unavailable: [] };
    const after: Line[] = [];
    for (const other of lines) addLine(after, other === line ? changed : other);
    await storeCart(context, after);
    return noteOn(offeredOptions(line.product), options);
  },
});

export const removeFromCart = operation({
  access: "anyone",
  input: RemoveInput,
  async run({ input, ...context }) {
    const { lines } = await readLines(context);
    await storeCart(context, without(lines, namedLine(lines, input)));
  },
});

/** Empties the cart, whose lines a cookie keeps for `restoreCart`. @returns false for an empty one */
export const clearCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context): Promise<boolean> {
    const { cart } = context.cookies;
    await storeCart(context, []);
    // A repeated request must not forget what the first one has cleared.
    if (cart.length > 0) await keepCleared(context, cart);
    return cart.length > 0;
  },
});

/**
 * Puts the lines of the cleared cart back, before those that were added since.
 *
 * @throws AppError conflict (409) when the cart is full
 */
export const restoreCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { cart, clearedCart } = context.cookies;
    const restored = clearedCart.map((entry) => ({ ...entry }));
    for (const entry of cart) addLine(restored, { ...entry }, findSameUnit);
    requireRoom(restored.length);
    await storeCart(context, restored);
    await keepCleared(context, []);
  },
});

async function keepCleared({ headers, env, secure }: RequestContext, lines: CartEntry[]): Promise<void> {
  headers.append("Set-Cookie", await clearedCartCookie(lines, env.COOKIE_SECRET, secure));
}

/**
 * Rejects an empty cart before the message to the seller is opened.
 *
 * @throws AppError invalid (400) for an empty cart
 */
export const requireFilledCart = operation({
  access: "anyone",
  input: EmptyInput,
  async run(context) {
    const { itemCount } = await readCart(context);
    if (itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  },
});

const lineIsGone = () => new AppError("notFound", "This is no longer in your cart.");

function requireSellable(product: SellableProduct | undefined): SellableProduct {
  if (!product) throw new AppError("notFound", "Product not found");
  if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
  return product;
}

function stockExhausted(stock: number): string {
  if (stock === 0) return "This is out of stock";
  return stock === 1
    ? "There is only one, and it is in your cart"
    : `There are only ${stock}, and they are in your cart`;
}

function withQuantity(
  lines: Line[],
  { product, quantity, color, engraving }: Pick<Line, "product" | "quantity" | "color" | "engraving">,
  at = lines.length,
): Line[] {
  const { id } = product;
  const line = findLine(lines, { id, color, engraving });
  if (line) return lines.map((other) => (other === line ? { ...line, quantity } : other));
  requireRoom(lines.length + 1);
  const added = { id, quantity, color, engraving, product, unavailable: [], storedColor: color };
  return lines.toSpliced(at, 0, added);
}

/** Refuses more lines than a cart holds. @throws AppError conflict (409) */
function requireRoom(lines: number): void {
  if (lines > MAX_LINES)
    throw new AppError("conflict", `Your cart is full: it holds ${MAX_LINES} different items`);
}

/** Bytes of a cookie that every browser stores, its name and attributes included. */
const MAX_COOKIE_BYTES = 4096;

/**
 * Stores the cart in its cookie; of two simultaneous changes the later response wins.
 *
 * @param request id of a request that added to it
 * @throws AppError conflict (409) when the words to be engraved exceed what a cookie holds
 */
async function storeCart(
  { headers, env, secure, cookies }: RequestContext,
  lines: (CartEntry | Line)[],
  request?: string,
): Promise<void> {
  const entries = lines.map((line) =>
    "product" in line ? { ...line, unit: unitMark(unitOf(line).unitId) } : line,
  );
  const requests = request ? [...cookies.cartRequests, request] : cookies.cartRequests;
  const cookie = await cartCookie(entries, env.COOKIE_SECRET, secure, requests);
  if (cookie.length > MAX_COOKIE_BYTES)
    throw new AppError("conflict", "Your cart is full: send it to us, then add the rest.");
  headers.append("Set-Cookie", cookie);
}
