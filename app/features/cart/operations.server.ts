import { chosenUnit, productUrl } from "~/features/catalogue/chosen-unit.server";
import { chosenPicture } from "~/features/catalogue/options";
import {
  checkOptions,
  currentOptions,
  noteOn,
  offeredOptions,
  shownOptions,
  swatchOf,
} from "~/features/catalogue/product-views.server";
import { findSellableProducts, findUnitsOf, type SellableProduct } from "~/features/catalogue/queries.server";
import { offeredValues } from "~/features/catalogue/unit-views.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CartEntry, cartCookie, clearedCartCookie } from "~/session/cookies.server";
import { AddInput, EmptyInput, MAX_LINES, OptionsInput, RemoveInput, SetInput } from "./schema";
import { type CartLine, type CartView, cartTotals, smsUrl } from "./view";

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
  /** Options that the product no longer offers. */
  unavailable: string[];
}

/** Key of a cart line; without options, the first line of the product. */
type LineKey = Pick<CartEntry, "id"> & Partial<Pick<CartEntry, "color" | "engraving">>;

/**
 * Reads the caller's cart with current names, prices, pictures and stock. Deleted products are omitted, quantities
 * limited to the stock, which the lines of a product share. One read of D1, none for an empty cart.
 */
export async function readCart(context: RequestContext): Promise<CartView> {
  const { lines } = await readLines(context);
  // What has to be chosen again is not counted.
  const left = new Map(lines.map(({ id, product }) => [id, isOpen(product) ? 0 : product.stock]));
  const limited = lines.map((line) => {
    const quantity = Math.min(line.quantity, left.get(line.id) ?? 0);
    left.set(line.id, (left.get(line.id) ?? 0) - quantity);
    return { ...line, quantity };
  });
  const views = limited.map((line) => lineView(line, line.quantity + (left.get(line.id) ?? 0)));
  const totals = cartTotals(views);
  const { cartRequests: requests } = context.cookies;
  return {
    ...totals,
    smsUrl: smsUrl(totals, context.settings.sms),
    ...(requests.length > 0 && { requests }),
  };
}

function lineView({ id, product, quantity, color, engraving, unavailable }: Line, stock: number): CartLine {
  const { name, priceCents, imageUrls, imageAlts } = product;
  const offered = offeredOptions(product);
  const choices =
    product.options.length > 0 ? { ...offered, options: offeredValues(product.options) } : offered;
  const { image, plate } = chosenPicture(product.image, choices, { color, engraving });
  const note = noteOn(choices, { color, engraving });
  const imageAlt = imageAlts[imageUrls.indexOf(image ?? "")] ?? product.imageAlt;
  const hasChoice = choices.colors.length > 1 || choices.hasEngraving || product.options.length > 0;
  return {
    ...{
      id,
      url: productUrl(product),
      values: product.values,
      name,
      priceCents,
      stock,
      quantity,
      image,
      imageAlt,
      color,
      engraving,
    },
    ...(plate && { plate }),
    ...(note && { note }),
    chosen: shownOptions(product, { color, engraving }),
    swatch: swatchOf(color),
    choices: hasChoice ? choices : null,
    ...(unavailable.length > 0 && { unavailable }),
  };
}

/** Reads the lines of the cart and one more product; lines that a change of the product made equal become one. */
async function readLines({ db, cookies }: RequestContext, id?: string) {
  const ids = new Set([...cookies.cart.map((entry) => entry.id), ...(id === undefined ? [] : [id])]);
  const found = ids.size > 0 ? await findSellableProducts(db, [...ids]) : [];
  const products = new Map(found.map((product) => [product.id, product]));
  const units = await formerColours(db, cookies.cart, products);
  const lines: Line[] = [];
  for (const stored of cookies.cart) {
    const unit = units.get(`${stored.id} ${stored.color}`);
    const entry = unit ? { ...stored, id: unit.id, color: null } : stored;
    const product = unit ?? products.get(entry.id);
    if (!product) continue;
    const options = currentOptions(product, entry);
    const unavailable = (["color", "engraving"] as const).flatMap((name) => {
      const was = entry[name];
      return was !== null && was !== options[name] ? [was] : [];
    });
    addLine(lines, { ...entry, ...options, product, unavailable });
  }
  return { lines, product: id === undefined ? undefined : products.get(id) };
}

/**
 * Finds the units of entries of before, which name a product that has several by now, by the colour that was chosen: the
 * value of its only option.
 */
