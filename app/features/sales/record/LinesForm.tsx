import { useLocation, useNavigation } from "@remix-run/react";
import {
  type FormEvent,
  type MouseEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from "react";
import { Icon } from "~/ui/Icon";
import { focusInvalid, INVALID_FIELD } from "~/ui/invalid-field";
import { Form, Link } from "~/ui/navigation";
import { LISTS, listNamed } from "../urls";
import { editValue, type LineEdit } from "./line-edits";
import type { LineFormAnswer } from "./useLinesForm";

interface LinesFormProps extends Omit<FormFootProps, "failure"> {
  title: string;
  action: string;
  answer: LineFormAnswer | undefined;
  /** Hidden fields. */
  fields: Record<string, string | null | undefined>;
  isNarrow?: boolean;
  /** A line is still being looked up. */
  isLookingUp?: boolean;
  note: ReactNode;
  /** Follows the label of the button. */
  amount?: ReactNode;
}

/** Form of lines: Ctrl+Enter sends it, Enter in a field does not; the buttons of lines work without JavaScript. */
export function LinesForm(props: LinesFormProps) {
  const { title, action, back, answer, fields, isNarrow = false, note, amount, ...rest } = props;
  const { children, isLookingUp = false, ...foot } = rest;
  const form = useFocusOnProblem(answer);
  const noteRemoval = useFocusAfterRemoval(form);
  useRecordKey(form);
  const waitForLines = useWaitForLines(form, isLookingUp);
  const asked = answer?.lastResult?.initialValue?.confirmed;
  const confirmed = typeof asked === "string" ? asked : null;
  return (
    <Form
      ref={form}
      method="post"
      action={action}
      className={`panel sale-form${isNarrow ? " narrow" : ""}`}
      aria-label={title}
      noValidate
      replace
      preventScrollReset
      onClick={noteRemoval}
      onKeyDown={ignoreEnter}
      onSubmit={(event) => (isEdit(event) ? event.preventDefault() : waitForLines(event))}
    >
      <HiddenFields fields={{ ...fields, confirmed }} />
      <FormHead back={back}>{note}</FormHead>
      {children}
      <FormFoot {...foot} failure={answer?.failure} back={back}>
        {amount}
      </FormFoot>
    </Form>
  );
}

/** Hidden fields of a form of lines, and for Enter without JavaScript a button that only updates the page. */
function HiddenFields({ fields }: { fields: Record<string, string | null | undefined> }) {
  return (
    <>
      {Object.entries(fields).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <noscript>
        {/* Enter in a field presses the first button. */}
        <button type="submit" name="edit" value="none" className="visually-hidden" tabIndex={-1}>
          Update
        </button>
      </noscript>
    </>
  );
}

/** Returns the list that has opened the form. */
export function useList(): ReturnType<typeof listNamed> {
  return listNamed(new URLSearchParams(useLocation().search).get("from"));
}

/** Returns where Cancel leads: to the list that has opened the form, else to what it is about. */
function useBack(otherwise: string): string {
  const list = useList();
  return list ? LISTS[list] : otherwise;
}

/** Heading that names the customer, and the link that closes the form. */
export function FormHead({ back, children }: { back: string; children: ReactNode }) {
  return (
    <header className="sale-head">
      <h2 className="grow">{children}</h2>
      <Link className="tool-button" to={useBack(back)} aria-label="Close">
        <Icon name="x" />
      </Link>
    </header>
  );
}

interface FormFootProps {
  failure: string | null | undefined;
  intent: string;
  submit: string;
  busy: string;
  back: string;
  /** Follows the label of the button. */
  children?: ReactNode;
}

/** Foot of a form: its failure, Cancel and the button that sends it. */
export function FormFoot({ failure, intent, submit, busy, back, children }: FormFootProps) {
  const isBusy = useNavigation().formData?.get("intent") === intent;
  return (
    <footer className="sale-foot" data-toasts-above>
      <p className="error grow" role="status">
        {failure && (
          <>
            <Icon name="circle-alert" className="i s" /> {failure}
          </>
        )}
      </p>
      <span className="soft needs-script wide">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </span>
      <Link className="btn" to={useBack(back)}>
        Cancel
      </Link>
      <button
        type="submit"
        name="intent"
        value={intent}
        className="btn primary"
        disabled={isBusy}
        aria-busy={isBusy || undefined}
      >
        {isBusy ? busy : submit} {children}
      </button>
    </footer>
  );
}

/** Moves the focus to the first field that an answer rejects, once for each answer. @returns ref of the form */
function useFocusOnProblem(answer: LineFormAnswer | undefined) {
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<LineFormAnswer>();
  // After every render: the lines show their problems one render after the answer.
  useEffect(() => {
    if (!answer?.failure || focused.current === answer) return;
    const field = form.current?.querySelector<HTMLElement>(PROBLEMS);
    if (!field) return;
    focused.current = answer;
    focusInvalid(field);
  });
  return form;
}

/** Fields with an error; that of missing lines is mended where lines are added. */
const PROBLEMS = `${INVALID_FIELD}, [data-problem] ~ .sale-add :is(input, button)`;

/** Moves the focus from a removed line to the one in its place, or to where lines are added. @returns onClick of the form */
function useFocusAfterRemoval(form: RefObject<HTMLFormElement>) {
  const removed = useRef<number>();
  useEffect(() => {
    if (removed.current === undefined) return;
    const place = removed.current;
    removed.current = undefined;
    const buttons = removeButtons(form.current);
    const next = buttons[Math.min(place, buttons.length - 1)];
    (next ?? form.current?.querySelector<HTMLElement>(".sale-add :is(input, button)"))?.focus();
  });
  return ({ target }: MouseEvent) => {
    const place = removeButtons(form.current).findIndex((button) => button.contains(target as Node));
    if (place >= 0) removed.current = place;
  };
}

const removeButtons = (form: HTMLFormElement | null) => [
  ...(form?.querySelectorAll<HTMLButtonElement>(".sale-remove button") ?? []),
];

/** Makes Ctrl+Enter send the form, also before anything on the page has the focus. */
export function useRecordKey(form: RefObject<HTMLFormElement>): void {
  useEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey, target }: KeyboardEvent) => {
      if (key !== "Enter" || !(ctrlKey || metaKey)) return;
      if (target !== document.body && !form.current?.contains(target as Node)) return;
      const button = form.current?.querySelector<HTMLButtonElement>("button[name=intent]:enabled");
      if (button) form.current?.requestSubmit(button);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [form]);
}

