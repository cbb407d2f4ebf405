import { type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { useLocation, useNavigation } from "@remix-run/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { ZodType } from "zod";
import { dismissToast, showToast } from "./Toasts";

interface CheckedFormOptions<Input> {
  /** Id of the form and prefix of its fields' ids. */
  id: string;
  /** Schema that the server checks too. */
  schema: ZodType<unknown, Input>;
  lastResult?: SubmissionResult<string[]> | undefined;
  values?: Partial<Record<keyof Input & string, unknown>>;
  /** Errors by field of a request that a script has sent. */
  errors?: Record<string, string>;
  /** Validates each field on blur too, for a form whose button is disabled until all are valid. */
  isEager?: boolean;
}

export interface FieldValue {
  id: string;
  name: string;
  error?: string | undefined;
  defaultValue: string;
}

export interface CheckboxValue extends Omit<FieldValue, "defaultValue"> {
  defaultChecked: boolean;
}

/** Same text as in app/http/errors.ts. */
export const CHECK_FIELDS = "Please check the fields below.";
const NONE: ReadonlySet<string> = new Set();

/**
 * Creates a key for a form that stays on its page: typed values survive an error and are cleared on success.
 *
 * @param refused the action's error
 */
export function useFormKey(refused: unknown): string {
  const { key } = useLocation();
  const stored = useRef(key);
  if (!refused) stored.current = key;
  return stored.current;
}

/**
 * Validates a form in the browser before it is sent, with the server's schema: shows every problem at once, focuses the
 * first invalid field and removes an error when its field is edited.
 *
 * @returns `props` for the form element, `field(name)` for a Field, `checkbox(name)` for a Checkbox, and `problem`, the
 *   message above invalid fields
 */
export function useCheckedForm<Input>(options: CheckedFormOptions<Input>) {
  type Name = keyof Input & string;
  const { id, errors = {}, isEager = false } = options;
  const { edited, forget, ...on } = useEdited(isEager);
  const [problem, setProblem] = useState<string | null>(null);
  const [form, fields] = useConform(options);
  const control = (name: Name) => {
    const error = edited.has(name) ? undefined : (fields[name]?.errors?.[0] ?? errors[name]);
    return { id: `${id}-${name}`, name, error, initial: fields[name]?.initialValue };
  };
  return {
    problem,
    props: {
      id: form.id,
      noValidate: form.noValidate,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        if (isValidation(event)) return form.onSubmit(event);
        forget();
        form.onSubmit(event);
        setProblem(event.defaultPrevented ? CHECK_FIELDS : null);
      },
      ...on,
    },
    field(name: Name): FieldValue {
      const { initial, ...rest } = control(name);
      return { ...rest, defaultValue: typeof initial === "string" ? initial : "" };
    },
    secret(name: Name) {
      const { initial: _, ...rest } = control(name);
      return rest;
    },
    checkbox(name: Name): CheckboxValue {
      const { initial, ...rest } = control(name);
      return { ...rest, defaultChecked: initial === "on" };
    },
  };
}

function useConform<Input>({ id, schema, lastResult, values, isEager }: CheckedFormOptions<Input>) {
  return useForm<Record<string, unknown>>({
    id,
    lastResult: lastResult ?? null,
    defaultValue: (values ?? {}) as Record<string, string>,
    ...(isEager && { shouldValidate: "onBlur" as const }),
    onValidate: ({ formData }) => parseWithZod(formData, { schema, disableAutoCoercion: true }) as never,
  });
}

/** Tracks fields edited since the last validation, whose errors are hidden. */
function useEdited(isEager: boolean) {
  const [edited, setEdited] = useState(NONE);
  return {
    edited,
    forget: () => setEdited(NONE),
    onInput: (event: FormEvent) => setEdited(withName(edited, event.target as HTMLInputElement)),
    ...(isEager && {
      onBlur: (event: FormEvent) => setEdited(withoutName(edited, event.target as HTMLInputElement)),
    }),
  };
}

/** Detects the submit events by which conform validates on blur. */
function isValidation({ nativeEvent }: FormEvent): boolean {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter?.getAttribute("name") === "__intent__";
}

function withName(names: ReadonlySet<string>, { name }: HTMLInputElement): ReadonlySet<string> {
  return names.has(name) ? names : new Set([...names, name]);
}

function withoutName(names: ReadonlySet<string>, { name }: HTMLInputElement): ReadonlySet<string> {
  return new Set([...names].filter((each) => each !== name));
}

/** Action data after an error: messages for the fields and for the box above them. */
export interface RefusedForm {
  lastResult: SubmissionResult<string[]>;
  failure: string | null;
  /** HTTP status. */
  status?: number;
  /** Names of the fields with a chosen file, which no form can be drawn again with. */
  files?: string[];
}

/**
 * Keeps a row as it was when its dialog was opened, although the page may have reloaded it: the form must send the values
 * that it showed, or an edit by somebody else would be overwritten unnoticed. After an error the row is updated.
 *
 * @param row latest data
 * @param refused the action's error, or that another form was sent
 * @returns the row and the error, which come together once the page has reloaded (a correction typed before would be lost),
 *   and a key that resets the form then
 */
export function useOpenedValues<Row, Refused>(row: Row, refused: Refused) {
  const isIdle = useNavigation().state === "idle";
  const [shown, setShown] = useState({ opened: row, refused, key: 0 });
  if (!isIdle || shown.refused === refused) return shown;
  const next = { opened: row, refused, key: shown.key + 1 };
  setShown(next);
  return next;
}

/**
 * Repeats a form's error message as a toast, which disappears when the form is sent again or unmounts.
 *
 * @param refused the action's data: new data shows the toast again, even with the same text
 */
export function useFailureToast(refused: { failure: string | null } | undefined): void {
  const idle = useNavigation().state === "idle";
  useEffect(() => {
    if (!idle || !refused?.failure) return;
    const shown = showToast("error", refused.failure);
    return () => void shown.then(dismissToast);
  }, [refused, idle]);
}

type SubmitHandler = (event: FormEvent<HTMLFormElement>) => void;

/** Asks about unusual values of a form; null for none. */
export type Confirmation = (fields: FormData) => string | null;

/** Answer of the action, which may ask for the confirmation itself. */
type Answer =
  | { lastResult: { initialValue?: Record<string, unknown> | null | undefined } | null }
  | undefined;

/**
 * Stops a form that is right otherwise once for unusual values that are to be confirmed, as the server does without
 * JavaScript.
 *
 * @returns `confirmed`, the confirmation that the form has been stopped for, which it sends along
 */
export function useConfirmation(
  confirmation: Confirmation | undefined,
  submit: SubmitHandler,
  answer: Answer,
) {
  const [asked, setAsked] = useState<string | null>(null);
  const sent = answer?.lastResult?.initialValue?.confirmed;
  const confirmed = asked ?? (typeof sent === "string" ? sent : null);
  useEffect(() => {
    // The question stands at the top of a form whose button is at its foot.
    if (asked) document.querySelector(".form-dialog .form-error")?.scrollIntoView({ block: "nearest" });
  }, [asked]);
  const onSubmit: SubmitHandler = (event) => {
    submit(event);
    const message = event.defaultPrevented
      ? null
      : (confirmation?.(new FormData(event.currentTarget)) ?? null);
    const isNew = message !== null && message !== confirmed;
    setAsked(isNew ? message : null);
    if (isNew) event.preventDefault();
  };
  return { asked, confirmed, onSubmit };
}
