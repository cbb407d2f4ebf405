import { Form } from "@remix-run/react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { CancelLink } from "./CancelLink";
import { DialogHead } from "./DialogHead";
import { FormError } from "./FormError";
import { useModal } from "./modal";
import { SubmitButton } from "./SubmitButton";
import { useIsSubmitting } from "./useIsSubmitting";

interface FormDialogProps {
  title: string;
  /** Where closing it leads: the same list with the same filters. */
  back: string;
  /** The dialog's own address, which the form is sent to: refused, it stands open there still. */
  action: string;
  intent: string;
  /** The words of the button that saves. */
  submit: string;
  /** The words of the button that leaves. */
  cancel?: string;
  /** Something is still missing. */
  isDisabled?: boolean;
  /** Being saved by a script of its own. */
  isSaving?: boolean;
  /** What that script is doing, for those who can't see it. */
  saying?: string;
  /** Stands in the foot in place of the key that saves. */
  progress?: ReactNode;
  /** Asked in place of the foot. */
  question?: ReactNode;
  /** Why the form was refused. */
  problem: string | null | undefined;
  /** What has been done all the same, and what to do now. */
  note?: ReactNode;
  /** What the page's action answered. */
  answer: unknown;
  /** From useCheckedForm. */
  form: Pick<
    ComponentProps<typeof Form>,
    "id" | "noValidate" | "onSubmit" | "onInput" | "onBlur" | "onDragOver" | "onDrop" | "encType"
  >;
  children: ReactNode;
}

/**
 * A form over its list. The dialog is an address, so it stands open in the HTML and works without a script; with one
 * it becomes modal, Escape closes it and Ctrl+Enter saves. While it saves, nothing in it can be used.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, back, action, intent, problem, note, answer, form, children, isSaving = false } = props;
  const isBusy = useIsSubmitting(intent) || isSaving;
  const modal = useModal({ back, answer, isBusy });
  return (
    <dialog {...modal} open className="dialog form-dialog" aria-labelledby="dialog-title">
      <Form method="post" action={action} replace preventScrollReset onKeyDown={saveByKey} {...form}>
        <DialogHead title={title} back={back} isBusy={isBusy} />
        {/* React 18 doesn't know the attribute. */}
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
    saying = "Saving",
    isDisabled = false,
    isBusy,
  } = props;
  if (question) return <footer>{question}</footer>;
  return (
    <footer>
      <span className="visually-hidden" role="status">
        {isBusy && saying}
      </span>
      {progress ?? (
        <span className="soft needs-script">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
        </span>
      )}
      <CancelLink back={back} isBusy={isBusy} {...(cancel && { words: cancel })} />
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
