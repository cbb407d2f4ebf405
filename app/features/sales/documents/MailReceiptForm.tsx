import { useActionData, useLocation } from "@remix-run/react";
import { EmailField } from "~/ui/Field";
import { Form } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { SubmitButton } from "~/ui/SubmitButton";
import { type RefusedForm, useFormKey } from "~/ui/useCheckedForm";

interface MailReceiptFormProps {
  /** Address that the customer left; "" for none. */
  email: string;
  /** Idempotency key of the mail. */
  mailId: string;
}

export function MailReceiptForm({ email, mailId }: MailReceiptFormProps) {
  const answer = useActionData<RefusedForm>();
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
      <Form key={key} method="post" action={pathname} className="panel-form" noValidate preventScrollReset>
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
