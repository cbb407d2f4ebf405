import type { ReactNode } from "react";
import type { ZodType } from "zod";
import { CheckedDialog } from "~/ui/CheckedDialog";
import { useFailureToast } from "~/ui/Toasts";
import { type useCheckedForm, useOpenedValues } from "~/ui/useCheckedForm";
import type { DialogProps } from "./LedgerScreen";

/** What the dialog of either book is given. */
export interface EntryDialogProps<Row> extends DialogProps<Row> {
  /** What a new one holds. */
  blank: Record<string, string | number>;
  shopName: string;
}

interface EntryFormProps<Row, Input> extends Omit<EntryDialogProps<Row>, "shopName"> {
  title: "Invoice" | "Expense";
  schema: ZodType<unknown, Input>;
  /** What the fields hold for an entry. */
  valuesOf: (row: Row) => Record<string, string>;
  /** Whether it may be sent. */
  isComplete?: (fields: FormData) => boolean;
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

interface Versioned {
  id: string;
  version: number;
}

/**
 * Adds or changes an entry. What the entry was when the form was opened goes along, so that of two people the second
 * is told what the first one changed.
 */
export function EntryDialog<Row extends Versioned, Input>(props: EntryFormProps<Row, Input>) {
  const { opened, key } = useOpenedValues(props.row, props.refused);
  useFailureToast(props.refused);
  return <EntryForm key={key} {...props} row={opened} />;
}

function EntryForm<Row extends Versioned, Input>(props: EntryFormProps<Row, Input>) {
  const { title, row, blank, valuesOf, children, ...rest } = props;
  const values = row ? valuesOf(row) : textsOf(blank);
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
        </>
      )}
    </CheckedDialog>
  );
}

function textsOf(blank: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(blank).map(([name, value]) => [name, String(value)]));
}