/** Sends a form that was sent during a look-up again, once its lines are there. @returns onSubmit of the form */
function useWaitForLines(form: RefObject<HTMLFormElement>, isLookingUp: boolean) {
  const waiting = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const button = waiting.current;
    if (isLookingUp || !button) return;
    waiting.current = null;
    form.current?.requestSubmit(button);
  }, [form, isLookingUp]);
  return (event: FormEvent) => {
    if (!isLookingUp) return;
    event.preventDefault();
    waiting.current = (event.nativeEvent as SubmitEvent).submitter;
  };
}

function ignoreEnter(event: ReactKeyboardEvent): void {
  if (event.key === "Enter" && (event.target as HTMLElement).matches("input, select")) event.preventDefault();
}

/** Recognises the buttons of lines, which the script has handled. */
function isEdit({ nativeEvent }: FormEvent): boolean {
  return (nativeEvent as SubmitEvent).submitter?.getAttribute("name") !== "intent";
}

interface EditButtonProps {
  edit: LineEdit;
  onEdit: (edit: LineEdit) => void;
  className: string;
  label?: string;
  children: ReactNode;
}

/** Button that edits the lines; without JavaScript it sends the form, which comes back with its lines changed. */
export function EditButton({ edit, onEdit, className, label, children }: EditButtonProps) {
  return (
    <button
      type="submit"
      name="edit"
      value={editValue(edit)}
      className={className}
      aria-label={label}
      title={label}
      onClick={() => onEdit(edit)}
    >
      {children}
    </button>
  );
}
