import { useEffect, useState } from "react";
import { ToastBody, type ToastKind } from "./ToastBody";
import { showToast } from "./Toasts";
import { UNDO_TIME, UNDO_TOAST, type Undo, Undoable } from "./Undoable";

/** What can be undone stays until there was time to. */
const LONG = { still: true, id: UNDO_TOAST, duration: UNDO_TIME };

interface StatusProps {
  /** What is said; nothing for null. */
  message: string | null | undefined;
  kind?: ToastKind;
  /** What the message came with, such as the action's data: another one is another answer, even in the same words. */
  answer?: unknown;
  /** How what was done is undone. */
  undo?: Undo | undefined;
}

/**
 * What a form answered. It stands in the HTML, at the top right, for readers without JavaScript; with
 * JavaScript it becomes a toast that goes by itself (contract: Pages and forms).
 */
export function StatusRegion(props: StatusProps) {
  if (!props.message) return null;
  return (
    <div className="toasts" role="status">
      <StillToast {...props} />
    </div>
  );
}

/** The same, for within a region. */
export function StillToast({ message, kind = "error", answer = message, undo }: StatusProps) {
  const [told, setTold] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way back comes with the answer
  useEffect(() => {
    if (!message) return;
    let here = true;
    const shown = undo
      ? showToast(kind, <Undoable message={message} undo={undo} />, LONG)
      : showToast(kind, message, { still: true });
    shown.then(() => here && setTold(answer));
    return () => {
      here = false;
    };
  }, [answer, message, kind]);
  if (!message || told === answer) return null;
  return (
    <div className={`toast toast-${kind}`}>
      <ToastBody kind={kind} message={undo ? <Undoable message={message} undo={undo} /> : message} />
    </div>
  );
}
