import { z } from "zod";
import { isDay, noSuchDay, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { BUSINESSES, type Business, type BusinessNames } from "~/domain/enums";
import type { Period } from "~/domain/periods";
import { Id, Time } from "~/http/answers";
import { clientId, flag, optionalText, requiredText, wholeNumber } from "~/http/fields";
import type { RankedProducts } from "./products.queries.server";
import type { ReportScope, ScopeProblem } from "./report-scope";

const BASIS_POINTS_PER_PERCENT = 100;

/** Percent in, basis points out: `13` is 1300, at most two decimals; null when it is empty. */
const rate = z
  .union([z.string(), z.number()], { error: "Must be a percentage" })
  .transform((value) => String(value).trim())
  .refine((text) => /^(?:\d{1,2}(?:\.\d{1,2})?)?$/.test(text), "Must be a percentage from 0 to 99.99")
  .transform((text) => (text === "" ? null : Math.round(Number(text) * BASIS_POINTS_PER_PERCENT)));

const business = z.enum(BUSINESSES, { error: `Must be one of ${BUSINESSES.join(", ")}` });

/** Input of a business's tax registration. */
export const TaxSettingsInput = z
  .object({
    business,
    number: optionalText(50),
    name: optionalText(20),
    rate,
    isIncluded: flag.default(false),
    version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  })
  .refine(({ number, name }) => number === "" || name !== "", {
    path: ["name"],
    message: "Enter the name of the tax, such as HST",
  })
  .refine(({ number, rate }) => number === "" || rate !== null, {
    path: ["rate"],
    message: "Enter the rate, or 0 where none is charged",
  })
  .transform(({ rate, ...settings }) => ({ ...settings, rate: rate ?? 0 }));

/** Closing of a business's books up to a day. */
export const ClosingInput = z.object({
  id: clientId(),
  businessType: business,
  until: z
    .string({ error: "Choose a day" })
    .min(1, "Choose a day")
    .refine((day) => day === "" || isDay(day), { error: ({ input }) => noSuchDay(input) ?? UNSUPPORTED_DATE })
    .meta({ examples: ["2026-10-31"] }),
  note: optionalText(200),
});

/** Reopening of what was closed last. */
export const ReopeningInput = z.object({
  businessType: business,
  /** Closing that the author has seen. */
  id: clientId(),
  reason: requiredText("Say why", 200),
});

/** Closing as the API answers it. */
export const Closing = z
  .object({
    id: Id,
    businessType: z.enum(BUSINESSES),
    until: z.string().meta({ description: "Last closed day", examples: ["2026-10-31"] }),
    note: z.string(),
    closedBy: z.string().meta({ examples: ["Maren Example"] }),
    closedAt: Time,
    reopenedBy: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    reopenedAt: Time.nullable(),
    reason: z.string(),
  })
  .meta({ id: "Closing" });

/** Closed months as the screen shows them. */
export interface ClosedBooks {
  business: Business;
  /** Closing up to whose day it is closed; null for none. */
  closing: { id: string; until: string; by: string } | null;
  /** Day that the form proposes: the end of the month after the closed ones; null while it is not over. */
  next: string | null;
}

/** Figures of one business in a period, in cents. */
export interface BusinessFigures {
  business: Business;
  sales: number;
  expenses: number;
  taxCollected: number;
  taxPaid: number;
  /** Number of sales, of those that state no tax, and their amounts. */
  saleEntries: number;
  untaxedSales: number;
  untaxedSalesCents: number;
  /** Number of expenses, of those that state no tax, and their amounts. */
  expenseEntries: number;
  untaxedExpenses: number;
  untaxedExpensesCents: number;
}

/** Stored tax registration of a business. */
export interface TaxSettings {
  business: Business;
  /** Registration number; empty without registration. */
  number: string;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** Prices include the tax. */
  isIncluded: boolean;
  /** 0 before the first save. */
  version: number;
}

/** Open dialog of the closed months. */
export type ClosingDialog =
  | { kind: "reopen"; books: ClosedBooks }
  | { kind: "close"; books: ClosedBooks; id: string; until: string; month: string; figures: BusinessFigures };

/** Data of the bookkeeping screen. */
export interface BookkeepingPage {
  scope: ReportScope;
  /** Parameters of the scope that can't be read and have no effect. */
  problems: ScopeProblem[];
  period: Pick<Period, "days">;
  /** Months that the choice of the period offers. */
  months: string[];
  figures: BusinessFigures[];
  products: RankedProducts;
  tax: TaxSettings[];
  closed: ClosedBooks[];
  /** Dialog that is open. */
  dialog: ClosingDialog | null;
  businessNames: BusinessNames;
  /** True for admins, who alone may change it. */
  mayEdit: boolean;
}
