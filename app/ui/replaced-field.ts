import type { FocusEvent, MouseEvent } from "react";

/**
 * Attributes of a text field whose content gives way to what is typed: all of it is selected on focus, and a click into the selection
 * leaves it. A field that has been typed into takes a click as any other.
 */
export const REPLACED_FIELD = {
  onFocus: ({ target }: FocusEvent<HTMLInputElement>) => target.select(),
  // Browsers drop a selection when a click on it ends.
  onMouseUp: (event: MouseEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (selectionStart === 0 && selectionEnd === value.length) event.preventDefault();
  },
};
