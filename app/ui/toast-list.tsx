import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import toast, { resolveValue, type Toast, useToaster } from "react-hot-toast/headless";
import { raise, ToastBody, type ToastKind, type ToastMessage, type ToastOptions } from "./Toasts";

const STATIC_CLASS = "toast-still";
/** Milliseconds by kind. Others last 4 s; loading toasts stay until dismissed. */
const SHOP_DURATIONS = { success: 2000, error: 4000 };
const ADMIN_DURATIONS = { success: 3000, error: 5000 };
const DURATION = 4000;
/** Milliseconds of the fade-out. */
const FADE = 250;

/** Id of the last toast with each message. */
const last = new Map<ToastMessage, string>();

/** Adds a toast, replacing one with the same message; see showToast. */
export function addToast(
  kind: ToastKind,
  message: ToastMessage,
  { id, isStatic, duration }: ToastOptions,
): string {
  const add = kind === "blank" ? toast : toast[kind];
  const same = last.get(message);
  if (same && same !== id) toast.remove(same);
  const added = add(message, {
    ...(id && { id }),
    ...(isStatic && { className: STATIC_CLASS }),
    ...(duration && { duration }),
  });
  if (typeof message === "string") last.set(message, added);
  return added;
}

export function removeToast(id: string): void {
  toast.dismiss(id);
}

/** List of current toasts, at most 20, newest first; timers pause on hover and focus. */
export function ToastList() {
  const durations = useLocation().pathname.startsWith("/admin") ? ADMIN_DURATIONS : SHOP_DURATIONS;
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
      {toasts.map((item) => (
        <li key={item.id} className={className(item)}>
          <ToastBody kind={item.type} message={resolveValue(item.message, item) ?? ""} />
        </li>
      ))}
    </ul>
  );
}

function className({ visible, type, className: staticClass }: Toast): string {
  return ["toast", `toast-${type}`, staticClass, !visible && "toast-gone"].filter(Boolean).join(" ");
}
