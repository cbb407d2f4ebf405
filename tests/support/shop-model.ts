import fc from "fast-check";

type Mode = "CASH" | "CARD" | "EMT";
/** Cents by mode. */
type Paid = Record<Mode, number>;

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
      hold?: string;
      quote?: string;
    }
  | { kind: "credit"; id: string; target: string; quantity: number; restock: boolean }
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
  sales: Record<string, { product: number; quantity: number; cents: number; paid: Paid; returned: number }>;
  credits: Record<string, { target: string; cents: number }>;
  expenses: Record<string, number>;
}

export const newShop = (stock: number[]): Shop => ({
  stock,
  messages: [],
  holds: {},
  quotes: {},
  payments: [],
  sales: {},
  credits: {},
  expenses: {},
});

/** Adds up the pieces of a product on hold. @param except hold that is not counted */
export const heldOf = ({ holds }: Shop, product: number, except?: string): number =>
  Object.entries(holds)
    .filter(([id, hold]) => hold.state === "active" && hold.product === product && id !== except)
    .reduce((sum, [, { quantity }]) => sum + quantity, 0);

const NOTHING: Paid = { CASH: 0, CARD: 0, EMT: 0 };
const sumOf = ({ CASH, CARD, EMT }: Paid) => CASH + CARD + EMT;

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
  sale(shop, { id, product, quantity, cents, mode, hold: holdId, quote: quoteId }) {
    if (shop.sales[id]) return true;
    const [hold, quote] = [holdId && shop.holds[holdId], quoteId && shop.quotes[quoteId]];
    if (hold && hold.state === "sold") return false;
    if (quote && (quote.state !== "accepted" || quote.isSold)) return false;
    const deposit = quote ? quote.paid : NOTHING;
    if (sumOf(deposit) > cents) return false;
    const stock = shop.stock[product] ?? 0;
    if (quantity > stock - heldOf(shop, product, holdId)) return false;
    shop.stock[product] = stock - quantity;
    if (hold) hold.state = "sold";
    if (quote) quote.isSold = true;
    const paid = { ...deposit, [mode]: deposit[mode] + cents - sumOf(deposit) };
    shop.sales[id] = { product, quantity, cents, paid, returned: 0 };
    return true;
  },
  credit(shop, { id, target, quantity, restock }) {
    if (shop.credits[id]) return true;
    const sale = shop.sales[target];
    if (!sale || sale.returned + quantity > sale.quantity) return false;
    const paid = (pieces: number) => Math.floor((sale.cents * pieces) / sale.quantity);
    shop.credits[id] = { target, cents: paid(sale.returned + quantity) - paid(sale.returned) };
    sale.returned += quantity;
    if (restock) shop.stock[sale.product] = (shop.stock[sale.product] ?? 0) + quantity;
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
    ..."message hold hold release quote quote decide decide decide pay pay pay sale sale sale again again credit credit stock expense delete".split(
      " ",
    ),
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
      ...(flag && hold && { hold, product: shop.holds[hold]?.product ?? product }),
      ...(!flag && quote && at % 2 === 0 && { quote }),
    }),
    again: () => oneOf(sent.filter(({ kind }) => /sale|credit|hold|quote|pay|message/.test(kind))),
    credit: () => (sale ? { kind: "credit", id, target: sale, quantity, restock: flag } : undefined),
    stock: () => ({ kind: "stock", product, stock }),
    expense: () => ({ kind: "expense", id, cents: amount }),
    delete: () => (expense ? { kind: "delete", target: expense } : undefined),
  };
  return made[each.kind]?.();
}
