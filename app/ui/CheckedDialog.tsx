import type { ReactNode } from "react";
import type { ZodType } from "zod";
import type { DialogFrame } from "./DataTable/ListScreen";
import { FormDialog } from "./FormDialog";
import { useCheckedForm } from "./useCheckedForm";
import { useComplete } from "./useComplete";

interface CheckedDialogProps<Input> extends DialogFrame {
  /** The form's id; its fields' ids begin with it. */
  id: string;
  title: string;
  intent: string;
  /** The words of the button that saves. */
  submit: string;
  /** The rules: the same ones that the server checks. */
  schema: ZodType<unknown, Input>;
  /** What the fields hold at first. */
  values?: Record<string, string>;
  /** Each field is checked when it is left, too. */
  isEager?: boolean;
  /** Whether it may be sent, by what its fields hold; it always may without. */
  isComplete?: (fields: FormData) => boolean;
  /** The fields. */
  children: (form: ReturnType<typeof useCheckedForm<Input>>) => ReactNode;
}

const always = () => true;

/** A form over its list that is checked in the browser, by the rules of the server, before it is sent. */
export function CheckedDialog<Input>(props: CheckedDialogProps<Input>) {
  const { id, schema, values = {}, isEager = false, isComplete = always, refused, children } = props;
  const { title, intent, submit, back, action } = props;
  const form = useCheckedForm<Input>({
    id,
    schema,
    lastResult: refused?.lastResult,
    values: values as Partial<Record<keyof Input & string, string>>,
    isEager,
  });
  const mayBeSent = useComplete(id, isComplete, refused);
  return (
    <FormDialog
      title={title}
      intent={intent}
      submit={submit}
      isDisabled={!mayBeSent}
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
