import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import toast, { resolveValue, type Toast, useToaster } from "react-hot-toast/headless";
import { raise, ToastBody, type ToastKind, type ToastMessage, type ToastOptions } from "./Toasts";

const STATIC_CLASS = "toast-still";
/** Milliseconds by kind; other kinds last DURATION, loading toasts until they are dismissed. */
const SHOP_DURATIONS = { success: 2000, error: 4000 };
const ADMIN_DURATIONS = { success: 3000, error: 5000 };
/** Milliseconds of the other kinds. */
const DURATION = 4000;
/** Milliseconds of the fade-out. */
const FADE = 250;

/** Ids of the last toasts by message and by subject. */
const last = new Map<ToastMessage, string>();

/** Adds a toast in place of those with the same message or about the same subject. @returns its id */
export function addToast(
  kind: ToastKind,
  message: ToastMessage,
  { id, isStatic, duration, subject }: ToastOptions,
): string {
  const add = kind === "blank" ? toast : toast[kind];
  const keys = subject === undefined ? [message] : [message, subject];
  for (const same of keys.map((key) => last.get(key))) if (same && same !== id) toast.remove(same);
  const added = add(message, {
    ...(id && { id }),
    ...(isStatic && { className: STATIC_CLASS }),
    ...(duration && { duration }),
  });
  for (const key of keys) if (typeof key === "string") last.set(key, added);
  return added;
}

/** Fades a toast out. @param id of the toast, or the subject of the last one about it */
export function removeToast(id: string): void {
  toast.dismiss(last.get(id) ?? id);
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
  useFreePlace(list, newest);
  // A toast that is removed under the mouse or with the focus fires no event that ends the pause.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the toasts, not of the pause
  useEffect(() => {
    if (!list.current?.querySelector("li:hover, li:focus-within")) handlers.endPause();
  }, [toasts]);
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

/** Selector of the parts of a page that toasts must not cover. */
const UNCOVERED =
  ".shop-header, .admin-header, .form-error, a[href], button, input, select, textarea, summary, h1, h2, .price-tag, .chat-asked, .chat-msg, [class*=total]";
/** Distance between the places that are tried, and between toasts and what they must not cover, px. */
const STEP = 4;

/**
 * Keeps the list where it covers no control, or the fewest: it moves for a new toast, and when the page changes, such as by
 * a panel that opens.
 *
 * @param newest id of the newest toast; undefined without any
 */
function useFreePlace(list: RefObject<HTMLElement>, newest: string | undefined): void {
  useLayoutEffect(() => {
    const { current } = list;
    if (!current || !newest || !document.querySelector(".shop-header, .admin-header")) return;
    let frame = 0;
    // Its buttons stay where they are about to be pressed.
    const move = () => current.matches(":hover, :focus-within") || moveToFreePlace(current);
    const place = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(move);
    };
    moveToFreePlace(current);
    const observer = new MutationObserver(place);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["inert", "open"] });
    window.addEventListener("resize", place);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener("resize", place);
    };
  }, [list, newest]);
}

/** Bar at the foot of a phone's page, above which toasts stand: higher up they would cover what is typed next. */
const FOOT = "[data-toasts-above]";
const PHONE = "(max-width: 47.99rem)";

/** Moves the list above the bar at the foot of the page, or to the highest place where it covers the fewest controls; over a modal dialog, its controls alone count. */
function moveToFreePlace(list: HTMLElement): void {
  const { left, right, top: currentTop, height } = list.getBoundingClientRect();
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const foot = window.matchMedia(PHONE).matches && !dialog && document.querySelector(FOOT);
  if (foot) {
    list.style.top = `${Math.max(STEP, foot.getBoundingClientRect().top - height - STEP)}px`;
    return;
  }
  const inFront = dialog ?? document;
  const uncovered = [...inFront.querySelectorAll(UNCOVERED)]
    .filter((part) => !part.closest("[inert], .toasts") && part.checkVisibility({ visibilityProperty: true }))
    .filter(isInSight)
    .map((part) => part.getBoundingClientRect())
    .filter((part) => part.left < right && part.right > left);
  const covered = (top: number) =>
    uncovered.filter((part) => part.bottom + STEP > top && part.top < top + height + STEP).length;
  if (list.style.top && covered(currentTop) === 0) return;
  let [best, least] = [STEP, Number.POSITIVE_INFINITY];
  for (let top = STEP; top + height < window.innerHeight && least > 0; top += STEP) {
    const count = covered(top);
    if (count < least) [best, least] = [top, count];
  }
  list.style.top = least === Number.POSITIVE_INFINITY ? "" : `${best}px`;
}

/** Tests whether the middle of a part is on the screen, under nothing but toasts, and not scrolled out of a list of its own. */
function isInSight(part: Element): boolean {
  const { left, top, width, height } = part.getBoundingClientRect();
  const onTop = document
    .elementsFromPoint(left + width / 2, top + height / 2)
    .find((element) => !element.closest(".toasts"));
  return part.contains(onTop ?? null);
}

function className({ visible, type, className: staticClass }: Toast): string {
  return ["toast", `toast-${type}`, staticClass, !visible && "toast-gone"].filter(Boolean).join(" ");
}
