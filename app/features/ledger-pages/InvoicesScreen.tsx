import { type ReactNode, useMemo } from "react";
import { CATEGORIES } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { type BusinessNames, businessName, PAYMENT_MODES, PAYMENT_NAMES } from "~/domain/enums";
import { grouped } from "~/domain/grouped";
import { businessFilter } from "~/features/ledger/business-filter";
import { invoiceConfirmation } from "~/features/ledger/confirmations";
import { INVOICE } from "~/features/ledger/invoice";
import { InvoiceForm, NewInvoiceForm } from "~/features/ledger/schema";
import type { InvoiceRow, Listed } from "~/features/ledger/views";
import { ViewSwitch } from "~/features/sales/documents/ViewSwitch";
import { documentPath, NEW_SALE_PATH } from "~/features/sales/urls";
import { listedColumns } from "~/records/listed-columns";
import type { Column } from "~/ui/DataTable/columns";
import type { SelectFilter } from "~/ui/DataTable/filters";
import { ListAction } from "~/ui/DataTable/ListTools";
import type { ListParams } from "~/ui/DataTable/list-params";
import { rowKeyAttribute } from "~/ui/DataTable/useTableKeys";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { EntryDialog, type EntryDialogProps } from "./EntryDialog";
import {
  actionsColumn,
  amountColumn,
  businessColumn,
  Description,
  dayColumn,
  documentFilter,
  LedgerScreen,
  PaymentLabel,
  type Sums,
} from "./LedgerScreen";
import type { InvoicesScreenData } from "./page.server";

export function InvoicesScreen({ data }: { data: InvoicesScreenData }) {
  const { params, businessNames, sums, rows, blank } = data;
  const columns = useMemo(() => invoiceColumns(params, businessNames, sums), [params, businessNames, sums]);
  const pieces = (rows ?? []).reduce((all, { quantity }) => all + quantity, 0);
  return (
    <LedgerScreen
      data={data}
      title="Invoice"
      icon="receipt-text"
      emptyMessage="Add the first one. The dashboard and the charts start counting from it."
      search="Search descriptions and amounts"
      lead={<ViewSwitch current="Lines" />}
      firstAction={
        <ListAction to={NEW_SALE_PATH}>
          <Icon name="receipt-text" className="i s" />
          New sale
        </ListAction>
      }
      columns={columns}
      filters={invoiceFilters(businessNames, params.filters.document)}
      pagePieces={(pieces < 0 ? "\u2212" : "") + counted(Math.abs(pieces), "piece")}
      form={(props) => (
        <InvoiceDialog key={props.row?.id ?? "new"} {...props} blank={blank} businessNames={businessNames} />
      )}
    />
  );
}

const categoryOptions = CATEGORIES.map((value) => ({ value, label: categoryName(value) }));
const paymentOptions = PAYMENT_MODES.map((value) => ({ value, label: PAYMENT_NAMES[value] }));

const invoiceFilters = (businessNames: BusinessNames, number: string | undefined): SelectFilter[] => [
  businessFilter(businessNames),
  { name: "category", label: "Category", allLabel: "All categories", options: categoryOptions },
  { name: "paymentMode", label: "Payment mode", allLabel: "All payments", options: paymentOptions },
  { name: "tax", label: "Tax", allLabel: "Any tax", options: [{ value: "without", label: "Without tax" }] },
  ...documentFilter(number),
];

const CATEGORY: Column<InvoiceRow> = {
  id: "category",
  title: "Category",
  className: "cell-category",
  card: "detail",
  cell: ({ category }) => <span className={`category-badge ${category}`}>{categoryName(category)}</span>,
};

const PAYMENT: Column<InvoiceRow> = {
  id: "paymentMode",
  title: "Payment mode",
  className: "cell-apart cell-folded",
  card: "meta",
  cell: ({ paymentMode }) => (
    <span className="pay">
      <PaymentLabel mode={paymentMode} />
    </span>
  ),
};

export function invoiceColumns(
  params: ListParams,
  businessNames: BusinessNames,
  sums: Sums | null,
): Column<Listed<InvoiceRow>>[] {
  const actions = actionsColumn<Listed<InvoiceRow>>(params);
  return [
    {
      id: "description",
      title: "Description",
      className: "cell-name",
      card: "title",
      cell: (row) => (
        <Description
          text={row.description}
          detail={`${businessName(row.businessType, businessNames)}, ${PAYMENT_NAMES[row.paymentMode]}`}
        />
      ),
    },
    CATEGORY,
    businessColumn("Business", businessNames),
    {
      id: "quantity",
      title: "Quantity",
      isNumber: true,
      className: "cell-times",
      card: "meta",
      cell: ({ quantity }) => grouped(quantity),
      ...(sums?.quantity !== null && sums && { sum: grouped(sums.quantity) }),
    },
    PAYMENT,
    ...listedColumns<InvoiceRow>(INVOICE, businessNames),
    amountColumn(sums),
    dayColumn("Billing date"),
    {
      ...actions,
      cell: (row) => <DocumentOfRow document={row.document}>{actions.cell(row)}</DocumentOfRow>,
    },
  ];
}

interface DocumentOfRowProps {
  document: Listed<InvoiceRow>["document"];
  children: ReactNode;
}

/** Links a row to its document, which is read-only, in place of the row's actions. */
function DocumentOfRow({ document, children }: DocumentOfRowProps) {
  if (!document) return children;
  return (
    <Link className="quiet-link row-document" to={documentPath(document.id)} {...rowKeyAttribute("e")}>
      {document.number}
    </Link>
  );
}

const PAYMENT_LABELS = Object.fromEntries(
  PAYMENT_MODES.map((mode) => [mode, <PaymentLabel key={mode} mode={mode} />]),
);

function InvoiceDialog(props: EntryDialogProps<InvoiceRow>) {
  return (
    <EntryDialog
      title="Invoice"
      record={INVOICE}
      schema={props.row ? InvoiceForm : NewInvoiceForm}
      labels={{ paymentMode: PAYMENT_LABELS }}
      confirmation={(fields) => invoiceConfirmation(fields, String(props.blank.createdAt))}
      {...props}
    >
      {!props.row && (
        <p className="hint col-6">
          Adds a line to the books alone: it moves neither stock nor tax, its cash is not in the drawer, and
          there is no receipt. To sell products, use{" "}
          <Link className="link" to={NEW_SALE_PATH}>
            New sale
          </Link>
          .
        </p>
      )}
    </EntryDialog>
  );
}
