import { useEffect, useState } from "react";
import { ToastBody, type ToastKind } from "./ToastBody";
import { showToast } from "./Toasts";

interface StatusProps {
  /** What is said; nothing for null. */
  message: string | null | undefined;
  kind?: ToastKind;
  /** What the message came with, such as the action's data: another one is another answer, even in the same words. */
  answer?: unknown;
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
export function StillToast({ message, kind = "error", answer = message }: StatusProps) {
  const [told, setTold] = useState<unknown>(null);
  useEffect(() => {
    if (!message) return;
    let here = true;
    showToast(kind, message, { still: true }).then(() => here && setTold(answer));
    return () => {
      here = false;
    };
  }, [answer, message, kind]);
  if (!message || told === answer) return null;
  return (
    <p className={`toast toast-${kind}`}>
      <ToastBody kind={kind} message={message} />
    </p>
  );
}
