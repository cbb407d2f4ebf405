import { useMemo, useRef } from "react";
import { type BusinessNames, businessName, EXPENSE_TYPES, expenseTypeName } from "~/domain/enums";
import { parseAmount } from "~/domain/typed-amount";
import { businessFilter } from "~/features/ledger/business-filter";
import { dateConfirmation } from "~/features/ledger/confirmations";
import { EXPENSE } from "~/features/ledger/expense";
import { ExpenseForm, NewExpenseForm } from "~/features/ledger/schema";
import type { ExpenseRow } from "~/features/ledger/views";
import type { FileCard } from "~/features/storage/file-card";
import { listedColumns } from "~/records/listed-columns";
import type { Column } from "~/ui/DataTable/columns";
import type { SelectFilter } from "~/ui/DataTable/filters";
import type { ListParams } from "~/ui/DataTable/list-params";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { EntryDialog, type EntryDialogProps } from "./EntryDialog";
import { type ChosenFiles, FileCount, FilesField, RemovalForm, SupplierField } from "./expense-parts";
import {
  actionsColumn,
  amountColumn,
  businessColumn,
  Description,
  dayColumn,
  LedgerScreen,
  PaymentLabel,
  type Sums,
} from "./LedgerScreen";
import type { ExpensesScreenData } from "./page.server";

export function ExpensesScreen({ data }: { data: ExpensesScreenData }) {
  const { params, businessNames, sums, blank, suppliers, target } = data;
  const columns = useMemo(() => expenseColumns(params, businessNames, sums), [params, businessNames, sums]);
  return (
    <LedgerScreen
      data={data}
      title="Expense"
      icon="wallet"
      emptyMessage="Add the first one, even a taxi fare. The dashboard and the charts start counting from it."
      search="Search descriptions, suppliers and amounts"
      columns={columns}
      filters={expenseFilters(businessNames)}
      form={(props) => (
        <ExpenseDialog
          key={props.row?.id ?? "new"}
          {...props}
          {...{ blank, businessNames, suppliers }}
          files={props.row ? (target?.files ?? []) : []}
        />
      )}
    />
  );
}

const expenseTypeOptions = EXPENSE_TYPES.map((value) => ({ value, label: expenseTypeName(value) }));

const TAX_OPTIONS = [
  { value: "with", label: "With tax" },
  { value: "without", label: "Without tax" },
];

const expenseFilters = (businessNames: BusinessNames): SelectFilter[] => [
  businessFilter(businessNames),
  { name: "expenseType", label: "Expense type", allLabel: "All types", options: expenseTypeOptions },
  { name: "tax", label: "Tax", allLabel: "Any tax", options: TAX_OPTIONS },
];

export function expenseColumns(
  params: ListParams,
  businessNames: BusinessNames,
  sums: Sums | null,
): Column<ExpenseRow>[] {
  return [
    TYPE,
    {
      id: "description",
      title: "Description",
      className: "cell-name",
      card: "title",
      cell: (row) => (
        <>
          <FileCount row={row} params={params} />
          <Description
            text={row.description}
            detail={[businessName(row.businessType, businessNames), row.supplier].filter(Boolean).join(" · ")}
          />
        </>
      ),
    },
    businessColumn("Business type", businessNames),
    ...listedColumns<ExpenseRow>(EXPENSE, businessNames).map((column) => ({
      ...column,
      className: `${column.className} cell-folded`,
    })),
    PAYMENT,
    amountColumn(sums),
    dayColumn("Created at"),
    actionsColumn(params, true),
  ];
}

const TYPE: Column<ExpenseRow> = {
  id: "expenseType",
  title: "Expense type",
  className: "cell-category",
  card: "detail",
  cell: ({ expenseType }) => (
    <span className={`category-badge ${expenseType}`}>{expenseTypeName(expenseType)}</span>
  ),
};

const PAYMENT: Column<ExpenseRow> = {
  id: "paymentMode",
  title: "Paid by",
  isFixed: true,
  className: "cell-apart",
  card: "meta",
  cell: ({ paymentMode }) =>
    paymentMode === "" ? (
      <span className="wide-only">–</span>
    ) : (
      <span className="pay">
        <PaymentLabel mode={paymentMode} />
      </span>
    ),
};

interface ExpenseDialogProps extends EntryDialogProps<ExpenseRow> {
  /** Latest suppliers. */
  suppliers: string[];
  /** Files that the expense has now. */
  files: FileCard[];
}

function ExpenseDialog({ suppliers, files, ...props }: ExpenseDialogProps) {
  const chosen = useRef<ChosenFiles>(new Map());
  return (
    <>
      <EntryDialog
        title="Expense"
        record={EXPENSE}
        schema={props.row ? ExpenseForm : NewExpenseForm}
        isComplete={isComplete}
        confirmation={(fields) => dateConfirmation(fields, String(props.blank.createdAt))}
        encType="multipart/form-data"
        own={(form) => ({ supplier: <SupplierField {...form.field("supplier")} suppliers={suppliers} /> })}
        foot={(form) => (
          <FilesField
            files={files}
            error={form.field("files").error}
            chosen={chosen.current}
            isRefused={props.refused !== undefined}
          />
        )}
        {...props}
        refused={ofExpense(props.refused)}
      />
      <RemovalForm action={props.action} />
    </>
  );
}

/** Keeps the values of a form that was refused, but not those of the form that removes a file. */
function ofExpense(refused: RefusedForm | undefined): RefusedForm | undefined {
  if (refused?.lastResult.initialValue?.key === undefined) return refused;
  return { ...refused, lastResult: { status: "error" } };
}

/** Requires a description and an amount; validation on submit rejects an amount that is no number. */
function isComplete(fields: FormData): boolean {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return text("description") !== "" && text("amount") !== "" && parseAmount(text("amount"))?.cents !== 0;
}
