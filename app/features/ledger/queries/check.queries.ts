/**
 * Recomputes the books' sums from their rows (back office 3; docs/decisions/0012-ledger.md). Plain SQL without imports:
 * the nightly cron runs it in the Worker, scripts/check-ledger.mjs by wrangler. Each statement answers the differences
 * as { sums, of, kept, counted }: which sums, of what, as they are kept and as they should be.
 */
export interface Difference {
  sums: string;
  of: string;
  kept: string;
  counted: string;
}

interface Compared {
  /** Table of sums. */
  sums: string;
  /** What the sums are of, and how the rows they come from tell it. */
  keys: Record<string, string>;
  /** Column of sums → how it comes from the rows. */
  values: Record<string, string>;
  /** Where the rows come from. */
  from: string;
}

function differences({ sums, keys, values, from }: Compared): string {
  const names = [...Object.keys(keys), ...Object.keys(values)];
  const told = (columns: string[]) => columns.join(" || ' ' || ");
  const counted = Object.entries({ ...keys, ...values }).map(([as, of]) => `${of} AS ${as}`);
  const other = Object.keys(values).map((as) => `kept.${as} IS NOT counted.${as}`);
  const same = Object.keys(keys).map((as) => `kept.${as} = counted.${as}`);
  const key = Object.keys(keys).map((as) => `coalesce(kept.${as}, counted.${as})`);
  const value = (table: string) => Object.keys(values).map((as) => `coalesce(${table}.${as}, 0)`);
  return `WITH kept AS (SELECT ${names.join(", ")} FROM ${sums} WHERE ${Object.keys(values)
    .map((as) => `${as} <> 0`)
    .join(" OR ")}),
    counted AS (SELECT ${counted.join(", ")} FROM ${from} GROUP BY ${Object.values(keys).join(", ")})
    SELECT '${sums}' AS sums, ${told(key)} AS "of", ${told(value("kept"))} AS kept, ${told(value("counted"))} AS counted
    FROM kept FULL JOIN counted ON ${same.join(" AND ")} WHERE ${other.join(" OR ")} LIMIT 100`;
}

const fromRows = { entries: "count(*)", amount_cents: "sum(amount_cents)" };
const fromDays = { entries: "sum(entries)", amount_cents: "sum(amount_cents)" };
const quantity = { quantity: "sum(quantity)" };
const notEmpty = (days: string) => `${days} WHERE entries <> 0`;
const month = { month: "substr(day, 1, 7)" };
const sale = { business_type: "business_type", category: "category", payment_mode: "payment_mode" };
const expense = { business_type: "business_type", expense_type: "expense_type" };

/** Days are compared with the rows, months and all time with the days: the rows are walked once. */
export const LEDGER_CHECKS: string[] = [
  differences({
    sums: "sale_days",
    keys: { day: "day", ...sale },
    values: { ...fromRows, ...quantity },
    from: "invoices",
  }),
  differences({
    sums: "sale_months",
    keys: month,
    values: { ...fromDays, ...quantity },
    from: notEmpty("sale_days"),
  }),
  differences({
    sums: "sale_totals",
    keys: sale,
    values: { ...fromDays, ...quantity },
    from: notEmpty("sale_days"),
  }),
  differences({
    sums: "expense_days",
    keys: { day: "day", ...expense },
    values: fromRows,
    from: "expenses",
  }),
  differences({ sums: "expense_months", keys: month, values: fromDays, from: notEmpty("expense_days") }),
  differences({ sums: "expense_totals", keys: expense, values: fromDays, from: notEmpty("expense_days") }),
];
