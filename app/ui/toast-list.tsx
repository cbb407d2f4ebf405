import { useEffect, useRef } from "react";
import toast, { resolveValue, type Toast, useToaster } from "react-hot-toast/headless";
import { ToastBody, type ToastKind, type ToastMessage, type ToastOptions } from "./Toasts";

const STILL = "toast-still";
const DURATION = 4000;
/** How long one that goes still fades. */
const FADE = 250;

/** The id of the last toast that said something, by what it said. */
const last = new Map<ToastMessage, string>();

/** Adds a toast, in place of one that says the same; see showToast. */
export function showInList(
  kind: ToastKind,
  message: ToastMessage,
  { id, still, duration }: ToastOptions,
): string {
  const add = kind === "blank" ? toast : toast[kind];
  const same = last.get(message);
  if (same && same !== id) toast.remove(same);
  const shown = add(message, {
    ...(id && { id }),
    ...(still && { className: STILL }),
    ...(duration && { duration }),
  });
  if (typeof message === "string") last.set(message, shown);
  return shown;
}

/** Lets a toast go. */
export function dismissInList(id: string): void {
  toast.dismiss(id);
}

/**
 * The toasts that are up, at most 20, newest first; they wait while the pointer or the focus rests on them.
 *
 * @param durations how long good and bad news stay, milliseconds
 */
export function ToastList({ durations }: { durations: { success: number; error: number } }) {
  const { toasts, handlers } = useToaster({
    duration: DURATION,
    removeDelay: FADE,
    success: { duration: durations.success },
    error: { duration: durations.error },
    loading: { duration: Number.POSITIVE_INFINITY },
    custom: { duration: DURATION },
  });
  const list = useRef<HTMLUListElement>(null);
  const newest = toasts[0]?.id;
  // A dialog lies above the page: a popover that opens later lies above the dialog.
  useEffect(() => {
    if (newest) raise(list.current);
  }, [newest]);
  return (
    <ul
      ref={list}
      className="toast-list"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
    >
      {toasts.map((shown) => (
        <li key={shown.id} className={className(shown)}>
          <ToastBody kind={shown.type} message={resolveValue(shown.message, shown) ?? ""} />
        </li>
      ))}
    </ul>
  );
}

function className({ visible, type, className: still }: Toast): string {
  return ["toast", `toast-${type}`, still, !visible && "toast-gone"].filter(Boolean).join(" ");
}

function raise(list: HTMLUListElement | null): void {
  if (!list?.showPopover) return;
  list.popover = "manual";
  if (list.matches(":popover-open")) list.hidePopover();
  list.showPopover();
}
