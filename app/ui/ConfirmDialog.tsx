import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { CancelLink, useModal } from "./modal";
import { SubmitButton, useIsSubmitting } from "./SubmitButton";

interface ConfirmDialogProps {
  title: string;
  message: ReactNode;
  /** Name of the affected item, where the message does not contain it. */
  about?: ReactNode;
  /** Intent and fields that the form sends. */
  intent: string;
  fields: Record<string, string>;
  /** URL that Cancel and Escape lead to. */
  back: string;
  /** Label of the submit button. */
  confirm?: string;
}

/**
 * Asks before a deletion. The dialog has a URL of its own and is open in the HTML; with JavaScript it becomes modal.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, message, about, intent, fields, back, confirm = "Delete" } = props;
  const isBusy = useIsSubmitting(intent);
  const modal = useModal({ back, isBusy });
  return (
    <dialog
      {...modal}
      open
      className="dialog confirm-dialog"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-message"
    >
      <Form method="post" action={back} replace preventScrollReset>
        <header>
          <h2 id="confirm-title">{title}</h2>
        </header>
        <p id="confirm-message">
          {message}
          {about && <b className="about">{about}</b>}
        </p>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <footer>
          <CancelLink back={back} isBusy={isBusy} />
          <SubmitButton intent={intent} busy="Deleting..." className="btn danger">
            {confirm}
          </SubmitButton>
        </footer>
      </Form>
    </dialog>
  );
}
