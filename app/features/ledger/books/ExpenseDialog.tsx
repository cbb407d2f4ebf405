import { Field } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import { Segments } from "~/ui/Segments";
import { SelectField } from "~/ui/SelectField";
import { useCheckedForm } from "~/ui/useCheckedForm";
import { useComplete } from "~/ui/useComplete";
import { useFailureToast } from "~/ui/useFailureToast";
import { ExpenseForm, ExpenseInput } from "../schema";
import type { ExpenseRow } from "../views";
import { AmountField, amountText, type FieldValue } from "./AmountField";
import type { Refused } from "./BookScreen";
import { businessOptions, expenseTypeOptions } from "./words";

interface ExpenseDialogProps {
  /** The expense that is changed; none when one is added. */
  row: ExpenseRow | null;
  /** What a new one holds. */
  blank: Record<string, string | number>;
  shopName: string;
  back: string;
  action: string;
  refused: Refused | undefined;
}

const FORM = "expense";

/** Add Expense, Update Expense; the button waits for a description and an amount (back office 5). */
export function ExpenseDialog({ row, blank, shopName, back, action, refused }: ExpenseDialogProps) {
  useFailureToast(refused);
  const form = useCheckedForm({
    id: FORM,
    schema: row ? ExpenseForm : ExpenseInput,
    lastResult: refused?.lastResult,
    values: row ? valuesOf(row) : Object.fromEntries(Object.entries(blank).map(([k, v]) => [k, String(v)])),
  });
  const isComplete = useComplete(FORM, hasBoth, refused);
  return (
    <FormDialog
      title={row ? "Update Expense" : "Add Expense"}
      intent={row ? "update" : "add"}
      submit={row ? "Update" : "Add"}
      isDisabled={!isComplete}
      problem={form.problem ?? refused?.failure}
      answer={refused}
      form={form.props}
      back={back}
      action={action}
    >
      <input type="hidden" name="id" value={row?.id ?? blank.id} />
      {row && <input type="hidden" name="version" value={row.version} />}
      <ExpenseFields form={form} shopName={shopName} />
    </FormDialog>
  );
}

interface ExpenseFieldsProps {
  form: { field(name: FieldName): FieldValue };
  shopName: string;
}
type FieldName = "description" | "expenseType" | "businessType" | "amount" | "createdAt";

function ExpenseFields({ form, shopName }: ExpenseFieldsProps) {
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
        <SelectField label="Expense type" options={expenseTypeOptions} {...form.field("expenseType")} />
      </div>
      <div className="c3 p6">
        <Segments
          legend="Business type"
          options={businessOptions(shopName)}
          {...form.field("businessType")}
        />
      </div>
      <div className="c3">
        <AmountField {...form.field("amount")} />
      </div>
      <div className="c3">
        <Field
          label="Created at"
          type="date"
          min="2000-01-01"
          max="2099-12-31"
          {...form.field("createdAt")}
        />
      </div>
    </>
  );
}

function valuesOf({ description, expenseType, businessType, amountCents, day }: ExpenseRow) {
  return { description, expenseType, businessType, amount: amountText(amountCents), createdAt: day };
}

function hasBoth(fields: FormData): boolean {
  return String(fields.get("description") ?? "").trim() !== "" && Number(fields.get("amount")) > 0;
}
