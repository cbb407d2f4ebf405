import { Form } from "@remix-run/react";
import { Undo2 } from "lucide-react";
import { dismissToast } from "./Toasts";

/** A form of one button that undoes what was just done. */
export interface Undo {
  /** The page that it is sent to. */
  action: string;
  intent: string;
  /** Sent as `id`. */
  id: string;
}

/** Of several acts the last one can be undone. */
export const UNDO_TOAST = "undo";
/** Milliseconds: three seconds, as for good news, are too few to reach a button by keyboard (WCAG 2.2.1). */
export const UNDO_TIME = 10_000;

/** Says what was done, and offers to undo it. */
export function Undoable({ message, undo }: { message: string; undo: Undo }) {
  return (
    <span className="undoable">
      <b>{message}</b>
      <Form
        method="post"
        action={undo.action}
        replace
        preventScrollReset
        onSubmit={() => void dismissToast(UNDO_TOAST)}
      >
        <input type="hidden" name="id" value={undo.id} />
        <button type="submit" name="intent" value={undo.intent} className="btn undo">
          <Undo2 className="i s" aria-hidden="true" />
          Undo
        </button>
      </Form>
    </span>
  );
}
