import { categoryLabel, type Slice } from "~/features/dashboard/figures";
import { wholePercent } from "~/features/dashboard/percent";
import type { CategoryAmount } from "~/features/ledger/views";
import { dollars } from "~/ui/money";
import type { ChartTableProps, ChartTableRow } from "./ChartTable";
import { MONTHS, type Month } from "./months";

/** The charts' figures in words. */

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Dollars; a loss with a minus sign before them. */
export function signedDollars(cents: number): string {
  return cents < 0 ? `−${dollars(-cents)}` : dollars(cents);
}

/** A month by name; the one that is not over says so. */
function monthLabel(index: number, year: number, now: Month): string {
  const name = MONTHS[index] ?? "";
  return year === now.year && index + 1 === now.month ? `${name}, so far` : name;
}

/** Sales by month, in cents. */
export function monthlyTable(sales: number[], shown: number, year: number, now: Month): ChartTableProps {
  const months = sales.slice(0, shown);
  return {
    caption: `Monthly Sales, ${year}`,
    heads: ["Month", "Sales"],
    rows: months.map((amount, i) => ({ label: monthLabel(i, year, now), cells: [dollars(amount)] })),
    foot: { label: String(year), cells: [dollars(sum(months))] },
  };
}

/** Sales, expenses and what is left of them by month, in cents. */
export function salesVsExpensesTable(
  { sales, expenses }: { sales: number[]; expenses: number[] },
  shown: number,
  year: number,
  now: Month,
): ChartTableProps {
  const row = (label: string, earned: number, spent: number): ChartTableRow => ({
    label,
    cells: [dollars(earned), dollars(spent), signedDollars(earned - spent)],
  });
  return {
    caption: `Sales vs Expenses, ${year}`,
    heads: ["Month", "Sales", "Expenses", "Left"],
    rows: sales.slice(0, shown).map((earned, i) => row(monthLabel(i, year, now), earned, expenses[i] ?? 0)),
    foot: row(String(year), sum(sales), sum(expenses)),
  };
}

/** Sales by category with their shares. */
export function categoryTable(categories: CategoryAmount[]): ChartTableProps {
  const whole = sum(categories.map(({ amount }) => amount));
  const share = (amount: number) => (whole > 0 ? `${((amount / whole) * 100).toFixed(1)}%` : "0%");
  return {
    caption: "Sales by Category, all time",
    heads: ["Category", "Sales", "Share"],
    rows: categories.map(({ category, amount }) => ({
      label: categoryLabel(category),
      cells: [dollars(amount), share(amount)],
    })),
    foot: { label: "Total", cells: [dollars(whole), "100%"] },
  };
}

/** Sales by payment method with their shares. */
export function paymentTable(slices: Slice[]): ChartTableProps {
  return {
    caption: "Payment Methods, all time",
    heads: ["Method", "Sales", "Share"],
    rows: slices.map(({ name, amount, percent }) => ({
      label: name,
      cells: [dollars(amount), wholePercent(percent)],
    })),
    foot: { label: "Total", cells: [dollars(sum(slices.map(({ amount }) => amount))), "100%"] },
  };
}
