import type { ReactNode } from "react";
import { Form } from "~/ui/navigation";
import { CancelLink, useModal } from "./dialog-parts";
import { SubmitButton, useIsSubmitting } from "./SubmitButton";

interface ConfirmDialogProps {
  title: string;
  message: ReactNode;
  /** Name of the affected item, where the message does not contain it. */
  itemName?: ReactNode;
  /** Intent and fields that the form sends. */
  intent: string;
  fields: Record<string, string>;
  back: string;
  confirm?: string;
  busy?: string;
}

/**
 * Asks before a deletion. The dialog has a URL of its own and is open in the HTML; with JavaScript it becomes modal.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, message, itemName, intent, fields, back, confirm = "Delete", busy = "Deleting..." } = props;
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
          {itemName && <b className="about">{itemName}</b>}
        </p>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <footer>
          <CancelLink back={back} isBusy={isBusy} />
          <SubmitButton intent={intent} busy={busy} className="btn danger">
            {confirm}
          </SubmitButton>
        </footer>
      </Form>
    </dialog>
  );
}
