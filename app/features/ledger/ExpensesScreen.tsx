import { useMemo } from "react";
import { dollars } from "~/ui/money";
import { expenseColumns } from "./columns";
import { ExpenseDialog } from "./ExpenseDialog";
import { expenseChoices } from "./entry-kinds";
import { LedgerScreen } from "./LedgerScreen";
import type { ExpensesScreenData } from "./page.server";

/** The expenses' screen (back office 2, Expenses). */
export function ExpensesScreen({ data }: { data: ExpensesScreenData }) {
  const { params, shopName, sums, rows, blank } = data;
  const columns = useMemo(() => expenseColumns(params, shopName, sums), [params, shopName, sums]);
  const cents = (rows ?? []).reduce((all, { amountCents }) => all + amountCents, 0);
  return (
    <LedgerScreen
      data={data}
      title="Expense"
      icon="wallet"
      invitation="Add the first one, even a taxi fare. The dashboard and the charts start counting from it."
      className="expense-table"
      columns={columns}
      choices={expenseChoices(shopName)}
      ofPage={dollars(cents)}
      form={(props) => (
        <ExpenseDialog key={props.row?.id ?? "new"} {...props} blank={blank} shopName={shopName} />
      )}
    />
  );
}
