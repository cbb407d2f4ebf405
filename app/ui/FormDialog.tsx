import { Form } from "@remix-run/react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { FormError } from "./FormError";
import { CancelLink, DialogHead, useModal } from "./modal";
import { SubmitButton, useIsSubmitting } from "./SubmitButton";

interface FormDialogProps {
  title: string;
  /** URL without the dialog: the same list with the same filters. */
  back: string;
  /** URL of the dialog, to which the form posts, so that the dialog stays open after an error. */
  action: string;
  intent: string;
  /** Label of the submit button. */
  submit: string;
  /** Label of the link that closes the dialog. */
  cancel?: string;
  /** Disables the submit button. */
  isDisabled?: boolean;
  /** Marks a save by a script outside the router. */
  isSaving?: boolean;
  /** Progress message for screen readers. */
  busyMessage?: string;
  /** Replaces the keyboard hint in the footer. */
  progress?: ReactNode;
  /** Replaces the footer. */
  question?: ReactNode;
  /** Error message above the fields. */
  problem: string | null | undefined;
  /** Explanation after the error message. */
  note?: ReactNode;
  /** Action data. */
  answer: unknown;
  /** Props from useCheckedForm. */
  form: Pick<
    ComponentProps<typeof Form>,
    "id" | "noValidate" | "onSubmit" | "onInput" | "onBlur" | "onDragOver" | "onDrop" | "encType"
  >;
  children: ReactNode;
}

/**
 * Dialog with a form over a list. It has a URL of its own, is open in the HTML and works without JavaScript; with
 * JavaScript it is modal, Escape closes it and Ctrl+Enter saves. Its controls are inert while it saves.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, back, action, intent, problem, note, answer, form, children, isSaving = false } = props;
  const isBusy = useIsSubmitting(intent) || isSaving;
  const modal = useModal({ back, answer, isBusy });
  return (
    <dialog {...modal} open className="dialog form-dialog" aria-labelledby="dialog-title">
      <Form method="post" action={action} replace preventScrollReset onKeyDown={saveByKey} {...form}>
        <DialogHead title={title} back={back} isBusy={isBusy} />
        {/* React 18 has no type for the attribute. */}
        <div className="form" {...(isBusy && { inert: "" })}>
          <FormError message={problem} note={note} />
          {children}
        </div>
        <Foot {...props} isBusy={isBusy} />
      </Form>
    </dialog>
  );
}

function Foot(props: FormDialogProps & { isBusy: boolean }) {
  const {
    back,
    cancel,
    intent,
    submit,
    progress,
    question,
    busyMessage = "Saving",
    isDisabled = false,
    isBusy,
  } = props;
  if (question) return <footer>{question}</footer>;
  return (
    <footer>
      <span className="visually-hidden" role="status">
        {isBusy && busyMessage}
      </span>
      {progress ?? (
        <span className="soft needs-script">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
        </span>
      )}
      <CancelLink back={back} isBusy={isBusy} {...(cancel && { label: cancel })} />
      <SubmitButton
        intent={intent}
        busy="Saving..."
        className="btn primary"
        isDisabled={isDisabled}
        isBusy={isBusy}
      >
        {submit}
      </SubmitButton>
    </footer>
  );
}

function saveByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const button = event.currentTarget.querySelector<HTMLButtonElement>("button[name=intent]:enabled");
  if (button) event.currentTarget.requestSubmit(button);
}
