import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useRef } from "react";

/**
 * Keeps what was typed from being lost by Escape or a press beside what was meant: whoever leaves is asked.
 *
 * @param form id of the form in whose dialog it is
 * @param isChanged whether lists besides the form's own fields were changed
 * @returns `onInput` for the form; `done` to be called before it is left for good; `question` while one is asked
 */
export function useUnsaved(form: string, isChanged: boolean) {
  const typed = useRef(false);
  const saved = useRef(false);
  const isUnsaved = useCallback(() => (typed.current || isChanged) && !saved.current, [isChanged]);
  const blocker = useBlocker(isUnsaved);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved()) event.preventDefault();
      },
      [isUnsaved],
    ),
  );
  useEffect(() => {
    // A second Escape closes a dialog whatever is done about it.
    const dialog = document.getElementById(form)?.closest("dialog");
    const leave = () => blocker.state === "blocked" && blocker.proceed();
    dialog?.addEventListener("close", leave);
    return () => dialog?.removeEventListener("close", leave);
  }, [form, blocker]);
  return {
    onInput: (next: (event: FormEvent) => void) => (event: FormEvent) => {
      typed.current = true;
      next(event);
    },
    done: () => {
      saved.current = true;
    },
    question:
      blocker.state === "blocked" ? (
        <Question onLeave={() => blocker.proceed()} onStay={() => blocker.reset()} />
      ) : undefined,
  };
}

function Question({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    stay.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <span className="unsaved" role="alert">
      What you typed isn’t saved.
      <button type="button" className="btn" onClick={onLeave}>
        Discard
      </button>
      <button type="button" className="btn" ref={stay} onClick={onStay}>
        Keep editing
      </button>
    </span>
  );
}