async function formerColours(
  db: RequestContext["db"],
  cart: CartEntry[],
  products: Map<string, SellableProduct>,
): Promise<Map<string, SellableProduct>> {
  const wanted = cart.flatMap(({ id, color }) => {
    const product = products.get(id);
    const isOpen = product && product.options.length === 1 && product.values.length === 0;
    const value = isOpen && product.options[0]?.values.find((one) => one === color);
    return value ? [{ productId: id, values: [value] }] : [];
  });
  if (wanted.length === 0) return new Map();
  const found = await findUnitsOf(db, wanted);
  const units = await findSellableProducts(
    db,
    found.map(({ id }) => id),
  );
  return new Map(units.map((unit) => [`${unit.productId} ${unit.values[0]}`, unit]));
}

/** Tells that a line's product has several units by now, of which none is chosen. */
const isOpen = ({ options, values }: SellableProduct) => options.length > 0 && values.length === 0;

/** Appends a line, or adds its quantity to the one with the same options. */
function addLine<Entry extends CartEntry>(lines: Entry[], line: Entry): void {
  const same = findLine(lines, line);
  if (same) same.quantity += line.quantity;
  else lines.push(line);
}

function findLine<Entry extends CartEntry>(
  lines: Entry[],
  { id, color, engraving }: LineKey,
): Entry | undefined {
  return lines.find(
    (line) =>
      line.id === id &&
      (color === undefined || line.color === color) &&
      (engraving === undefined || line.engraving === engraving),
  );
}

const without = (lines: Line[], line: Line | undefined) => lines.filter((other) => other !== line);

/** Returns the pieces of a product that its other lines leave. */
function piecesLeft(lines: Line[], { id, stock }: SellableProduct, line: Line | undefined): number {
  const others = without(lines, line).filter((other) => other.id === id);
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
    const { lines, ...found } = await readLines(context, input.unitId || input.id);
    const chosen = await chosenUnit(context.db, found.product, input);
    const product = requireSellable(chosen);
    const { name, stock } = product;
    const options = checkOptions(product, input);
    const line = findLine(lines, { id: product.id, ...options });
    const before = line?.quantity ?? 0;
    if (input.request && context.cookies.cartRequests.includes(input.request))
      return { name, stock, quantity: before, isLimited: false };
    const left = piecesLeft(lines, product, line);
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
    const line = findLine(lines, input);
    const requested = (input.quantity ?? line?.quantity ?? 0) + input.step;
    if (requested <= 0) {
      await storeCart(context, without(lines, line));
      return null;
    }
    const sellable = requireSellable(product);
    if (!line) throw lineIsGone();
    const { color, engraving } = line;
    const left = piecesLeft(lines, sellable, line);
    if (left <= 0) throw new AppError("conflict", stockExhausted(sellable.stock));
    const quantity = Math.min(requested, left);
    await storeCart(context, withQuantity(lines, { product: sellable, color, engraving, quantity }));
    const { name, stock } = sellable;
    return { name, stock, quantity, isLimited: quantity < requested };
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
    const line = findLine(lines, { id, color, engraving });
    if (!line) throw lineIsGone();
    const product = (await chosenUnit(context.db, line.product, input)) ?? line.product;
    const options = checkOptions(product, { ...input, ...(product.options.length > 0 && { color: null }) });
    const changed = { ...line, id: product.id, product, ...options, unavailable: [] };
    const after: Line[] = [];
    for (const other of lines) addLine(after, other === line ? changed : other);
    await storeCart(context, after);
    return noteOn(offeredOptions(product), options);
  },
});

export const removeFromCart = operation({
  access: "anyone",
  input: RemoveInput,
  async run({ input, ...context }) {
    const { lines } = await readLines(context);
    const line = findLine(lines, input);
    await storeCart(context, without(lines, line));
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
    for (const entry of cart) addLine(restored, { ...entry });
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
  return stock === 1
    ? "There is only one, and it is in your cart"
    : `There are only ${stock}, and they are in your cart`;
}

function withQuantity(
  lines: Line[],
  { product, quantity, color, engraving }: Omit<Line, "id" | "unavailable">,
  at = lines.length,
): Line[] {
  const { id } = product;
  const line = findLine(lines, { id, color, engraving });
  if (line) return lines.map((other) => (other === line ? { ...line, quantity } : other));
  requireRoom(lines.length + 1);
  return lines.toSpliced(at, 0, { id, quantity, color, engraving, product, unavailable: [] });
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
  lines: (CartEntry & { product?: SellableProduct })[],
  request?: string,
): Promise<void> {
  // The id of a unit says its choice.
  const entries = lines.map(({ product, ...line }) =>
    product && product.options.length > 0 && product.values.length > 0 ? { ...line, color: null } : line,
  );
  const requests = request ? [...cookies.cartRequests, request] : cookies.cartRequests;
  const cookie = await cartCookie(entries, env.COOKIE_SECRET, secure, requests);
  if (cookie.length > MAX_COOKIE_BYTES)
    throw new AppError("conflict", "Your cart is full: send it to us, then add the rest.");
  headers.append("Set-Cookie", cookie);
}
