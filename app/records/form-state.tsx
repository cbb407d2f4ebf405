import { useEffect, useRef, useState } from "react";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { FormError } from "~/ui/Field";
import { Link } from "~/ui/navigation";
import type { CheckboxValue, FieldValue, RefusedForm } from "~/ui/useCheckedForm";
import type { FormValue } from "./fields";

/** Returns the answer to one of these intents; other forms on the page keep their values. */
export function refusedFor(refused: RefusedForm | undefined, ...intents: string[]): RefusedForm | undefined {
  return intents.includes(String(refused?.lastResult?.initialValue?.intent)) ? refused : undefined;
}

/** Returns a submitted value, or the fallback. */
export function typedValue(refused: RefusedForm | undefined, name: string, fallback = ""): string {
  const value = refused?.lastResult?.initialValue?.[name];
  return typeof value === "string" ? value : fallback;
}

/** Returns the first error of a field. */
export function fieldError(refused: RefusedForm | undefined, name: string): string | undefined {
  return refused?.lastResult?.error?.[name]?.[0];
}

/** Returns the first error of a field or of what it contains. @param path such as `hours.weekly.mon` */
export function errorWithin(refused: RefusedForm | undefined, path: string): string | undefined {
  const errors = Object.entries(refused?.lastResult?.error ?? {});
  return errors.find(([name]) => name === path || name.startsWith(`${path}.`))?.[1]?.[0];
}

/**
 * Returns what RecordFields draws a form's controls by: the values that were sent, or those of the record.
 *
 * @param id prefix of the controls' ids
 * @param values as the record's `formValues` writes them
 */
export function recordForm(id: string, values: Record<string, FormValue>, refused: RefusedForm | undefined) {
  const control = (name: string) => ({ id: `${id}-${name}`, name, error: fieldError(refused, name) });
  const initial = (name: string) => (typeof values[name] === "string" ? values[name] : "");
  const wasSent = Boolean(refused?.lastResult?.initialValue);
  return {
    field: (name: string): FieldValue => ({
      ...control(name),
      defaultValue: typedValue(refused, name, initial(name)),
    }),
    checkbox: (name: string): CheckboxValue => ({
      ...control(name),
      // A box without a tick is not sent.
      defaultChecked: (wasSent ? typedValue(refused, name) : initial(name)) === "on",
    }),
  };
}

const CONFLICT = 409;
const NOT_FOUND = 404;

interface OpenedValueProps {
  name?: "was" | "version";
  /** Of the data that the page has. */
  value: string | number;
  refused: RefusedForm | undefined;
}

/**
 * Field by which the server detects edit conflicts: what the form showed when it was opened. A form that was refused for another
 * reason sends the same again, since the page may have read what somebody else saved meanwhile.
 */
export function OpenedValue({ name = "was", value, refused }: OpenedValueProps) {
  const current = String(value);
  const opened = refused?.status === CONFLICT ? current : typedValue(refused, name, current);
  return <input type="hidden" name={name} value={opened} />;
}

interface ConflictNoticeProps {
  refused: RefusedForm | undefined;
  /** Such as "this response". */
  subject: string;
  record: { columns: readonly { name: string; field: { label: string } }[] };
  /** URL of the form with the stored values. */
  theirs: string;
}

/** Explanation of an edit conflict above a form, which stays until the form is sent again. */
export function ConflictNotice({ refused, subject, record, theirs }: ConflictNoticeProps) {
  if (refused?.status === NOT_FOUND)
    return <FormError message={`Somebody else has deleted ${subject}.`} note="Save adds it anew." />;
  if (refused?.status !== CONFLICT) return null;
  const changed = record.columns
    .filter(({ name }) => errorWithin(refused, name) !== undefined)
    .map(({ field }) => field.label);
  const note = (
    <>
      Changed: {changed.join(", ")}. Save again overwrites their change.{" "}
      <Link to={theirs} preventScrollReset>
        Use theirs
      </Link>
    </>
  );
  return <FormError message={`Somebody else has just changed ${subject}.`} note={note} />;
}

