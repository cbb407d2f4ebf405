import { Form, Link } from "@remix-run/react";
import { X } from "lucide-react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { CancelLink } from "./CancelLink";
import { FormError } from "./FormError";
import { useCancel, useModal } from "./modal";
import { SubmitButton } from "./SubmitButton";

interface FormDialogProps {
  title: string;
  /** Where closing it leads: the same list with the same filters. */
  back: string;
  /** The dialog's own address, which the form is sent to: refused, it stands open there still. */
  action: string;
  intent: string;
  /** The words of the button that saves. */
  submit: string;
  /** Something is still missing. */
  isDisabled?: boolean;
  /** Being done by a script of its own: how far it is. */
  progress?: ReactNode;
  /** Why the form was refused. */
  problem: string | null | undefined;
  /** What the page's action answered. */
  answer: unknown;
  /** From useCheckedForm. */
  form: Pick<
    ComponentProps<typeof Form>,
    "id" | "noValidate" | "onSubmit" | "onInput" | "onBlur" | "encType"
  >;
  children: ReactNode;
}

/**
 * A form over its list. The dialog is an address, so it stands open in the HTML and works without a script; with one
 * it becomes modal, Escape closes it and Ctrl+Enter saves.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, back, action, intent, submit, problem, answer, form, children } = props;
  const { isDisabled = false, progress } = props;
  const dialog = useModal(answer);
  const cancel = useCancel(back);
  return (
    <dialog ref={dialog} open className="dlg dlg-form" aria-labelledby="dialog-title" onCancel={cancel}>
      <Form method="post" action={action} replace preventScrollReset onKeyDown={saveByKey} {...form}>
        <header>
          <h2 id="dialog-title">{title}</h2>
          <Link className="ico" to={back} replace preventScrollReset aria-label="Close" title="Close (Esc)">
            <X className="i" aria-hidden="true" />
          </Link>
        </header>
        <div className="form">
          <FormError message={problem} />
          {children}
        </div>
        <footer>
          {progress ?? (
            <span className="soft needs-script">
              <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
            </span>
          )}
          <CancelLink back={back} intent={intent} />
          <SubmitButton intent={intent} busy="Saving..." className="btn act" isDisabled={isDisabled}>
            {submit}
          </SubmitButton>
        </footer>
      </Form>
    </dialog>
  );
}

function saveByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const button = event.currentTarget.querySelector<HTMLButtonElement>("button[name=intent]:enabled");
  if (button) event.currentTarget.requestSubmit(button);
}
