import { Form, useLocation, useSubmit } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { Icon } from "./Icon";
import { useShortcuts } from "./shortcuts";
import { dismissToast, showToast, ToastBody } from "./Toasts";

/** Result of an action, with the form that undoes it. */
export interface UndoResult {
  message: string;
  undo: {
    what: string;
    action: string;
    intent: string;
    id: string;
  };
}

/** Shared toast id: only the last action can be undone. */
const UNDO_TOAST = "undo";
/** Milliseconds. The 3 s of a success toast are too short to reach a button by keyboard (WCAG 2.2.1). */
const UNDO_DURATION = 10_000;

/**
 * Reports an action and offers to undo it: in the HTML at the top of the page, with JavaScript as a toast.
 *
 * @param result null without an action to undo
 */
export function UndoRegion({ result }: { result: UndoResult | null }) {
  const [displayed, setDisplayed] = useState<UndoResult | null>(null);
  useUndoKey(result);
  useEffect(() => {
    if (!result) return;
    const options = { isStatic: true, id: UNDO_TOAST, duration: UNDO_DURATION };
    showToast("success", <Undoable result={result} />, options).then(() => setDisplayed(result));
  }, [result]);
  if (!result || result === displayed) return null;
  return (
    <div className="toasts" role="status">
      <div className="toast toast-success">
        <ToastBody kind="success" message={<Undoable result={result} />} />
      </div>
    </div>
  );
}

/** Result of an action, with the pages that it names. */
export interface LinkedResult {
  message: string;
  links: { to: string; label: string }[];
}

/**
 * Reports an action with links to its results: in the HTML at the top of the page, with JavaScript as a toast.
 *
 * @param result null without one
 */
export function LinkedToast({ result }: { result: LinkedResult | null }) {
  const [displayed, setDisplayed] = useState<LinkedResult | null>(null);
  useEffect(() => {
    if (!result) return;
    const options = { isStatic: true, duration: UNDO_DURATION };
    showToast("success", <Linked result={result} />, options).then(() => setDisplayed(result));
  }, [result]);
  if (!result || result === displayed) return null;
  return (
    <div className="toasts" role="status">
      <div className="toast toast-success">
        <ToastBody kind="success" message={<Linked result={result} />} />
      </div>
    </div>
  );
}

function Linked({ result: { message, links } }: { result: LinkedResult }) {
  return (
    <span className="toast-links">
      {message}
      {links.map(({ to, label }) => (
        <a key={to} href={to}>
          {label}
        </a>
      ))}
    </span>
  );
}

/** Binds `u` to Undo until the next page. */
function useUndoKey(result: UndoResult | null): void {
  const submit = useSubmit();
  const { key } = useLocation();
  const last = useRef({ result, key });
  if (last.current.result !== result) last.current = { result, key };
  useShortcuts({
    ...(result && {
      u: () => {
        if (last.current.key !== key) return;
        const { action, intent, id } = result.undo;
        void dismissToast(UNDO_TOAST);
        submit({ id, intent }, { method: "post", action, replace: true, preventScrollReset: true });
      },
    }),
  });
}

function Undoable({ result: { message, undo } }: { result: UndoResult }) {
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