/** Fields that hold what is typed or ticked. */
type DraftField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Detects a button that answers with the unsaved form. */
export const isAct = (button: HTMLElement | null): boolean => button?.getAttribute("name") === "act";

interface FormDraftProps {
  name: string;
  /** The form is drawn again before it is saved: what it shows is the draft. */
  isUnsaved?: boolean;
}

/**
 * Keeps what is typed into a form through navigations and reloads of this tab, until the form is saved or the draft is
 * discarded.
 */
export function FormDraft({ name, isUnsaved = false }: FormDraftProps) {
  const marker = useRef<HTMLParagraphElement>(null);
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    const form = marker.current?.closest("form");
    if (!form) return;
    const draft = storedDraft(name);
    const isTyped = fieldsOf(form).some(isTouched) || (isUnsaved && draft !== "");
    if (!isUnsaved && restore(form, draft)) setRestored(true);
    const save = () => storeDraft(name, JSON.stringify(valuesOf(form)));
    if (isTyped) save();
    const forget = ({ submitter }: SubmitEvent) => {
      if (!isAct(submitter)) storeDraft(name, "");
    };
    form.addEventListener("input", save);
    form.addEventListener("submit", forget);
    return () => {
      form.removeEventListener("input", save);
      form.removeEventListener("submit", forget);
    };
  }, [name, isUnsaved]);
  const discard = () => {
    marker.current?.closest("form")?.reset();
    storeDraft(name, "");
    setRestored(false);
  };
  return (
    <p className="hint" ref={marker} hidden={!isRestored} role="status">
      Your unsaved changes are back.{" "}
      <button type="button" className="link" onClick={discard}>
        Discard them
      </button>
    </p>
  );
}

/** Searches are no part of what is saved, and no script can put a file back. */
const KEPT_FIELDS =
  "input[name]:not([type=hidden], [type=search], [type=file]), textarea[name], select[name]";

const fieldsOf = (form: HTMLFormElement) =>
  [...form.querySelectorAll(KEPT_FIELDS)] as unknown[] as DraftField[];

const isTick = (field: DraftField): field is HTMLInputElement => field.type === "checkbox";

const isText = (field: DraftField): field is HTMLInputElement | HTMLTextAreaElement =>
  !isTick(field) && !(field instanceof HTMLSelectElement);

const valuesOf = (form: HTMLFormElement) =>
  Object.fromEntries(
    fieldsOf(form).map((field) => [field.name, isTick(field) ? field.checked : field.value]),
  );

/** Detects what was typed or ticked before hydration, which is newer than a draft. */
function isTouched(field: DraftField): boolean {
  if (isTick(field)) return field.checked !== field.defaultChecked;
  if (isText(field)) return field.value !== field.defaultValue;
  return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
}

/** Fills the untouched fields with a draft. @returns true when it differs from what they hold */
function restore(form: HTMLFormElement, draft: string): boolean {
  if (!draft || draft === JSON.stringify(valuesOf(form))) return false;
  const values = JSON.parse(draft) as Record<string, string | boolean>;
  const fields = fieldsOf(form);
  // Rows were removed before: those below them had the names of other rows.
  if (fields.some((field) => isText(field) && !(field.name in values))) return false;
  for (const field of fields) {
    if (isTouched(field)) continue;
    const value = values[field.name];
    if (isTick(field) && typeof value === "boolean") field.checked = value;
    if (!isTick(field) && typeof value === "string") field.value = value;
  }
  return true;
}

/** Says that a form which is not open has a draft on this device. */
export function DraftNote({ name, children }: { name: string; children: string }) {
  const [isKept, setKept] = useState(false);
  useEffect(() => setKept(storedDraft(name) !== ""), [name]);
  return isKept ? <p className="hint">{children}</p> : null;
}
