import type { KeyboardEvent } from "react";
import { MAX_MESSAGE } from "./limits";

/** Characters left from which the count is displayed, and the steps in which it is read aloud. */
const DISPLAY_FROM = 200;
const ANNOUNCE_STEP = 50;

/** Counts the characters left like the server, an emoji as one; negative for a text that is too long. */
export const charactersLeft = (text: string) => MAX_MESSAGE - [...text.trim()].length;

/** Displays the characters left near the limit of a message, and the excess beyond it. */
export function CharactersLeft({ left }: { left: number }) {
  const isOver = left < 0;
  return (
    <>
      {left <= DISPLAY_FROM && (
        <p className={isOver ? "count-left over" : "count-left"} aria-hidden="true">
          {isOver ? `Characters too many: ${-left}` : `Characters left: ${left}`}
        </p>
      )}
      <span className="visually-hidden" role="status">
        {left <= DISPLAY_FROM &&
          (isOver
            ? "The message is too long"
            : `Characters left: ${Math.ceil(left / ANNOUNCE_STEP) * ANNOUNCE_STEP}`)}
      </span>
    </>
  );
}

/** Submits the field's form on Enter; Shift+Enter starts a new line. */
export function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
