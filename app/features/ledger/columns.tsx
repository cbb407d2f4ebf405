import { categoryName } from "~/features/catalogue/categories";
import { ACTIONS_COLUMN, type Column, RowActions } from "~/ui/DataTable/columns";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatDay } from "~/ui/dates";
import { dollars } from "~/ui/money";
import { businessName, expenseTypeName, PAYMENT_NAMES } from "./enums";
import { PaymentLabel } from "./options";
import type { ExpenseRow, InvoiceRow } from "./views";

/** Sums of all matching entries. */
interface Sums {
  amountCents: number;
  quantity: number;
}

const grouped = (count: number) => count.toLocaleString("en");
const entryName = (description: string) => description || "an entry without a description";

const CATEGORY: Column<InvoiceRow> = {
  id: "category",
  title: "Category",
  className: "cell-category",
  cell: ({ category }) => <span className={`category-badge ${category}`}>{categoryName(category)}</span>,
};

const PAYMENT: Column<InvoiceRow> = {
  id: "paymentMode",
  title: "Payment mode",
  className: "cell-payment",
  cell: ({ paymentMode }) => (
    <span className="pay">
      <PaymentLabel mode={paymentMode} />
    </span>
  ),
};

export function invoiceColumns(
  params: ListParams,
  shopName: string,
  sums: Sums | null,
): Column<InvoiceRow>[] {
  return [
    {
      id: "description",
      title: "Description",
      className: "cell-name",
      cell: (row) => (
        <Description
          text={row.description}
          detail={`${businessName(row.businessType, shopName)}, ${PAYMENT_NAMES[row.paymentMode]}`}
        />
      ),
    },
    CATEGORY,
    {
      id: "businessType",
      title: "Business",
      className: "cell-business nowrap",
      cell: ({ businessType }) => businessName(businessType, shopName),
    },
    {
      id: "quantity",
      title: "Quantity",
      isNumber: true,
      className: "cell-quantity",
      cell: ({ quantity }) => grouped(quantity),
      ...(sums && { sum: grouped(sums.quantity) }),
    },
    PAYMENT,
    amount(sums),
    day("Billing date"),
    actions(params),
  ];
}

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
      cell: ({ expenseType }) => (
        <span className={`category-badge ${expenseType}`}>{expenseTypeName(expenseType)}</span>
      ),
    },
    {
      id: "description",
      title: "Description",
      className: "cell-name",
      cell: (row) => <Description text={row.description} detail={businessName(row.businessType, shopName)} />,
    },
    {
      id: "businessType",
      title: "Business type",
      className: "cell-business nowrap",
      cell: ({ businessType }) => businessName(businessType, shopName),
    },
    amount(sums),
    day("Created at"),
    actions(params),
  ];
}

function Description({ text, detail }: { text: string; detail: string }) {
  return (
    <span title={text}>
      {text || <span className="soft">No description</span>}
      <small>{detail}</small>
    </span>
  );
}

const amount = <Row extends { amountCents: number }>(sums: Sums | null): Column<Row> => ({
  id: "amount",
  title: "Amount",
  isNumber: true,
  className: "cell-amount",
  cell: ({ amountCents }) => dollars(amountCents),
  ...(sums && { sum: dollars(sums.amountCents) }),
});

const day = <Row extends { day: string }>(title: string): Column<Row> => ({
  id: "createdAt",
  title,
  isNumber: true,
  className: "date",
  cell: (row) => formatDay(row.day),
});

const actions = <Row extends { id: string; description: string }>(params: ListParams): Column<Row> => ({
  ...ACTIONS_COLUMN,
  cell: ({ id, description }) => <RowActions id={id} name={entryName(description)} params={params} />,
});
