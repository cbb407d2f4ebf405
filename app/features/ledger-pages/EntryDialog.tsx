import type { ComponentProps, ReactNode } from "react";
import type { ZodType } from "zod";
import type { BusinessNames } from "~/domain/enums";
import { ObjectHistory } from "~/features/audit/ObjectHistory";
import type { Entry } from "~/features/ledger/views";
import type { FormValue } from "~/records/fields";
import { OpenedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import type { DeclaredRecord, Fields } from "~/records/record";
import { ClosedActs } from "~/ui/ClosedActs";
import { CheckedDialog } from "~/ui/FormDialog";
import { type Confirmation, type FieldValue, useOpenedValues } from "~/ui/useCheckedForm";
import type { DialogProps } from "./LedgerScreen";

export interface EntryDialogProps<Row> extends DialogProps<Row> {
  blank: Record<string, FormValue> & { id: string };
  businessNames: BusinessNames;
}

interface EntryFormProps<F extends Fields, Input> extends EntryDialogProps<Entry<F>> {
  title: "Invoice" | "Expense";
  record: DeclaredRecord<F>;
  schema: ZodType<unknown, Input>;
  labels?: ComponentProps<typeof RecordFields>["labels"];
  /** Controls that the dialog draws itself, by column. */
  own?: (form: Controls) => Record<string, ReactNode>;
  /** Stands below the fields. */
  foot?: (form: Controls) => ReactNode;
  encType?: "multipart/form-data";
  isComplete?: (fields: FormData) => boolean;
  confirmation?: Confirmation;
  /** Stands above the fields. */
  children?: ReactNode;
}

/** Values and errors of the form's controls. */
export interface Controls {
  field(name: string): FieldValue;
}

/** Adds or updates an entry; the values that the form opened with are submitted too, to detect edit conflicts. */
export function EntryDialog<F extends Fields, Input>(props: EntryFormProps<F, Input>) {
  const { opened, refused, key } = useOpenedValues(props.row, props.refused);
  return <EntryForm key={key} {...props} row={opened} refused={refused} />;
}

function EntryForm<F extends Fields, Input>(props: EntryFormProps<F, Input>) {
  const { title, record, row, changes, blank, businessNames, labels, own, foot, children, ...rest } = props;
  const values = row ? record.formValues(row) : blank;
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
          {row && <OpenedValue name="version" value={row.version} refused={rest.refused} />}
          {row && <OpenedValue value={JSON.stringify(values)} refused={rest.refused} />}
          {children}
          <RecordFields
            record={record}
            form={form}
            businessNames={businessNames}
            {...(labels && { labels })}
            {...(own && { own: own(form as Controls) })}
          />
          <ClosedActs
            {...(form as Controls).field("createdAt")}
            stored={row ? String(values.createdAt) : undefined}
          />
          {foot?.(form as Controls)}
          {row && <ObjectHistory id={row.id} changes={changes} className="col-6" />}
        </>
      )}
    </CheckedDialog>
  );
}
