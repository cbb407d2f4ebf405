import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useCallback, useEffect, useRef } from "react";

interface Unsaved {
  form: string;
  /** True when lists beside the form fields have changed. */
  isChanged: boolean;
  isSaving: boolean;
  isDone: MutableRefObject<boolean>;
  /** Text of the question and label of the button that leaves. */
  labels: { message: string; leave: string };
}

/**
 * Asks for confirmation before unsaved changes are discarded.
 *
 * @returns `onInput` for the form; `question` while it is open
 */
export function useUnsavedChanges({ form, isChanged, isSaving, isDone, labels }: Unsaved) {
  const hasTyped = useRef(false);
  const isUnsaved = useCallback(
    () => (hasTyped.current || isChanged || isSaving) && !isDone.current,
    [isChanged, isSaving, isDone],
  );
  const { isBlocked, leave, stay } = useLeaveBlocker(isUnsaved);
  useEffect(() => {
    // Saving dismisses the question.
    if (isSaving && isBlocked()) stay();
  });
  useEffect(() => {
    // Browsers close a dialog on the second Escape, even if the first was cancelled.
    const dialog = document.getElementById(form)?.closest("dialog");
    const onClose = () => isBlocked() && leave();
    dialog?.addEventListener("close", onClose);
    return () => dialog?.removeEventListener("close", onClose);
  }, [form, isBlocked, leave]);
  return {
    onInput: (next: (event: FormEvent) => void) => (event: FormEvent) => {
      hasTyped.current = true;
      next(event);
    },
    question:
      isBlocked() && !isSaving ? <Question labels={labels} onLeave={leave} onStay={stay} /> : undefined,
  };
}

/** Blocks navigation and unloading of the page while changes are unsaved. */
function useLeaveBlocker(isUnsaved: () => boolean) {
  const blocker = useBlocker(isUnsaved);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved()) event.preventDefault();
      },
      [isUnsaved],
    ),
  );
  const latest = useRef(blocker);
  latest.current = blocker;
  const isBlocked = useCallback(() => latest.current.state === "blocked", []);
  const leave = useCallback(() => latest.current.proceed?.(), []);
  const stay = useCallback(() => latest.current.reset?.(), []);
  return { isBlocked, leave, stay };
}

interface QuestionProps {
  labels: Unsaved["labels"];
  onLeave: () => void;
  onStay: () => void;
}

function Question({ labels, onLeave, onStay }: QuestionProps) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const previous = document.activeElement;
    const dialog = stay.current?.closest("dialog");
    stay.current?.focus();
    return () => {
      const cancel = dialog?.querySelector<HTMLElement>("footer .btn");
      const isFocusable =
        previous instanceof HTMLElement && previous.isConnected && previous !== document.body;
      (isFocusable ? previous : cancel)?.focus();
    };
  }, []);
  return (
    <span className="unsaved" role="alert">
      <span>{labels.message}</span>
      <button type="button" className="btn" onClick={onLeave}>
        {labels.leave}
      </button>
      <button type="button" className="btn" ref={stay} onClick={onStay}>
        Keep editing
      </button>
    </span>
  );
}
