/**
 * Difference between a maintained sum and its rows (docs/decisions/0012-ledger.md). This module has no imports: the
 * nightly cron runs its SQL in the Worker, scripts/check-ledger.mjs there or through wrangler.
 */
export interface Difference {
  /** Table of sums. */
  sums: string;
  key: string;
  stored: string;
  expected: string;
}

interface Comparison {
  sums: string;
  /** Key column → expression over the source rows. */
  keys: Record<string, string>;
  /** Column of sums → expression over the source rows. */
  values: Record<string, string>;
  from: string;
}

/** Adds up both sides by key in one UNION, at the cost of a sort. */
function differences({ sums, keys, values, from }: Comparison): string {
  const names = Object.keys(keys);
  const joined = (columns: string[]) => columns.join(" || ' ' || ");
  const column = (prefix: string) => (value: string) => `${prefix}_${value}`;
  const all = Object.keys(values);
  const stored = all.map((value) => `${value} AS stored_${value}, 0 AS expected_${value}`);
  const expected = Object.values(values).map((of) => `0, ${of}`);
  const added = ["stored", "expected"].flatMap((side) =>
    all.map(column(side)).map((value) => `sum(${value}) AS ${value}`),
  );
  const differs = all.map((value) => `stored_${value} <> expected_${value}`);
  return `SELECT '${sums}' AS sums, ${joined(names)} AS "key", ${joined(all.map(column("stored")))} AS stored,
      ${joined(all.map(column("expected")))} AS expected
    FROM (SELECT ${[...names, ...added].join(", ")} FROM (
      SELECT ${[...names, ...stored].join(", ")} FROM ${sums}
      UNION ALL SELECT ${[...Object.values(keys), ...expected].join(", ")} FROM ${from}
      GROUP BY ${Object.values(keys).join(", ")}) GROUP BY ${names.join(", ")})
    WHERE ${differs.join(" OR ")} LIMIT 100`;
}

const fromRows = { entries: "count(*)", amount_cents: "sum(amount_cents)" };
const fromDays = { entries: "sum(entries)", amount_cents: "sum(amount_cents)" };
const quantity = { quantity: "sum(quantity)" };
const month = { month: "substr(day, 1, 7)" };
const sale = { business_type: "business_type", category: "category", payment_mode: "payment_mode" };
const expense = { business_type: "business_type", expense_type: "expense_type" };

/** Compares days with the rows, months and totals with the days: the rows are scanned once. */
export const LEDGER_CHECKS: string[] = [
  differences({
    sums: "sale_days",
    keys: { day: "day", ...sale },
    values: { ...fromRows, ...quantity },
    from: "invoices",
  }),
  differences({ sums: "sale_dates", keys: { day: "day" }, values: fromDays, from: "sale_days" }),
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
  differences({
    sums: "ledger_periods",
    keys: { kind: "kind", unit: "unit", period: "period", business_type: "business_type" },
    values: {
      ...fromRows,
      tax_cents: "sum(tax_cents)",
      taxed: "sum(is_taxed)",
      taxed_cents: "sum(iif(is_taxed, amount_cents, 0))",
    },
    from: `(SELECT kind, unit, CASE unit WHEN 'day' THEN day WHEN 'month' THEN substr(day, 1, 7)
        WHEN 'year' THEN substr(day, 1, 4) ELSE 'all' END AS period, business_type, amount_cents, tax_cents, is_taxed
      FROM (SELECT 'sale' AS kind, day, business_type, amount_cents, tax_cents, tax_cents <> 0 OR tax_stated AS is_taxed FROM invoices
        UNION ALL SELECT 'expense', day, business_type, amount_cents, tax_cents, tax_cents <> 0 FROM expenses),
        (SELECT 'day' AS unit UNION ALL SELECT 'month' UNION ALL SELECT 'year' UNION ALL SELECT 'all'))`,
  }),
];
