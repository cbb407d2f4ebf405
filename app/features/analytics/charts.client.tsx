/** All that draws with recharts: loaded by the browser alone, on the graphs' screen alone. */
export { CategoryChart } from "./CategoryChart";
export { MonthlyChart } from "./MonthlyChart";
export { PaymentChart } from "./PaymentChart";
export { SalesVsExpensesChart } from "./SalesVsExpensesChart";
