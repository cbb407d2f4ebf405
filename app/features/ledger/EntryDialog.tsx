import type { ComponentProps, FocusEvent, ReactNode } from "react";
import type { ZodType } from "zod";
import { CURRENCY_SIGN } from "~/domain/money";
import { ObjectHistory } from "~/features/audit/ObjectHistory";
import { describedBy, Field, FieldNotes } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { type FieldValue, type Question, type useCheckedForm, useOpenedValues } from "~/ui/useCheckedForm";
import type { DialogProps } from "./LedgerScreen";

export interface EntryDialogProps<Row> extends DialogProps<Row> {
  blank: Record<string, string | number>;
  shopName: string;
}

interface EntryFormProps<Row, Input> extends Omit<EntryDialogProps<Row>, "shopName"> {
  title: "Invoice" | "Expense";
  schema: ZodType<unknown, Input>;
  formValues: (row: Row) => Record<string, string>;
  isComplete?: (fields: FormData) => boolean;
  question?: Question;
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

interface Versioned {
  id: string;
  version: number;
}

/** Adds or updates an entry; the values that the form opened with are submitted too, to detect edit conflicts. */
export function EntryDialog<Row extends Versioned, Input>(props: EntryFormProps<Row, Input>) {
  const { opened, key } = useOpenedValues(props.row, props.refused);
  return <EntryForm key={key} {...props} row={opened} />;
}

function EntryForm<Row extends Versioned, Input>(props: EntryFormProps<Row, Input>) {
  const { title, row, changes, blank, formValues, children, ...rest } = props;
  const values = row ? formValues(row) : blankValues(blank);
  return (
    <CheckedDialog
      id={title.toLowerCase()}
      title={`${row ? "Update" : "Add"} ${title}`}
      intent={row ? "update" : "add"}
      submit={row ? "Update" : "Add"}
      values={values}
      {...rest}
    >
      {(form) => (
        <>
          <input type="hidden" name="id" value={row?.id ?? blank.id} />
          {row && <input type="hidden" name="version" value={row.version} />}
          {row && <input type="hidden" name="was" value={JSON.stringify(values)} />}
          {children(form)}
          {row && <ObjectHistory id={row.id} changes={changes} className="col-6" />}
        </>
      )}
    </CheckedDialog>
  );
}

function blankValues(blank: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(blank).map(([name, value]) => [name, String(value)]));
}

export function DescriptionField(field: FieldValue) {
  return (
    <div className="col-6">
      <Field label="Description" maxLength={500} autoComplete="off" data-first="" {...field} />
    </div>
  );
}

export function DayField({ label, ...field }: FieldValue & { label: string }) {
  return <Field label={label} type="date" min="2000-01-01" max="2099-12-31" {...field} />;
}

interface AmountFieldProps extends Omit<ComponentProps<"input">, "id" | "type" | "className"> {
  id: string;
  label?: string;
  error?: string | undefined;
  hint?: string;
}

/** Edits an amount in dollars. Not a number input: that drops commas, and 1,50 would be stored as 150. */
export function AmountField({ label = "Amount", error, hint, ...input }: AmountFieldProps) {
  return (
    <div className="field">
      <label htmlFor={input.id}>{label}</label>
      <div className="input-prefix">
        <span aria-hidden="true">{CURRENCY_SIGN}</span>
        <input
          className="input"
          type="text"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          onFocus={selectAll}
          {...input}
          {...describedBy(input.id, error, hint)}
        />
      </div>
      <FieldNotes id={input.id} error={error} hint={hint} />
    </div>
  );
}

export const selectAll = ({ target }: FocusEvent<HTMLInputElement>) => target.select();
