import { useState } from "react";
import { OpenedValue } from "~/records/form-state";
import { RecordFields } from "~/records/RecordFields";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { CheckedDialog } from "~/ui/FormDialog";
import { useOpenedValues } from "~/ui/useCheckedForm";
import { CUSTOMER, type CustomerContent } from "../customer";
import { CustomerFields } from "../schema";

interface CustomerDialogProps extends DialogFrame {
  /** Customer to edit; null adds one. */
  customer: CustomerContent | null;
  newId: string;
}

/** Adds or edits a customer; the values that the form opened with are sent too, to detect edit conflicts. */
export function CustomerDialog({ customer, newId, ...frame }: CustomerDialogProps) {
  const { opened, refused, key } = useOpenedValues(customer, frame.refused);
  const [id] = useState(newId);
  const values = opened ? CUSTOMER.formValues(opened) : CUSTOMER.blank;
  return (
    <CheckedDialog
      key={key}
      id="customer"
      title={opened ? "Edit Customer" : "Add Customer"}
      intent={opened ? "change" : "add"}
      submit={opened ? "Save" : "Add Customer"}
      schema={CustomerFields}
      values={values}
      {...frame}
      refused={refused}
    >
      {(form) => (
        <>
          {!opened && <input type="hidden" name="customerId" value={id} />}
          {opened && <OpenedValue value={JSON.stringify(values)} refused={refused} />}
          <RecordFields record={CUSTOMER} form={form} />
        </>
      )}
    </CheckedDialog>
  );
}
