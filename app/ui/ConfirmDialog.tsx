import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import { CancelLink } from "./CancelLink";
import { useModal } from "./modal";
import { SubmitButton } from "./SubmitButton";
import { useIsSubmitting } from "./useIsSubmitting";

interface ConfirmDialogProps {
  title: string;
  message: ReactNode;
  /** Who or what it is about, where the message doesn't say. */
  about?: ReactNode;
  /** What the form asks for when it is confirmed, and with which fields. */
  intent: string;
  fields: Record<string, string>;
  /** Where Cancel and Escape lead. */
  back: string;
  /** The words of the button that does it. */
  confirm?: string;
}

/**
 * Asks before something is deleted. The dialog is an address, so it stands open in the HTML; with JavaScript it
 * becomes a modal one.
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
