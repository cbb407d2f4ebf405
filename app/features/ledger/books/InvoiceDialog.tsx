import { Field } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import { Segments } from "~/ui/Segments";
import { SelectField } from "~/ui/SelectField";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useFailureToast } from "~/ui/useFailureToast";
import { PAYMENT_MODES } from "../kinds";
import { InvoiceForm, InvoiceInput } from "../schema";
import type { InvoiceRow } from "../views";
import { AmountField, amountText, type FieldValue, selectAll } from "./AmountField";
import type { Refused } from "./BookScreen";
import { businessOptions, categoryOptions, Payment } from "./words";

interface InvoiceDialogProps {
  /** The invoice that is changed; none when one is added. */
  row: InvoiceRow | null;
  /** What a new one holds. */
  blank: Record<string, string | number>;
  shopName: string;
  back: string;
  action: string;
  refused: Refused | undefined;
}

const FORM = "invoice";
const PAYMENTS = PAYMENT_MODES.map((value) => ({ value, label: <Payment mode={value} /> }));

/** Add Invoice, Update Invoice (back office 2 and 3). */
export function InvoiceDialog({ row, blank, shopName, back, action, refused }: InvoiceDialogProps) {
  useFailureToast(refused);
  const form = useCheckedForm({
    id: FORM,
    schema: row ? InvoiceForm : InvoiceInput,
    lastResult: refused?.lastResult,
    values: row ? valuesOf(row) : Object.fromEntries(Object.entries(blank).map(([k, v]) => [k, String(v)])),
  });
  return (
    <FormDialog
      title={row ? "Update Invoice" : "Add Invoice"}
      intent={row ? "update" : "add"}
      submit={row ? "Update" : "Add"}
      problem={form.problem ?? refused?.failure}
      answer={refused}
      form={form.props}
      back={back}
      action={action}
    >
      <input type="hidden" name="id" value={row?.id ?? blank.id} />
      {row && <input type="hidden" name="version" value={row.version} />}
      <InvoiceFields form={form} shopName={shopName} />
    </FormDialog>
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

type FieldName =
  | "description"
  | "category"
  | "quantity"
  | "paymentMode"
  | "businessType"
  | "amount"
  | "createdAt";

interface InvoiceFieldsProps {
  form: { field(name: FieldName): FieldValue };
  shopName: string;
}

function InvoiceFields({ form, shopName }: InvoiceFieldsProps) {
  return (
    <>
      <div className="c6">
        <Field
          label="Description"
          maxLength={500}
          autoComplete="off"
          data-first=""
          {...form.field("description")}
        />
      </div>
      <div className="c3 p6">
        <Segments legend="Business" options={businessOptions(shopName)} {...form.field("businessType")} />
      </div>
      <div className="c3 p6">
        <Segments legend="Payment mode" options={PAYMENTS} {...form.field("paymentMode")} />
      </div>
      <div className="c3 p6">
        <SelectField label="Category" options={categoryOptions} {...form.field("category")} />
      </div>
      <div className="c3 p6">
        <Field
          label="Billing date"
          type="date"
          min="2000-01-01"
          max="2099-12-31"
          {...form.field("createdAt")}
        />
      </div>
      <Figures form={form} />
    </>
  );
}

function Figures({ form }: Pick<InvoiceFieldsProps, "form">) {
  return (
    <>
      <div className="c3">
        <Field
          label="Quantity"
          type="number"
          min="1"
          max="1000000"
          step="1"
          onFocus={selectAll}
          {...form.field("quantity")}
        />
      </div>
      <div className="c3">
        <AmountField hint="The line's total" {...form.field("amount")} />
      </div>
    </>
  );
}
