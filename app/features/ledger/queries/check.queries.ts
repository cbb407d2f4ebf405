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

/** Both sides are laid under each other and added up by key: it costs no more than sorting them. */
function differences({ sums, keys, values, from }: Compared): string {
  const names = Object.keys(keys);
  const told = (columns: string[]) => columns.join(" || ' ' || ");
  const column = (prefix: string) => (value: string) => `${prefix}_${value}`;
  const all = Object.keys(values);
  const kept = all.map((value) => `${value} AS kept_${value}, 0 AS counted_${value}`);
  const counted = Object.values(values).map((of) => `0, ${of}`);
  const added = ["kept", "counted"].flatMap((side) =>
    all.map(column(side)).map((value) => `sum(${value}) AS ${value}`),
  );
  const other = all.map((value) => `kept_${value} <> counted_${value}`);
  return `SELECT '${sums}' AS sums, ${told(names)} AS "of", ${told(all.map(column("kept")))} AS kept,
      ${told(all.map(column("counted")))} AS counted
    FROM (SELECT ${[...names, ...added].join(", ")} FROM (
      SELECT ${[...names, ...kept].join(", ")} FROM ${sums}
      UNION ALL SELECT ${[...Object.values(keys), ...counted].join(", ")} FROM ${from}
      GROUP BY ${Object.values(keys).join(", ")}) GROUP BY ${names.join(", ")})
    WHERE ${other.join(" OR ")} LIMIT 100`;
}

const fromRows = { entries: "count(*)", amount_cents: "sum(amount_cents)" };
const fromDays = { entries: "sum(entries)", amount_cents: "sum(amount_cents)" };
const quantity = { quantity: "sum(quantity)" };
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
    from: "sale_days",
  }),
  differences({
    sums: "sale_totals",
    keys: sale,
    values: { ...fromDays, ...quantity },
    from: "sale_days",
  }),
  differences({
    sums: "expense_days",
    keys: { day: "day", ...expense },
    values: fromRows,
    from: "expenses",
  }),
  differences({ sums: "expense_months", keys: month, values: fromDays, from: "expense_days" }),
  differences({ sums: "expense_totals", keys: expense, values: fromDays, from: "expense_days" }),
];
