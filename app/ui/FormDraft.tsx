import { useEffect, useRef, useState } from "react";
import { storeDraft, storedDraft } from "./drafts";

/** Fields that hold what is typed or ticked. */
type DraftField = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps what is typed into a form through navigations and reloads of this tab, until the form is submitted or the draft
 * is discarded.
 */
export function FormDraft({ name }: { name: string }) {
  const marker = useRef<HTMLParagraphElement>(null);
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    const form = marker.current?.closest("form");
    if (!form) return;
    const isTyped = fieldsOf(form).some(isTouched);
    if (restore(form, storedDraft(name))) setRestored(true);
    const save = () => storeDraft(name, JSON.stringify(valuesOf(form)));
    if (isTyped) save();
    const forget = () => storeDraft(name, "");
    form.addEventListener("input", save);
    form.addEventListener("submit", forget);
    return () => {
      form.removeEventListener("input", save);
      form.removeEventListener("submit", forget);
    };
  }, [name]);
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

const fieldsOf = (form: HTMLFormElement): DraftField[] => [
  ...form.querySelectorAll<DraftField>("input[name]:not([type=hidden]), textarea[name]"),
];

const isTick = (field: DraftField): field is HTMLInputElement => field.type === "checkbox";

const valuesOf = (form: HTMLFormElement) =>
  Object.fromEntries(
    fieldsOf(form).map((field) => [field.name, isTick(field) ? field.checked : field.value]),
  );

/** Detects what was typed or ticked before hydration, which is newer than a draft. */
const isTouched = (field: DraftField) =>
  isTick(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;

/** Fills the untouched fields with a draft. @returns true when it differs from what they hold */
function restore(form: HTMLFormElement, draft: string): boolean {
  if (!draft || draft === JSON.stringify(valuesOf(form))) return false;
  const values = JSON.parse(draft) as Record<string, string | boolean>;
  for (const field of fieldsOf(form)) {
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
