import { type SubmissionResult, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { useLocation, useNavigation } from "@remix-run/react";
import { type FormEvent, useRef, useState } from "react";
import type { ZodType } from "zod";

interface CheckedFormOptions<Input> {
  /** The form's id; its fields' ids begin with it. */
  id: string;
  /** The rules: the same ones that the server checks. */
  schema: ZodType<unknown, Input>;
  /** What the server answered, without which nothing was refused. */
  lastResult?: SubmissionResult<string[]> | undefined;
  /** What the fields hold at first. */
  values?: Partial<Record<keyof Input & string, string>>;
  /** Each field is checked when it is left, too: for a form whose button waits until all is right. */
  isEager?: boolean;
}

/** The server says the same (form-action.server.ts). */
export const CHECK_FIELDS = "Please check the fields below.";
const NONE: ReadonlySet<string> = new Set();

/**
 * A key for a form that stays on its page: what was typed is kept when it is refused and gone when it is done.
 *
 * @param refused what the page's action answered, if it refused
 */
export function useFormKey(refused: unknown): string {
  const { key } = useLocation();
  const kept = useRef(key);
  if (!refused) kept.current = key;
  return kept.current;
}

/**
 * A form that is checked in the browser before it is sent and by the server after: every problem at once,
 * the first invalid field focused, an error gone as soon as its field is edited (spec 5).
 *
 * @returns `props` for the form element, `field(name)` for a Field, `checkbox(name)` for a Checkbox, and `problem`:
 *   what is said above the fields when the browser has found them wrong
 */
export function useCheckedForm<Input>(options: CheckedFormOptions<Input>) {
  type Name = keyof Input & string;
  const { id, isEager = false } = options;
  const { edited, forget, ...on } = useEdited(isEager);
  const [problem, setProblem] = useState<string | null>(null);
  const [form, fields] = useConform(options);
  const control = (name: Name) => {
    const error = edited.has(name) ? undefined : fields[name]?.errors?.[0];
    return { id: `${id}-${name}`, name, error, initial: fields[name]?.initialValue };
  };
  return {
    problem,
    props: {
      id: form.id,
      noValidate: form.noValidate,
      onSubmit(event: FormEvent<HTMLFormElement>) {
        if (isConformsOwn(event)) return form.onSubmit(event);
        forget();
        form.onSubmit(event);
        setProblem(event.defaultPrevented ? CHECK_FIELDS : null);
      },
      ...on,
    },
    field(name: Name) {
      const { initial, ...rest } = control(name);
      return { ...rest, defaultValue: typeof initial === "string" ? initial : "" };
    },
    secret(name: Name) {
      const { initial: _, ...rest } = control(name);
      return rest;
    },
    checkbox(name: Name) {
      const { initial, ...rest } = control(name);
      return { ...rest, defaultChecked: initial === "on" };
    },
  };
}

function useConform<Input>({ id, schema, lastResult, values, isEager }: CheckedFormOptions<Input>) {
  return useForm<Record<string, unknown>>({
    id,
    lastResult: lastResult ?? null,
    defaultValue: values ?? {},
    ...(isEager && { shouldValidate: "onBlur" as const }),
    onValidate: ({ formData }) => parseWithZod(formData, { schema, disableAutoCoercion: true }) as never,
  });
}

/** The fields that were edited since they were last checked: what was wrong with them is no longer said. */
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

/** Conform checks a field that was left by submitting the form to itself. */
function isConformsOwn({ nativeEvent }: FormEvent): boolean {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter?.getAttribute("name") === "__intent__";
}

function withName(names: ReadonlySet<string>, { name }: HTMLInputElement): ReadonlySet<string> {
  return names.has(name) ? names : new Set([...names, name]);
}

function withoutName(names: ReadonlySet<string>, { name }: HTMLInputElement): ReadonlySet<string> {
  return new Set([...names].filter((each) => each !== name));
}

/** What a page's action answers when it refused: for the form's fields, and for the box above them. */
export interface FormFailure {
  lastResult: SubmissionResult<string[]>;
  failure: string | null;
}

/**
 * A row as it was when its dialog was opened, though the page may have read it again since: what goes along with the
 * form must be what the form shows, or another's change would be written over unseen. Once the form has been refused
 * it is the row that the refusal speaks of.
 *
 * @param row as read last
 * @param refused what the page's action answered, if it refused
 * @returns the row, and a key for the form: a refused one begins anew with what it is to hold
 */
export function useOpenedValues<Row>(row: Row, refused: unknown): { opened: Row; key: number } {
  const isIdle = useNavigation().state === "idle";
  const [seen, setSeen] = useState({ row, refused, key: 0 });
  if (!isIdle || seen.refused === refused) return { opened: seen.row, key: seen.key };
  const next = { row, refused, key: seen.key + 1 };
  setSeen(next);
  return { opened: next.row, key: next.key };
}
