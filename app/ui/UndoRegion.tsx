import { Form, useLocation, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import { useShortcuts } from "./shortcuts";
import { dismissToast, showToast, ToastBody } from "./Toasts";

/** What was done, and the form of one button that undoes it. */
export interface UndoResult {
  message: string;
  undo: {
    /** What it was done to. */
    what: string;
    /** The page that it is sent to. */
    action: string;
    intent: string;
    /** Sent as `id`. */
    id: string;
  };
}

/** Of several acts the last one can be undone. */
const UNDO_TOAST = "undo";
/** Three seconds, as for good news, are too few to reach a button by keyboard (WCAG 2.2.1). */
const UNDO_TIME = 10_000;

/**
 * Says what was done and offers to undo it: in the HTML at the top of the page, with JavaScript as a toast.
 *
 * @param told null when the last act can't be undone
 */
export function UndoRegion({ told }: { told: UndoResult | null }) {
  const [shown, setShown] = useState<UndoResult | null>(null);
  useUndoKey(told);
  useEffect(() => {
    if (!told) return;
    const options = { still: true, id: UNDO_TOAST, duration: UNDO_TIME };
    showToast("success", <Undoable told={told} />, options).then(() => setShown(told));
  }, [told]);
  if (!told || told === shown) return null;
  return (
    <div className="toasts" role="status">
      <div className="toast toast-success">
        <ToastBody kind="success" message={<Undoable told={told} />} />
      </div>
    </div>
  );
}

/** `u` undoes, too, until the next page: the button of a toast is a long way from the table. */
function useUndoKey(told: UndoResult | null): void {
  const submit = useSubmit();
  const { key } = useLocation();
  const last = useRef({ told, key });
  if (last.current.told !== told) last.current = { told, key };
  useShortcuts({
    ...(told && {
      u: () => {
        if (last.current.key !== key) return;
        const { action, intent, id } = told.undo;
        void dismissToast(UNDO_TOAST);
        submit({ id, intent }, { method: "post", action, replace: true, preventScrollReset: true });
      },
    }),
  });
}

function Undoable({ told: { message, undo } }: { told: UndoResult }) {
  return (
    <span className="undoable">
      <span>
        <b>{message}</b>
        <small>{undo.what}</small>
      </span>
      <Form
        method="post"
        action={undo.action}
        replace
        preventScrollReset
        onSubmit={() => void dismissToast(UNDO_TOAST)}
      >
        <input type="hidden" name="id" value={undo.id} />
        <button type="submit" name="intent" value={undo.intent} className="btn undo">
          <Icon name="undo-2" className="i s" />
          Undo
          <span className="needs-script" aria-hidden="true">
            <kbd>U</kbd>
          </span>
        </button>
      </Form>
    </span>
  );
}
