import { useMemo } from "react";
import { businessName, EXPENSE_TYPES, expenseTypeName } from "~/domain/enums";
import { parseAmount } from "~/domain/typed-amount";
import { businessFilter } from "~/features/ledger/business-filter";
import { dateConfirmation } from "~/features/ledger/confirmations";
import { EXPENSE } from "~/features/ledger/expense";
import { ExpenseForm, NewExpenseForm } from "~/features/ledger/schema";
import type { ExpenseRow } from "~/features/ledger/views";
import { listedColumns } from "~/records/listed-columns";
import type { Column } from "~/ui/DataTable/columns";
import type { SelectFilter } from "~/ui/DataTable/filters";
import type { ListParams } from "~/ui/DataTable/list-params";
import { EntryDialog, type EntryDialogProps } from "./EntryDialog";
import {
  actionsColumn,
  amountColumn,
  businessColumn,
  Description,
  dayColumn,
  LedgerScreen,
  type Sums,
} from "./LedgerScreen";
import type { ExpensesScreenData } from "./page.server";

export function ExpensesScreen({ data }: { data: ExpensesScreenData }) {
  const { params, shopName, sums, blank } = data;
  const columns = useMemo(() => expenseColumns(params, shopName, sums), [params, shopName, sums]);
  return (
    <LedgerScreen
      data={data}
      title="Expense"
      icon="wallet"
      emptyMessage="Add the first one, even a taxi fare. The dashboard and the charts start counting from it."
      columns={columns}
      filters={expenseFilters(shopName)}
      form={(props) => (
        <ExpenseDialog key={props.row?.id ?? "new"} {...props} blank={blank} shopName={shopName} />
      )}
    />
  );
}

const expenseTypeOptions = EXPENSE_TYPES.map((value) => ({ value, label: expenseTypeName(value) }));

const TAX_OPTIONS = [
  { value: "with", label: "With tax" },
  { value: "without", label: "Without tax" },
];

const expenseFilters = (shopName: string): SelectFilter[] => [
  businessFilter(shopName),
  { name: "expenseType", label: "Expense type", allLabel: "All types", options: expenseTypeOptions },
  { name: "tax", label: "Tax", allLabel: "Any tax", options: TAX_OPTIONS },
];

export function expenseColumns(
  params: ListParams,
  shopName: string,
  sums: Sums | null,
): Column<ExpenseRow>[] {
  return [
    {
      id: "expenseType",
      title: "Expense type",
      className: "cell-category",
      card: "detail",
      cell: ({ expenseType }) => (
        <span className={`category-badge ${expenseType}`}>{expenseTypeName(expenseType)}</span>
      ),
    },
    {
      id: "description",
      title: "Description",
      className: "cell-name",
      card: "title",
      cell: (row) => <Description text={row.description} detail={businessName(row.businessType, shopName)} />,
    },
    businessColumn("Business type", shopName),
    ...listedColumns<ExpenseRow>(EXPENSE, shopName),
    amountColumn(sums),
    dayColumn("Created at"),
    actionsColumn(params),
  ];
}

function ExpenseDialog(props: EntryDialogProps<ExpenseRow>) {
  return (
    <EntryDialog
      title="Expense"
      record={EXPENSE}
      schema={props.row ? ExpenseForm : NewExpenseForm}
      isComplete={isComplete}
      confirmation={(fields) => dateConfirmation(fields, String(props.blank.createdAt))}
      {...props}
    />
  );
}

/** Requires a description and an amount; validation on submit rejects an amount that is no number. */
function isComplete(fields: FormData): boolean {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return text("description") !== "" && text("amount") !== "" && parseAmount(text("amount"))?.cents !== 0;
}
