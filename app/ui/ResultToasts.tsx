import { useLocation, useSubmit } from "@remix-run/react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import type { ResultLink } from "~/domain/result-link";
import { Form } from "~/ui/navigation";
import { Icon } from "./Icon";
import { useShortcuts } from "./shortcuts";
import { dismissToast, showToast, ToastBody } from "./Toasts";

/** Result of an action, with the form that undoes it. */
export interface UndoResult {
  message: string;
  undo: {
    /** Entry that the action has changed. */
    subject: string;
    action: string;
    intent: string;
    id: string;
    /** Further fields. */
    fields?: Record<string, string>;
  };
}

/** Shared toast id: only the last action can be undone. */
const UNDO_TOAST = "undo";
/** Shared toast id: only the last result is linked. */
const LINKED_TOAST = "linked";
/** Milliseconds. The 3 s of a success toast are too short to reach a button by keyboard (WCAG 2.2.1). */
const DURATION = 10_000;

/** Result of an action, with the pages and files that it names. */
export interface LinkedResult {
  message: string;
  /** Ends the message, larger. */
  highlight?: string | undefined;
  links: ResultLink[];
}

/**
 * Reports an action and offers to undo it.
 *
 * @param result null without an action to undo
 */
export function UndoToast({ result }: { result: UndoResult | null }) {
  useUndoKey(result);
  return result && <ResultToast result={result} body={<UndoMessage result={result} />} id={UNDO_TOAST} />;
}

/**
 * Reports an action with links to its results, until it is closed or the next one begins: the customer may still wait for
 * their change.
 *
 * @param result null: displays nothing
 */
export function LinkedToast({ result }: { result: LinkedResult | null }) {
  if (!result) return null;
  const options = { id: LINKED_TOAST, duration: Number.POSITIVE_INFINITY };
  return <ResultToast result={result} body={<LinkedMessage result={result} />} {...options} />;
}

/** Closes the linked result. */
export const closeLinkedResult = (): void => dismissToast(LINKED_TOAST);

interface ResultToastProps {
  /** Displayed once. */
  result: object;
  body: ReactElement;
  /** Replaces an earlier toast with this id. */
  id: string;
  /** Milliseconds. */
  duration?: number;
}

/** Displays a result in the HTML at the top of the page, with JavaScript as a toast. */
function ResultToast({ result, body, id, duration = DURATION }: ResultToastProps) {
  const [displayed, setDisplayed] = useState<object | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => {
    showToast("success", body, { isStatic: true, duration, id }).then(() => setDisplayed(result));
  }, [result]);
  if (result === displayed) return null;
  return (
    <div className="toasts" role="status">
      <div className="toast toast-success">
        <ToastBody kind="success" message={body} />
      </div>
    </div>
  );
}

const LINK_ATTRIBUTES = {
  page: {},
  tab: { target: "_blank", rel: "noreferrer" },
  file: { download: "" },
};

function LinkedMessage({ result: { message, highlight, links } }: { result: LinkedResult }) {
  return (
    <span className="toast-links">
      <span>
        {message} {highlight && <strong>{highlight}</strong>}
      </span>
      {links.map(({ to, label, opens = "page" }) => (
        <a key={label} href={localTo(to)} {...LINK_ATTRIBUTES[opens]}>
          {label}
        </a>
      ))}
      <button
        type="button"
        className="tool-button needs-script"
        aria-label="Close this message"
        onClick={closeLinkedResult}
      >
        <Icon name="x" className="i s" />
      </button>
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
        const { action, intent, id, fields } = result.undo;
        void dismissToast(UNDO_TOAST);
        submit(
          { ...fields, id, intent },
          { method: "post", action: localTo(action), replace: true, preventScrollReset: true },
        );
      },
    }),
  });
}

function UndoMessage({ result: { message, undo } }: { result: UndoResult }) {
  return (
    <span className="undoable">
      <span>
        <b>{message}</b>
        <small>{undo.subject}</small>
      </span>
      <Form
        method="post"
        action={undo.action}
        replace
        preventScrollReset
        onSubmit={() => void dismissToast(UNDO_TOAST)}
      >
        {Object.entries({ ...undo.fields, id: undo.id }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
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
