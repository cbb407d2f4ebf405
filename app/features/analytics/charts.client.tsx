/** Everything that needs recharts, in one chunk that only the analytics screen loads. */
export { CategoryChart } from "./CategoryChart";
export { MonthlyChart } from "./MonthlyChart";
export { PaymentChart } from "./PaymentChart";
export { SalesVsExpensesChart } from "./SalesVsExpensesChart";
