import fc from "fast-check";

type Mode = "CASH" | "CARD" | "EMT";
/** Cents by mode. */
type Paid = Record<Mode, number>;

/** Reduction of a sale's price: whole percent, or cents. */
type Discount = { percent: number } | { cents: number };

/** Request to the shop by one of two sellers or visitors. Ids are those of the request, which may be sent again. */
export type Command =
  | { kind: "message"; id: string; by: "seller" | "visitor"; chat: number }
  | { kind: "hold"; id: string; chat: number; product: number; quantity: number }
  | { kind: "release"; target: string }
  | { kind: "quote"; id: string; chat: number; cents: number }
  | { kind: "decide"; target: string; chat: number; state: "accepted" | "declined" | "withdrawn" }
  | { kind: "pay"; id: string; target: string; cents: number; mode: Mode }
  | {
      kind: "sale";
      id: string;
      product: number;
      quantity: number;
      cents: number;
      mode: Mode;
      discount?: Discount;
      hold?: string;
      quote?: string;
    }
  | { kind: "credit"; id: string; target: string; quantity: number; restock: boolean }
  | { kind: "credit amount"; id: string; target: string; cents: number }
  | { kind: "correct"; id: string; target: string; product: number; quantity: number; cents: number }
  | { kind: "stock"; product: number; stock: number }
  | { kind: "expense"; id: string; cents: number }
  | { kind: "delete"; target: string };

/** Plain shop in memory. Amounts in cents, records by id. */
export interface Shop {
  stock: number[];
  messages: string[];
  holds: Record<string, { product: number; quantity: number; state: "active" | "released" | "sold" }>;
  quotes: Record<string, { chat: number; cents: number; state: string; isSold: boolean; paid: Paid }>;
  /** Ids of deposits. */
  payments: string[];
  sales: Record<string, Sale>;
  /** Cents of credit notes. */
  credits: Record<string, number>;
  /** Takings of sales without what credit notes paid back. */
  paid: Paid;
  expenses: Record<string, number>;
}

interface Sale {
  product: number;
  quantity: number;
  cents: number;
  /** Pieces and cents that were taken back. */
  returned: number;
  credited: number;
}

const NOTHING: Paid = { CASH: 0, CARD: 0, EMT: 0 };

export const newShop = (stock: number[]): Shop => ({
  stock,
  messages: [],
  holds: {},
  quotes: {},
  payments: [],
  sales: {},
  credits: {},
  paid: NOTHING,
  expenses: {},
});

/** Adds up the pieces of a product on hold. @param except hold that is not counted */
export const heldOf = ({ holds }: Shop, product: number, except?: string): number =>
  Object.entries(holds)
    .filter(([id, hold]) => hold.state === "active" && hold.product === product && id !== except)
    .reduce((sum, [, { quantity }]) => sum + quantity, 0);

const sumOf = ({ CASH, CARD, EMT }: Paid) => CASH + CARD + EMT;
const addTo = (paid: Paid, { CASH, CARD, EMT }: Paid): Paid => ({
  CASH: paid.CASH + CASH,
  CARD: paid.CARD + CARD,
  EMT: paid.EMT + EMT,
});

/** Price after a discount; half a cent of it counts as one. */
function reduced(cents: number, discount: Discount | undefined): number {
  if (!discount) return cents;
  return cents - ("cents" in discount ? discount.cents : Math.floor((cents * discount.percent + 50) / 100));
}

/** Takes pieces or cents back from a sale, paid back by card. */
function takeBack(
  shop: Shop,
  id: string,
  sale: Sale,
  { pieces, cents }: { pieces: number; cents: number },
): void {
  shop.credits[id] = cents;
  shop.paid = addTo(shop.paid, { ...NOTHING, CARD: -cents });
  sale.returned += pieces;
  sale.credited += cents;
}

const isFree = (shop: Shop, { product, quantity }: Pick<Sale, "product" | "quantity">, hold?: string) =>
  quantity <= (shop.stock[product] ?? 0) - heldOf(shop, product, hold);

const move = ({ stock }: Shop, product: number, pieces: number) => {
  stock[product] = (stock[product] ?? 0) + pieces;
};

type Rules = { [K in Command["kind"]]: (shop: Shop, command: Extract<Command, { kind: K }>) => boolean };

