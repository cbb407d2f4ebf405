import { z } from "zod";
import { isDay, noSuchDay, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { BUSINESSES, type Business, type BusinessNames } from "~/domain/enums";
import type { Period } from "~/domain/periods";
import { Id, Time } from "~/http/answers";
import { clientId, optionalText, requiredText } from "~/http/fields";
import type { RankedProducts } from "./products.queries.server";
import type { Days, ReportScope, ScopeProblem } from "./report-scope";

const business = z.enum(BUSINESSES, { error: `Must be one of ${BUSINESSES.join(", ")}` });

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
  /** Discounts on the sales, less those of what was credited. */
  discounts: number;
  /** Number of sales, of those that state no tax, and their amounts. */
  saleEntries: number;
  untaxedSales: number;
  untaxedSalesCents: number;
  /** Number of expenses, of those that state no tax, and their amounts. */
  expenseEntries: number;
  untaxedExpenses: number;
  untaxedExpensesCents: number;
}

/** Deposits of a business at the end of a day, cents; one of both is 0. */
export interface HeldDeposits {
  /** Neither sold nor paid back. */
  heldCents: number;
  /** Taken on later days, but already sold or paid back. */
  laterCents: number;
}

/** Open dialog of the closed months. */
export type ClosingDialog =
  | { kind: "reopen"; books: ClosedBooks }
  | {
      kind: "close";
      books: ClosedBooks;
      id: string;
      until: string;
      /** Days that are closed with it: those since the last closing, else of its month. */
      days: Days;
      figures: BusinessFigures;
      /** Deposits at the end of the month. */
      held: HeldDeposits;
      /** Days whose drawers are open. */
      openDrawers: string[];
    };

/** Data of the bookkeeping screen. */
export interface BookkeepingPage {
  scope: ReportScope;
  /** Parameters of the scope that can't be read and have no effect. */
  problems: ScopeProblem[];
  period: Pick<Period, "days">;
  /** Months that the choice of the period offers. */
  months: string[];
  figures: BusinessFigures[];
  /** Deposits at the end of the period. */
  held: Record<Business, HeldDeposits>;
  /** Last day of the period, YYYY-MM-DD; null while it is not over. */
  heldOn: string | null;
  products: RankedProducts;
  closed: ClosedBooks[];
  /** Dialog that is open. */
  dialog: ClosingDialog | null;
  businessNames: BusinessNames;
  /** True for admins, who alone may change it. */
  mayEdit: boolean;
}
