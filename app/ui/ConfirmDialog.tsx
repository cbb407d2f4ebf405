import { Form, Link, useNavigate } from "@remix-run/react";
import { type SyntheticEvent, useEffect, useRef } from "react";
import { SubmitButton } from "./SubmitButton";

interface ConfirmDialogProps {
  title: string;
  message: string;
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
export function ConfirmDialog({
  title,
  message,
  intent,
  fields,
  back,
  confirm = "Delete",
}: ConfirmDialogProps) {
  const dialog = useModal();
  const cancel = useCancel(back);
  return (
    <dialog
      ref={dialog}
      open
      className="dlg dlg-confirm"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-message"
      onCancel={cancel}
    >
      <Form method="post" action={back} replace preventScrollReset>
        <header>
          <h2 id="confirm-title">{title}</h2>
        </header>
        <p id="confirm-message">{message}</p>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <footer>
          <Link className="btn" to={back} replace preventScrollReset>
            Cancel
          </Link>
          <SubmitButton intent={intent} busy="Deleting..." className="btn bad">
            {confirm}
          </SubmitButton>
        </footer>
      </Form>
    </dialog>
  );
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current?.matches(":modal")) return;
    dialog.current?.close();
    dialog.current?.showModal();
  }, []);
  return dialog;
}

function useCancel(back: string) {
  const navigate = useNavigate();
  return (event: SyntheticEvent) => {
    event.preventDefault();
    navigate(back, { replace: true, preventScrollReset: true });
  };
}
