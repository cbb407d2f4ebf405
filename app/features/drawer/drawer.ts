import { PAYMENT_MODES, type PaymentMode } from "~/domain/enums";

/** Amount that moved in one mode. */
export interface ModeAmount {
  mode: PaymentMode;
  amountCents: number;
}

/** Sum of a day's payments in one mode. */
export interface ModeSum extends ModeAmount {
  count: number;
}

/** Longest reason of a difference. */
export const MAX_REASON = 500;

/** Money of a drawer's day. */
interface DrawerMoney {
  floatCents: number;
  /** Stored when it was closed; null while it is open. */
  expectedCents: number | null;
  sums: ModeAmount[];
  cashExpensesCents: number;
}

/** Adds up what should be in a drawer now: the float, cash payments without cash expenses. */
function currentCents({ floatCents, sums, cashExpensesCents }: DrawerMoney): number {
  const cash = sums.find(({ mode }) => mode === "CASH")?.amountCents ?? 0;
  return floatCents + cash - cashExpensesCents;
}

/** Returns what should be in a drawer, or should have been when it was closed. */
export const expectedCents = (drawer: DrawerMoney): number => drawer.expectedCents ?? currentCents(drawer);

/** Payments and cash expenses of a drawer's day. */
interface DaySums {
  sums: ModeSum[];
  cashExpensesCents: number;
}

/**
 * Returns what a drawer's day had when it was closed; null where that was not stored, as by an earlier version, which left what
 * another closing had stored.
 */
export function sumsAtClosing(
  { floatCents, expectedCents: expected }: Pick<DrawerMoney, "floatCents" | "expectedCents">,
  sums: ModeSum[] | null,
  cashExpensesCents: number | null,
): DaySums | null {
  if (sums === null || cashExpensesCents === null) return null;
  const isOfThatClosing =
    currentCents({ floatCents, expectedCents: null, sums, cashExpensesCents }) === expected;
  return isOfThatClosing ? { sums, cashExpensesCents } : null;
}

/** Lists what moved after a drawer was closed, by mode: of cash what is not expected, of other modes what is known. */
export function laterAmounts(current: DrawerMoney, atClosing: DaySums | null): ModeAmount[] {
  const of = (sums: ModeAmount[], mode: PaymentMode) =>
    sums.find((sum) => sum.mode === mode)?.amountCents ?? 0;
  return PAYMENT_MODES.map((mode) => {
    if (mode === "CASH") return { mode, amountCents: currentCents(current) - expectedCents(current) };
    return { mode, amountCents: atClosing ? of(current.sums, mode) - of(atClosing.sums, mode) : 0 };
  }).filter(({ amountCents }) => amountCents !== 0);
}
