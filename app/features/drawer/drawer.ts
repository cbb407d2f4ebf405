import type { PaymentMode } from "~/domain/enums";

/** Longest reason of a difference. */
export const MAX_REASON = 500;

/** Money of a drawer's day. */
interface DrawerMoney {
  floatCents: number;
  /** Stored when it was closed; null while it is open. */
  expectedCents: number | null;
  sums: { mode: PaymentMode; amountCents: number }[];
  cashExpensesCents: number;
}

/** Adds up what should be in a drawer now: the float, cash payments without cash expenses. */
export function currentCents({ floatCents, sums, cashExpensesCents }: DrawerMoney): number {
  const cash = sums.find(({ mode }) => mode === "CASH")?.amountCents ?? 0;
  return floatCents + cash - cashExpensesCents;
}

/** Returns what should be in a drawer, or should have been when it was closed. */
export const expectedCents = (drawer: DrawerMoney): number => drawer.expectedCents ?? currentCents(drawer);
