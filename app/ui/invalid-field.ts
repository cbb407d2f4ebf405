/** Selector of the fields that a form has refused and shows. */
export const INVALID_FIELD = '[aria-invalid="true"]:not([hidden])';

/** Moves the focus to a refused field, and brings it into view with its message, also where it has the focus already. */
export function focusInvalid(field: HTMLElement | null | undefined): void {
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  // Its margin keeps clear of bars that stand at the edges of the window.
  field?.scrollIntoView({ block: "nearest" });
}