/** Changes the shop by a command. Each rule returns false where the command is refused and changes nothing. */
const RULES: Rules = {
  message(shop, { id }) {
    if (!shop.messages.includes(id)) shop.messages.push(id);
    shop.messages.sort();
    return true;
  },
  hold(shop, { id, product, quantity }) {
    if (shop.holds[id]) return true;
    if (quantity > (shop.stock[product] ?? 0) - heldOf(shop, product)) return false;
    shop.holds[id] = { product, quantity, state: "active" };
    return true;
  },
  release(shop, { target }) {
    const hold = shop.holds[target];
    if (!hold || hold.state === "sold") return false;
    hold.state = "released";
    return true;
  },
  quote(shop, { id, chat, cents: total }) {
    shop.quotes[id] ??= { chat, cents: total, state: "sent", isSold: false, paid: { ...NOTHING } };
    return true;
  },
  decide(shop, { target, state }) {
    const quote = shop.quotes[target];
    const isWithdrawn = state === "withdrawn" && quote?.state === "accepted" && !quote.isSold;
    // A deposit is paid back.
    if (quote && isWithdrawn) quote.paid = { ...NOTHING };
    if (quote && (quote.state === "sent" || isWithdrawn)) quote.state = state;
    return quote?.state === state;
  },
  pay(shop, { id, target, cents: amount, mode }) {
    if (shop.payments.includes(id)) return true;
    const quote = shop.quotes[target];
    if (quote?.state !== "accepted" || quote.isSold) return false;
    const after = sumOf(quote.paid) + amount;
    if (after < 0 || after > quote.cents) return false;
    quote.paid[mode] += amount;
    shop.payments.push(id);
    shop.payments.sort();
    return true;
  },
  sale(shop, { id, product, quantity, cents: price, discount, mode, hold: holdId, quote: quoteId }) {
    if (shop.sales[id]) return true;
    const [hold, quote] = [holdId && shop.holds[holdId], quoteId && shop.quotes[quoteId]];
    if (hold && hold.state === "sold") return false;
    if (quote && (quote.state !== "accepted" || quote.isSold)) return false;
    const deposit = quote ? quote.paid : NOTHING;
    const cents = reduced(price, discount);
    if (sumOf(deposit) > cents) return false;
    if (!isFree(shop, { product, quantity }, holdId)) return false;
    move(shop, product, -quantity);
    if (hold) hold.state = "sold";
    if (quote) quote.isSold = true;
    const rest = { ...NOTHING, [mode]: cents - sumOf(deposit) };
    shop.paid = addTo(addTo(shop.paid, deposit), rest);
    shop.sales[id] = { product, quantity, cents, returned: 0, credited: 0 };
    return true;
  },
  credit(shop, { id, target, quantity, restock }) {
    if (id in shop.credits) return true;
    const sale = shop.sales[target];
    if (!sale || sale.returned + quantity > sale.quantity) return false;
    const cents = Math.floor(((sale.cents - sale.credited) * quantity) / (sale.quantity - sale.returned));
    takeBack(shop, id, sale, { pieces: quantity, cents });
    if (restock) move(shop, sale.product, quantity);
    return true;
  },
  "credit amount"(shop, { id, target, cents }) {
    if (id in shop.credits) return true;
    const sale = shop.sales[target];
    if (!sale || cents > sale.cents - sale.credited) return false;
    takeBack(shop, id, sale, { pieces: 0, cents });
    return true;
  },
  // The credit note of all that is left, and the sale in its place; a card pays the difference.
  correct(shop, { id, target, product, quantity, cents }) {
    if (shop.sales[id]) return true;
    const sale = shop.sales[target];
    if (!sale || sale.returned === sale.quantity) return false;
    const [pieces, left] = [sale.quantity - sale.returned, sale.cents - sale.credited];
    if (product === sale.product && quantity === pieces && cents === left) return false;
    move(shop, sale.product, pieces);
    if (!isFree(shop, { product, quantity })) {
      move(shop, sale.product, -pieces);
      return false;
    }
    move(shop, product, -quantity);
    takeBack(shop, `${id}-c`, sale, { pieces, cents: left });
    shop.paid = addTo(shop.paid, { ...NOTHING, CARD: cents });
    shop.sales[id] = { product, quantity, cents, returned: 0, credited: 0 };
    return true;
  },
  stock(shop, { product, stock }) {
    shop.stock[product] = stock;
    return true;
  },
  expense(shop, { id, cents }) {
    shop.expenses[id] = cents;
    return true;
  },
  delete(shop, { target }) {
    const isThere = target in shop.expenses;
    delete shop.expenses[target];
    return isThere;
  },
};

/** A command that was sent, and whether the shop has accepted it. */
export interface Answered {
  command: Command;
  isDone: boolean;
}

/** Detects a correction that met another change of its sale: its caller must see that one first. */
const isOvertaken = (command: Command, answered: Answered[]) =>
  command.kind === "correct" &&
  answered.some(
    ({ command: other, isDone }) =>
      isDone && /^credit|^correct/.test(other.kind) && "target" in other && other.target === command.target,
  );

