import { useMemo } from "react";
import { Field, Segments, SelectField } from "~/ui/Field";
import { dollars } from "~/ui/money";
import { invoiceColumns } from "./columns";
import {
  AmountField,
  amountValue,
  DayField,
  DescriptionField,
  EntryDialog,
  type EntryDialogProps,
  type FieldValue,
  selectAll,
} from "./EntryDialog";
import { PAYMENT_MODES } from "./enums";
import { LedgerScreen } from "./LedgerScreen";
import { businessOptions, categoryOptions, invoiceFilters, PaymentLabel } from "./options";
import type { InvoicesScreenData } from "./page.server";
import { InvoiceForm, InvoiceInput } from "./schema";
import type { InvoiceRow } from "./views";

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
      emptyMessage="Add the first one. The dashboard and the charts start counting from it."
      className="invoice-table"
      columns={columns}
      filters={invoiceFilters(shopName)}
      pageSummary={`${pieces === 1 ? "1 piece" : `${pieces.toLocaleString("en")} pieces`}, ${dollars(cents)}`}
      form={(props) => (
        <InvoiceDialog key={props.row?.id ?? "new"} {...props} blank={blank} shopName={shopName} />
      )}
    />
  );
}

const PAYMENT_OPTIONS = PAYMENT_MODES.map((value) => ({ value, label: <Payment mode={value} /> }));

function InvoiceDialog({ shopName, ...props }: EntryDialogProps<InvoiceRow>) {
  const schema = props.row ? InvoiceForm : InvoiceInput;
  return (
    <EntryDialog title="Invoice" schema={schema} formValues={formValues} {...props}>
      {(form) => <InvoiceFields form={form} shopName={shopName} />}
    </EntryDialog>
  );
}

function formValues(row: InvoiceRow) {
  const { description, category, quantity, paymentMode, businessType, amountCents, day } = row;
  return {
    description,
    category,
    quantity: String(quantity),
    paymentMode,
    businessType,
    amount: amountValue(amountCents),
    createdAt: day,
  };
}

interface InvoiceFieldsProps {
  form: { field(name: keyof ReturnType<typeof formValues>): FieldValue };
  shopName: string;
}

function InvoiceFields({ form, shopName }: InvoiceFieldsProps) {
  return (
    <>
      <DescriptionField {...form.field("description")} />
      <div className="col-3 col-6-narrow">
        <Segments legend="Business" options={businessOptions(shopName)} {...form.field("businessType")} />
      </div>
      <div className="col-3 col-6-narrow">
        <Segments legend="Payment mode" options={PAYMENT_OPTIONS} {...form.field("paymentMode")} />
      </div>
      <div className="col-3 col-6-narrow">
        <SelectField label="Category" options={categoryOptions} {...form.field("category")} />
      </div>
      <div className="col-3 col-6-narrow">
        <DayField label="Billing date" {...form.field("createdAt")} />
      </div>
      <QuantityAndAmount form={form} />
    </>
  );
}

function QuantityAndAmount({ form }: Pick<InvoiceFieldsProps, "form">) {
  return (
    <>
      <div className="col-3">
        <Field
          label="Quantity"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          onFocus={selectAll}
          {...form.field("quantity")}
        />
      </div>
      <div className="col-3">
        <AmountField hint="The line's total" {...form.field("amount")} />
      </div>
    </>
  );
}
