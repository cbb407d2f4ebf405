import { Field } from "~/ui/Field";
import { Segments } from "~/ui/Segments";
import { SelectField } from "~/ui/SelectField";
import { EntryDialog, type EntryDialogProps } from "./EntryDialog";
import { businessOptions, categoryOptions, Payment } from "./entry-kinds";
import { PAYMENT_MODES } from "./enums";
import { AmountField, amountText, DayField, DescriptionField, type FieldValue, selectAll } from "./fields";
import { InvoiceForm, InvoiceInput } from "./schema";
import type { InvoiceRow } from "./views";

const PAYMENTS = PAYMENT_MODES.map((value) => ({ value, label: <Payment mode={value} /> }));

/** Add Invoice, Update Invoice (back office 2 and 3). */
export function InvoiceDialog({ shopName, ...props }: EntryDialogProps<InvoiceRow>) {
  const schema = props.row ? InvoiceForm : InvoiceInput;
  return (
    <EntryDialog title="Invoice" schema={schema} valuesOf={valuesOf} {...props}>
      {(form) => <InvoiceFields form={form} shopName={shopName} />}
    </EntryDialog>
  );
}

function valuesOf(row: InvoiceRow) {
  const { description, category, quantity, paymentMode, businessType, amountCents, day } = row;
  return {
    description,
    category,
    quantity: String(quantity),
    paymentMode,
    businessType,
    amount: amountText(amountCents),
    createdAt: day,
  };
}

interface InvoiceFieldsProps {
  form: { field(name: keyof ReturnType<typeof valuesOf>): FieldValue };
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
        <Segments legend="Payment mode" options={PAYMENTS} {...form.field("paymentMode")} />
      </div>
      <div className="col-3 col-6-narrow">
        <SelectField label="Category" options={categoryOptions} {...form.field("category")} />
      </div>
      <div className="col-3 col-6-narrow">
        <DayField label="Billing date" {...form.field("createdAt")} />
      </div>
      <Figures form={form} />
    </>
  );
}

function Figures({ form }: Pick<InvoiceFieldsProps, "form">) {
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
