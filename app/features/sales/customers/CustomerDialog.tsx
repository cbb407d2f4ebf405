import { useState } from "react";
import type { DialogFrame } from "~/ui/DataTable/ListScreen";
import { Field, TextArea } from "~/ui/Field";
import { CheckedDialog } from "~/ui/FormDialog";
import { type FieldValue, useOpenedValues } from "~/ui/useCheckedForm";
import { CustomerFields, MAX_NOTES_LENGTH } from "../schema";

export interface EditedCustomer {
  id: string;
  name: string;
  email: string;
  phoneNumber: string;
  notes: string;
}

interface CustomerDialogProps extends DialogFrame {
  /** Customer to edit; null adds one. */
  customer: EditedCustomer | null;
  newId: string;
}

/** Adds or edits a customer; the values that the form opened with are sent too, to detect edit conflicts. */
export function CustomerDialog({ customer, newId, ...frame }: CustomerDialogProps) {
  const { opened, key } = useOpenedValues(customer, frame.refused);
  const [id] = useState(newId);
  const values = opened ? fieldsOf(opened) : { name: "", email: "", phoneNumber: "", notes: "" };
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
    >
      {(form) => (
        <>
          {!opened && <input type="hidden" name="customerId" value={id} />}
          {opened && <input type="hidden" name="was" value={JSON.stringify(values)} />}
          <CustomerFormFields form={form} />
        </>
      )}
    </CheckedDialog>
  );
}

interface FieldSource {
  field(name: "name" | "email" | "phoneNumber" | "notes"): FieldValue;
}

function CustomerFormFields({ form }: { form: FieldSource }) {
  return (
    <>
      <div className="col-6">
        <Field label="Name" maxLength={100} autoComplete="off" {...form.field("name")} />
      </div>
      <div className="col-3 col-6-narrow">
        <Field
          label="E-mail (optional)"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field("email")}
        />
      </div>
      <div className="col-3 col-6-narrow">
        <Field label="Phone (optional)" type="tel" autoComplete="off" {...form.field("phoneNumber")} />
      </div>
      <div className="col-6">
        <TextArea label="Notes" rows={4} maxLength={MAX_NOTES_LENGTH} {...form.field("notes")} />
      </div>
    </>
  );
}

/** Picks the fields of the form. */
export function fieldsOf({ name, email, phoneNumber, notes }: EditedCustomer) {
  return { name, email, phoneNumber, notes };
}
