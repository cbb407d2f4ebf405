import { cashStepCents } from "~/domain/cash-rounding";
import type { PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { type ErrorDetail, validationError } from "~/http/errors";
import type { ShopSettings } from "~/http/shop-settings.server";
import type { Tender } from "./payments";

interface Paid {
  paymentMode?: PaymentMode | undefined;
  payments?: { mode: PaymentMode; amount: number }[] | undefined;
}

type Settings = Pick<ShopSettings, "sales">;

/** Returns the cents to whose multiples the shop rounds cash. */
export const cashStepOf = ({ sales }: Settings): number => cashStepCents(sales.cashRounding);

/** Returns what a request pays with. @throws AppError invalid for cash that the shop's coins can't pay */
export function tenderOf({ paymentMode, payments = [] }: Paid, settings: Settings): Tender {
  const stepCents = cashStepOf(settings);
  refuseCoins(
    payments.map(({ mode, amount }, i) => ({ mode, amount, path: `payments.${i}.amount` })),
    stepCents,
  );
  return {
    parts: payments.map(({ mode, amount }) => ({ mode, amountCents: amount })),
    rest: paymentMode ?? null,
    stepCents,
  };
}

/** Refuses cash that coins can't pay. @throws AppError invalid at the path of each */
export function refuseCoins(
  payments: { mode: PaymentMode; amount: number; path: string }[],
  stepCents: number,
): void {
  const problems = payments.flatMap(({ mode, amount, path }): ErrorDetail[] =>
    mode !== "CASH" || amount % stepCents === 0
      ? []
      : [{ path, message: `Cash must be a multiple of ${dollars(stepCents)}` }],
  );
  if (problems.length > 0) throw validationError(problems);
}
