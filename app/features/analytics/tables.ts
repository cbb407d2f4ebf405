import { categoryLabel, type Slice, wholePercent } from "~/features/dashboard/figures";
import type { CategoryAmount } from "~/features/ledger/views";
import { dollars } from "~/ui/money";
import type { ChartTableProps, ChartTableRow } from "./ChartCard";
import { MONTHS, type Month } from "./months";

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Formats cents; a negative amount gets a minus sign in front of the dollar sign. */
export function signedDollars(cents: number): string {
  return cents < 0 ? `−${dollars(-cents)}` : dollars(cents);
}

function monthLabel(index: number, year: number, now: Month): string {
  const name = MONTHS[index] ?? "";
  return year === now.year && index + 1 === now.month ? `${name}, so far` : name;
}

export function monthlyTable(sales: number[], monthCount: number, year: number, now: Month): ChartTableProps {
  const months = sales.slice(0, monthCount);
  return {
    caption: `Monthly Sales, ${year}`,
    heads: ["Month", "Sales"],
    rows: months.map((amount, i) => ({ label: monthLabel(i, year, now), cells: [dollars(amount)] })),
    foot: { label: String(year), cells: [dollars(sum(months))] },
  };
}

export function salesVsExpensesTable(
  { sales, expenses }: { sales: number[]; expenses: number[] },
  monthCount: number,
  year: number,
  now: Month,
): ChartTableProps {
  const row = (label: string, sold: number, spent: number): ChartTableRow => ({
    label,
    cells: [dollars(sold), dollars(spent), signedDollars(sold - spent)],
  });
  return {
    caption: `Sales vs Expenses, ${year}`,
    heads: ["Month", "Sales", "Expenses", "Profit"],
    rows: sales.slice(0, monthCount).map((sold, i) => row(monthLabel(i, year, now), sold, expenses[i] ?? 0)),
    foot: row(String(year), sum(sales), sum(expenses)),
  };
}

export function categoryTable(categories: CategoryAmount[]): ChartTableProps {
  const total = sum(categories.map(({ amount }) => amount));
  const share = (amount: number) => (total > 0 ? `${((amount / total) * 100).toFixed(1)}%` : "0%");
  return {
    caption: "Sales by Category, all time",
    heads: ["Category", "Sales", "Share"],
    rows: categories.map(({ category, amount }) => ({
      label: categoryLabel(category),
      cells: [dollars(amount), share(amount)],
    })),
    foot: { label: "Total", cells: [dollars(total), "100%"] },
  };
}

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
