import { useMemo } from "react";
import { dollars } from "~/ui/money";
import { invoiceColumns } from "./columns";
import { invoiceChoices } from "./entry-kinds";
import { InvoiceDialog } from "./InvoiceDialog";
import { LedgerScreen } from "./LedgerScreen";
import type { InvoicesScreenData } from "./page.server";

/** The invoices' screen (back office 2, Invoices). */
export function InvoicesScreen({ data }: { data: InvoicesScreenData }) {
  const { params, shopName, sums, rows, blank } = data;
  const columns = useMemo(() => invoiceColumns(params, shopName, sums), [params, shopName, sums]);
  const pieces = (rows ?? []).reduce((all, { quantity }) => all + quantity, 0);
  const cents = (rows ?? []).reduce((all, { amountCents }) => all + amountCents, 0);
  return (
    <LedgerScreen
      data={data}
      title="Invoice"
      icon="receipt-text"
      invitation="Add the first one. The dashboard and the charts start counting from it."
      className="invoice-table"
      columns={columns}
      choices={invoiceChoices(shopName)}
      ofPage={`${pieces === 1 ? "1 piece" : `${pieces.toLocaleString("en")} pieces`}, ${dollars(cents)}`}
      form={(props) => (
        <InvoiceDialog key={props.row?.id ?? "new"} {...props} blank={blank} shopName={shopName} />
      )}
    />
  );
}
