import { type ReactNode, useEffect, useState } from "react";
import type { ZodType } from "zod";
import type { DialogFrame } from "./DataTable/ListScreen";
import { FormDialog } from "./FormDialog";
import { useCheckedForm } from "./useCheckedForm";

interface CheckedDialogProps<Input> extends DialogFrame {
  /** Id of the form and prefix of its fields' ids. */
  id: string;
  title: string;
  intent: string;
  /** Label of the submit button. */
  submit: string;
  /** Schema that the server checks too. */
  schema: ZodType<unknown, Input>;
  /** Initial values of the fields. */
  values?: Record<string, string>;
  /** Validates each field on blur too. */
  isEager?: boolean;
  /** Enables the submit button by the fields' values; always enabled by default. */
  isComplete?: (fields: FormData) => boolean;
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

const alwaysComplete = () => true;

/** Dialog form that is validated in the browser, by the server's schema, before it is sent. */
export function CheckedDialog<Input>(props: CheckedDialogProps<Input>) {
  const { id, schema, values = {}, isEager = false, isComplete = alwaysComplete, refused, children } = props;
  const { title, intent, submit, back, action } = props;
  const form = useCheckedForm<Input>({
    id,
    schema,
    lastResult: refused?.lastResult,
    values: values as Partial<Record<keyof Input & string, string>>,
    isEager,
  });
  const isSendable = useComplete(id, isComplete, refused);
  return (
    <FormDialog
      title={title}
      intent={intent}
      submit={submit}
      isDisabled={!isSendable}
      problem={form.problem ?? refused?.failure}
      answer={refused}
      form={form.props}
      back={back}
      action={action}
    >
      {children(form)}
    </FormDialog>
  );
}

/**
 * Evaluates on every input, and again when `answer` changes, whether a form is complete. Without JavaScript it counts as
 * complete.
 *
 * @param formId id of the form
 * @param isComplete rule by the fields' values
 * @param answer action data of the form
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