/** Lists the shops to which some order of parallel commands leads, with the answers that were given. */
export function shopsAfter(shops: Shop[], answered: Answered[]): Shop[] {
  const found = new Map<string, Shop>();
  const seen = new Set<string>();
  const explore = (shop: Shop, left: Answered[]) => {
    const key = JSON.stringify([shop, left]);
    if (seen.has(key)) return;
    seen.add(key);
    if (left.length === 0) found.set(JSON.stringify(shop), shop);
    for (const [i, { command, isDone }] of left.entries()) {
      const next = structuredClone(shop);
      const rule = RULES[command.kind] as (shop: Shop, command: Command) => boolean;
      if (rule(next, command) === isDone) explore(next, left.toSpliced(i, 1));
      else if (!isDone && isOvertaken(command, answered)) explore(shop, left.toSpliced(i, 1));
    }
  };
  for (const shop of shops) explore(shop, answered);
  return [...found.values()];
}

const index = fc.nat(1);
const pick = fc.nat(20);
const cents = fc.integer({ min: 1, max: 4000 }).map((fives) => fives * 5);
/** Draft of a command: `pick` chooses what it is about among what the shop has. */
const draft = fc.record({
  kind: fc.constantFrom(
    ..."message,hold,hold,release,quote,quote,decide,decide,decide,pay,pay,pay,sale,sale,sale,sale,again,again".split(
      ",",
    ),
    ..."credit,credit,credit amount,correct,correct,stock,expense,delete".split(","),
  ),
  chat: index,
  product: index,
  quantity: fc.integer({ min: 1, max: 3 }),
  stock: fc.integer({ min: 0, max: 9 }),
  cents,
  pick,
  flag: fc.boolean(),
  state: fc.constantFrom("accepted", "accepted", "declined", "withdrawn"),
  mode: fc.constantFrom("CASH", "CARD", "EMT"),
});
export type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Rounds of commands that are sent at once. */
export const rounds = fc.array(fc.array(draft, { minLength: 2, maxLength: 5 }), {
  minLength: 3,
  maxLength: 5,
});

/** Makes a draft a command on what the shop has; undefined where it has nothing that the command needs. */
export function commandOf(each: Draft, id: string, shop: Shop, sent: Command[]): Command | undefined {
  const { chat, product, quantity, stock, cents: amount, pick: at, flag } = each;
  const oneOf = <T>(of: T[]): T | undefined => of[at % Math.max(1, of.length)];
  const [hold, quote] = [oneOf(Object.keys(shop.holds)), oneOf(Object.keys(shop.quotes))];
  const [sale, expense] = [oneOf(Object.keys(shop.sales)), oneOf(Object.keys(shop.expenses))];
  const state = each.state as "accepted";
  const part = (((amount / 5) % 400) + 1) * (at % 4 === 0 ? -5 : 5);
  const made: Record<string, () => Command | undefined> = {
    message: () => ({ kind: "message", id, by: flag ? "seller" : "visitor", chat }),
    hold: () => ({ kind: "hold", id, chat, product, quantity }),
    release: () => (hold ? { kind: "release", target: hold } : undefined),
    quote: () => ({ kind: "quote", id, chat, cents: amount }),
    decide: () =>
      quote ? { kind: "decide", target: quote, chat: shop.quotes[quote]?.chat ?? 0, state } : undefined,
    pay: () =>
      quote ? { kind: "pay", id, target: quote, cents: part, mode: each.mode as "CASH" } : undefined,
    sale: () => ({
      ...{ kind: "sale", id, product, quantity, cents: amount, mode: each.mode as "CASH" },
      ...discountOf(each),
      ...(flag && hold && { hold, product: shop.holds[hold]?.product ?? product }),
      ...(!flag && quote && at % 2 === 0 && { quote }),
    }),
    again: () => oneOf(sent.filter(({ kind }) => /sale|credit|correct|hold|quote|pay|message/.test(kind))),
    credit: () => (sale ? { kind: "credit", id, target: sale, quantity, restock: flag } : undefined),
    "credit amount": () =>
      sale ? { kind: "credit amount", id, target: sale, cents: Math.abs(part) } : undefined,
    correct: () => {
      if (!sale) return undefined;
      const { product: sold = 0, cents: paid = 0 } = shop.sales[sale] ?? {};
      // The same price now and then, so that nothing or only the quantity is wrong.
      const wanted = { product: flag ? product : sold, quantity, cents: at % 3 === 0 ? paid || 5 : amount };
      return { kind: "correct", id, target: sale, ...wanted };
    },
    stock: () => ({ kind: "stock", product, stock }),
    expense: () => ({ kind: "expense", id, cents: amount }),
    delete: () => (expense ? { kind: "delete", target: expense } : undefined),
  };
  return made[each.kind]?.();
}

/** Makes the discount of every third sale. Not all of them leave a price that cash could pay. */
function discountOf({ pick: at, cents: amount, mode, flag }: Draft): { discount?: Discount } {
  if (at % 3 !== 1) return {};
  if (mode !== "CASH" && flag) return { discount: { percent: 15 } };
  return { discount: { cents: Math.min(amount, (at + 1) * 50) } };
}
