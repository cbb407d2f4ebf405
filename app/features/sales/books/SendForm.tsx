import { Form, useActionData, useLocation } from "@remix-run/react";
import { EmailField } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { StatusRegion } from "~/ui/Toasts";
import { type FormFailure, useFormKey } from "~/ui/useCheckedForm";

interface SendFormProps {
  /** Address that the customer left; "" for none. */
  email: string;
  /** Of the mail, so that a form that is sent twice mails once. */
  mailId: string;
}

/** Mails a receipt. */
export function SendForm({ email, mailId }: SendFormProps) {
  const answer = useActionData<FormFailure>();
  const { pathname } = useLocation();
  // Of the page's forms, only this one has the field.
  const typed: unknown = answer?.lastResult.initialValue?.to;
  const refused = typeof typed === "string" ? answer : undefined;
  const key = useFormKey(refused);
  return (
    <section className="panel" aria-labelledby="send-title">
      <StatusRegion message={refused?.failure} answer={refused} />
      <header>
        <h2 id="send-title">Send by mail</h2>
      </header>
      <Form
        key={key}
        method="post"
        action={pathname}
        className="customer-notes"
        noValidate
        preventScrollReset
      >
        <input type="hidden" name="mailId" value={mailId} />
        <EmailField
          id="send-to"
          name="to"
          defaultValue={typeof typed === "string" ? typed : email}
          error={refused?.lastResult.error?.to?.[0]}
        />
        <SubmitButton intent="mail" busy="Sending..." className="btn primary">
          Send
        </SubmitButton>
      </Form>
    </section>
  );
}
