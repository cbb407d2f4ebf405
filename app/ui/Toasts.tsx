import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { Icon } from "./Icon";

type List = typeof import("./toast-list");

/** The list, which the first toast loads: most visits never show one. Those who wait for it are served in their order. */
let loaded: Promise<List | null> | undefined;
let revealPlain: ((toast: PlainToast) => void) | undefined;
let reveal: ((list: List) => void) | undefined;

/**
 * Shows a toast at the top right, from anywhere in the browser.
 *
 * @returns its id, for `dismissToast` or to replace it
 */
export async function showToast(
  kind: ToastKind,
  message: ToastMessage,
  options: ToastOptions = {},
): Promise<string> {
  loaded ??= import("./toast-list").catch(() => null);
  const list = await loaded;
  if (!list) {
    // Offline, before the list was ever loaded; the next toast tries again.
    loaded = undefined;
    revealPlain?.({ kind, message });
    return "";
  }
  reveal?.(list);
  return list.addToast(kind, message, options);
}

/** Takes a toast away, also one that still waits for the list. @param id of the toast, or the subject of the last one about it */
export function dismissToast(id: string): void {
  void loaded?.then((list) => list?.removeToast(id));
}

/** Live region for toasts. It is on every page, so that screen readers announce its changes. */
export function Toasts({ children }: { children?: ReactNode }) {
  const [list, setList] = useState<List | null>(null);
  const [plain, setPlain] = useState<PlainToast | null>(null);
  useEffect(() => {
    reveal = setList;
    revealPlain = setPlain;
    return () => {
      reveal = undefined;
      revealPlain = undefined;
    };
  }, []);
  return (
    <div className="toasts" role="status">
      {children}
      {list && <list.ToastList />}
      {plain && !list && (
        <div className="toast-list" ref={raise} key={String(plain.message)}>
          <p className={`toast toast-${plain.kind}`}>
            <ToastBody {...plain} />
          </p>
        </div>
      )}
    </div>
  );
}

/** Shows an element above a modal dialog: a popover that opens later lies above it. */
export function raise(element: HTMLElement | null): void {
  if (!element?.showPopover) return;
  element.popover = "manual";
  if (element.matches(":popover-open")) element.hidePopover();
  element.showPopover();
}

interface PlainToast {
  kind: ToastKind;
  message: ToastMessage;
}

export type ToastKind = "blank" | "success" | "error" | "loading" | "custom";

/** Content of a toast: text, or an element for a custom one. */
export type ToastMessage = string | ReactElement;

export interface ToastOptions {
  /** Replaces the toast with the same id, such as a loading one by its result. */
  id?: string;
  /** Replaces the last toast about the same, such as an error by the success after it. */
  subject?: string;
  /** Skips the animation of a toast that was already in the HTML. */
  isStatic?: boolean;
  /** Milliseconds, instead of the kind's duration. */
  duration?: number;
}

export function ToastBody({ kind, message }: { kind: ToastKind; message: ToastMessage }) {
  return (
    <>
      {kind === "success" && <Icon name="badge-check" />}
      {kind === "error" && <Icon name="circle-alert" />}
      {kind === "loading" && <span className="spinner" aria-hidden="true" />}
      <span>{message}</span>
    </>
  );
}

export interface StatusProps {
  message: string | null | undefined;
  kind?: ToastKind;
  /** Data that the message came with, such as the action's: new data shows the message again, even with the same text. */
  answer?: unknown;
}

/** Result of a form, for use inside a live region. */
export function StaticToast({ message, kind = "error", answer = message }: StatusProps) {
  const [converted, setConverted] = useState<unknown>(null);
  useEffect(() => {
    if (!message) return;
    let isMounted = true;
    const toast = showToast(kind, message, { isStatic: true });
    toast.then(() => isMounted && setConverted(answer));
    return () => {
      isMounted = false;
      // The form was sent again, or its page left.
      if (kind === "error") toast.then(dismissToast);
    };
  }, [answer, message, kind]);
  if (!message || converted === answer) return null;
  return (
    <p className={`toast toast-${kind}`}>
      <ToastBody kind={kind} message={message} />
    </p>
  );
}
