import { Segments } from "~/ui/Segments";
import { SelectField } from "~/ui/SelectField";
import { EntryDialog, type EntryDialogProps } from "./EntryDialog";
import { businessOptions, expenseTypeOptions } from "./entry-kinds";
import { AmountField, amountText, DayField, DescriptionField, type FieldValue } from "./fields";
import { ExpenseForm, ExpenseInput } from "./schema";
import type { ExpenseRow } from "./views";

/** Add Expense, Update Expense; the button waits for a description and an amount (back office 5). */
export function ExpenseDialog({ shopName, ...props }: EntryDialogProps<ExpenseRow>) {
  const schema = props.row ? ExpenseForm : ExpenseInput;
  return (
    <EntryDialog title="Expense" schema={schema} valuesOf={valuesOf} isComplete={hasBoth} {...props}>
      {(form) => <ExpenseFields form={form} shopName={shopName} />}
    </EntryDialog>
  );
}

function valuesOf({ description, expenseType, businessType, amountCents, day }: ExpenseRow) {
  return { description, expenseType, businessType, amount: amountText(amountCents), createdAt: day };
}

interface ExpenseFieldsProps {
  form: { field(name: keyof ReturnType<typeof valuesOf>): FieldValue };
  shopName: string;
}

function ExpenseFields({ form, shopName }: ExpenseFieldsProps) {
  return (
    <>
      <DescriptionField {...form.field("description")} />
      <div className="col-3 col-6-narrow">
        <SelectField label="Expense type" options={expenseTypeOptions} {...form.field("expenseType")} />
      </div>
      <div className="col-3 col-6-narrow">
        <Segments
          legend="Business type"
          options={businessOptions(shopName)}
          {...form.field("businessType")}
        />
      </div>
      <div className="col-3">
        <AmountField {...form.field("amount")} />
      </div>
      <div className="col-3">
        <DayField label="Created at" {...form.field("createdAt")} />
      </div>
    </>
  );
}

/** What isn't an amount is told when it is sent; nothing, or 0, isn't sent. */
function hasBoth(fields: FormData): boolean {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  return text("description") !== "" && text("amount") !== "" && Number(text("amount")) !== 0;
}
