import type { ReactNode } from "react";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import type { BusinessNames } from "~/domain/enums";
import { AmountField } from "~/ui/AmountField";
import { Checkbox, Field, Segments, SelectField, TextArea } from "~/ui/Field";
import { REPLACED_FIELD } from "~/ui/replaced-field";
import type { CheckboxValue, FieldValue } from "~/ui/useCheckedForm";
import type { RecordField } from "./fields";
import { type RecordColumn, withFirst } from "./record";

interface RecordFieldsProps<Name extends string> {
  record: { columns: readonly RecordColumn[] };
  form: { field(name: Name): FieldValue; checkbox(name: Name): CheckboxValue };
  /** SHOP_NAME, which names one of the businesses. */
  businessNames?: BusinessNames;
  /** Labels of a choice that are more than text, by field and value. */
  labels?: Record<string, Record<string, ReactNode>>;
  /** Hints that depend on more than the record, by column. */
  hints?: Record<string, string>;
  /** Columns that stand before the others, in their order. */
  first?: readonly string[];
  /** Controls that the form draws itself, by column; null for those that stand elsewhere. */
  own?: Record<string, ReactNode>;
}

/** Draws the controls of a record's fields, in their order; the first gets the dialog's focus. */
export function RecordFields<Name extends string>(props: RecordFieldsProps<Name>): ReactNode {
  const { record, form, businessNames, labels = {}, hints = {}, first = [], own = {} } = props;
  return withFirst(record.columns, first)
    .filter(({ column }) => own[column] !== null)
    .map(({ column, name, field }, i) => (
      <div key={column} className={widthOf(field)}>
        {own[column] ??
          (field.control.kind === "flag" ? (
            <Checkbox {...form.checkbox(name as Name)}>{field.control.caption}</Checkbox>
          ) : (
            <RecordControl
              field={field}
              value={form.field(name as Name)}
              businessNames={businessNames}
              labels={labels[column]}
              hint={hints[column] ?? field.hint}
              isFirst={i === 0}
            />
          ))}
      </div>
    ));
}

/** Text of more characters than this gets the whole width of a form. */
const SHORT_TEXT = 100;

function widthOf({ control, width }: RecordField): string {
  const { kind } = control;
  const length = kind === "text" ? (control.input.maxLength ?? 0) : 0;
  const isLong = kind === "custom" || kind === "flag" || length > SHORT_TEXT;
  const columns = width ?? (isLong ? 6 : 3);
  const isNarrow = columns === 6 || kind === "money" || kind === "number";
  return `col-${columns}${isNarrow ? "" : " col-6-narrow"}`;
}

interface RecordControlProps {
  field: RecordField;
  value: FieldValue;
  businessNames: BusinessNames | undefined;
  labels: Record<string, ReactNode> | undefined;
  hint: string | undefined;
  isFirst: boolean;
}

function RecordControl({ field, value, businessNames, labels, hint, isFirst }: RecordControlProps) {
  const { control } = field;
  const label = field.isMarkedOptional ? `${field.label} (optional)` : field.label;
  const props = { label, hint, ...value, ...(isFirst && { "data-first": "" }) };
  switch (control.kind) {
    case "money":
      return <AmountField {...props} />;
    case "number":
      return <Field inputMode="numeric" autoComplete="off" maxLength={20} {...REPLACED_FIELD} {...props} />;
    case "day":
      return <Field type="date" min={FIRST_DAY} max={LAST_DAY} {...props} />;
    case "text": {
      const Text = control.input.rows ? TextArea : Field;
      return <Text autoComplete="off" {...control.input} {...props} />;
    }
    case "select":
      return (
        <SelectField label={label} options={optionsOf(field, control.values, businessNames)} {...value} />
      );
    case "segments":
      return (
        <Segments
          legend={label}
          options={optionsOf(field, control.values, businessNames).map((option) => ({
            ...option,
            label: labels?.[option.value] ?? option.label,
          }))}
          {...value}
        />
      );
    default:
      return null;
  }
}

const optionsOf = (field: RecordField, values: readonly string[], businessNames: BusinessNames | undefined) =>
  values.map((value) => ({ value, label: field.toText(value, businessNames) }));
