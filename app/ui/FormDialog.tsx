import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import type { ZodType } from "zod";
import { Form } from "~/ui/navigation";
import type { DialogFrame } from "./DataTable/ListScreen";
import { CancelLink, DialogHead, useModal } from "./dialog-parts";
import { FormError } from "./Field";
import { SubmitButton, useIsSubmitting } from "./SubmitButton";
import { type Confirmation, useCheckedForm, useConfirmation, useFailureToast } from "./useCheckedForm";

interface FormDialogProps {
  title: string;
  /** URL without the dialog: the same list with the same filters. */
  back: string;
  /** URL of the dialog, to which the form posts, so that the dialog stays open after an error. */
  action: string;
  intent: string;
  submit: string;
  cancel?: string;
  isDisabled?: boolean;
  /** Marks a save by a script outside the router. */
  isSaving?: boolean;
  /** Progress message for screen readers. */
  busyMessage?: string;
  /** Replaces the keyboard hint in the footer. */
  progress?: ReactNode;
  /** Replaces the footer. */
  confirmation?: ReactNode;
  /** Error message of the whole form. */
  problem: string | null | undefined;
  /** Explanation after the error message. */
  note?: ReactNode;
  /** Data of the last action; new data sets the focus again. */
  answer: unknown;
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
  const modal = useModal({ back, actionData: answer, isBusy });
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
    confirmation,
    busyMessage = "Saving",
    isDisabled = false,
    isBusy,
  } = props;
  if (confirmation) return <footer>{confirmation}</footer>;
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

interface CheckedDialogProps<Input> extends DialogFrame {
  /** Id of the form and prefix of its fields' ids. */
  id: string;
  title: string;
  intent: string;
  submit: string;
  /** Schema that the server checks too. */
  schema: ZodType<unknown, Input>;
  values?: Record<string, unknown>;
  /** Validates each field on blur too. */
  isEager?: boolean;
  /** Enables the submit button by the fields' values; always enabled by default. */
  isComplete?: (fields: FormData) => boolean;
  /** Asks for the confirmation of unusual values once before they are sent; null for none. The server asks too. */
  confirmation?: Confirmation | undefined;
  /** For a form with files. */
  encType?: "multipart/form-data" | undefined;
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

const alwaysComplete = () => true;

/** Dialog form that is validated in the browser, by the server's schema, before it is sent. */
export function CheckedDialog<Input>(props: CheckedDialogProps<Input>) {
  const { id, schema, values = {}, isEager = false, isComplete = alwaysComplete, refused, children } = props;
  const { title, intent, submit, back, action, encType } = props;
  useFailureToast(refused);
  const form = useCheckedForm<Input>({
    id,
    schema,
    lastResult: refused?.lastResult,
    values: values as Partial<Record<keyof Input & string, unknown>>,
    isEager,
  });
  const isSendable = useComplete(id, isComplete, refused);
  const { asked, confirmed, onSubmit } = useConfirmation(props.confirmation, form.props.onSubmit, refused);
  return (
    <FormDialog
      title={title}
      intent={intent}
      submit={submit}
      isDisabled={!isSendable}
      problem={asked ?? form.problem ?? refused?.failure}
      answer={refused}
      form={{ ...form.props, onSubmit, ...(encType && { encType }) }}
      back={back}
      action={action}
    >
      {confirmed && <input type="hidden" name="confirmed" value={confirmed} />}
      {children(form)}
    </FormDialog>
  );
}

/**
 * Evaluates on every input, and again when `answer` changes, whether a form is complete. Without JavaScript it counts as
 * complete.
 */
function useComplete(formId: string, isComplete: (fields: FormData) => boolean, answer?: unknown): boolean {
  const [complete, setComplete] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rule is the same each time
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const update = () => setComplete(isComplete(new FormData(form)));
    update();
    form.addEventListener("input", update);
    return () => form.removeEventListener("input", update);
  }, [formId, answer]);
  return complete;
}
