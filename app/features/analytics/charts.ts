/** Charts of the analytics screen in their order; error messages call them `name`. */
export const CHARTS = [
  { id: "monthly", title: "Monthly Sales", name: "monthly sales graph" },
  { id: "categories", title: "Sales by Category", name: "Category graph" },
  { id: "versus", title: "Sales vs Expenses", name: "sales vs expenses graph" },
  { id: "payments", title: "Payment Methods", name: "payment method graph" },
] as const;

export type ChartId = (typeof CHARTS)[number]["id"];
