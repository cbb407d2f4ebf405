import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useCallback, useEffect, useRef } from "react";

interface Unsaved {
  /** Id of the form in whose dialog it is. */
  form: string;
  /** Whether lists besides the form's own fields were changed. */
  isChanged: boolean;
  /** What it holds is being saved: nothing leaves it. */
  isSaving: boolean;
  /** Whether all is saved. */
  isDone: MutableRefObject<boolean>;
  /** What whoever leaves is told, and the words of the button that leaves all the same. */
  words: { told: string; leave: string };
}

/**
 * Keeps what was typed from being lost by Escape or a press beside what was meant: whoever leaves is asked.
 *
 * @returns `onInput` for the form; `question` while one is asked
 */
export function useUnsaved({ form, isChanged, isSaving, isDone, words }: Unsaved) {
  const typed = useRef(false);
  const isUnsaved = useCallback(
    () => (typed.current || isChanged || isSaving) && !isDone.current,
    [isChanged, isSaving, isDone],
  );
  const { isBlocked, leave, stay } = useAsked(isUnsaved);
  useEffect(() => {
    // Whoever is asked and saves has answered.
    if (isSaving && isBlocked()) stay();
  });
  useEffect(() => {
    // A second Escape closes a dialog whatever is done about it.
    const dialog = document.getElementById(form)?.closest("dialog");
    const onClose = () => isBlocked() && leave();
    dialog?.addEventListener("close", onClose);
    return () => dialog?.removeEventListener("close", onClose);
  }, [form, isBlocked, leave]);
  return {
    onInput: (next: (event: FormEvent) => void) => (event: FormEvent) => {
      typed.current = true;
      next(event);
    },
    question: isBlocked() && !isSaving ? <Question words={words} onLeave={leave} onStay={stay} /> : undefined,
  };
}

/** Holds whoever leaves this page, or leaves it by the browser's own means, while that would lose something. */
function useAsked(isUnsaved: () => boolean) {
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
  words: Unsaved["words"];
  onLeave: () => void;
  onStay: () => void;
}

function Question({ words, onLeave, onStay }: QuestionProps) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = stay.current?.closest("dialog");
    stay.current?.focus();
    return () => {
      const cancel = dialog?.querySelector<HTMLElement>("footer .btn");
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (isThere ? before : cancel)?.focus();
    };
  }, []);
  return (
    <span className="unsaved" role="alert">
      <span>{words.told}</span>
      <button type="button" className="btn" onClick={onLeave}>
        {words.leave}
      </button>
      <button type="button" className="btn" ref={stay} onClick={onStay}>
        Keep editing
      </button>
    </span>
  );
}
