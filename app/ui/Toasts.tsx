import { useLocation, useNavigation } from "@remix-run/react";
import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { Icon } from "./Icon";

/** How long each kind stays, milliseconds (contract: Toasts). Default and custom: 4 s; loading until dismissed. */
const SHOP_DURATIONS = { success: 2000, error: 4000 };
const ADMIN_DURATIONS = { success: 3000, error: 5000 };

type List = typeof import("./toast-list");

/** The list is loaded with the first toast: most visits never see one. */
const loadList = (): Promise<List> => import("./toast-list");
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
  const list = await loadList();
  reveal?.(list);
  return list.showInList(kind, message, options);
}

/** Takes a toast away, such as a loading one whose work is done. */
export async function dismissToast(id: string): Promise<void> {
  (await loadList()).dismissInList(id);
}

/**
 * Where toasts appear. Stands on every page, so that screen readers hear what comes into it.
 *
 * @param children what stands there already
 */
export function Toasts({ children }: { children?: ReactNode }) {
  const [list, setList] = useState<List | null>(null);
  const admin = useLocation().pathname.startsWith("/admin");
  useEffect(() => {
    reveal = setList;
    return () => {
      reveal = undefined;
    };
  }, []);
  return (
    <div className="toasts" role="status">
      {children}
      {list && <list.ToastList durations={admin ? ADMIN_DURATIONS : SHOP_DURATIONS} />}
    </div>
  );
}

/** The kinds of the spec (section 4, Toasts). */
export type ToastKind = "blank" | "success" | "error" | "loading" | "custom";

/** What a toast says: text, or for a custom one what it shows. */
export type ToastMessage = string | ReactElement;

export interface ToastOptions {
  /** A toast with the same id is replaced: a loading one by its outcome. */
  id?: string;
  /** It stood on the page already and must not appear a second time. */
  still?: boolean;
  /** Milliseconds that it stays, in place of its kind's. */
  duration?: number;
}

/** One toast's looks. */
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

/**
 * Says in a toast, too, why a form was refused; the words stand above the form as well (spec 8). The toast goes when
 * the form is sent once more, and with the form.
 *
 * @param refused what the page's action answered: another answer is another toast, even in the same words
 */
export function useFailureToast(refused: { failure: string | null } | undefined): void {
  const idle = useNavigation().state === "idle";
  useEffect(() => {
    if (!idle || !refused?.failure) return;
    const shown = showToast("error", refused.failure);
    return () => void shown.then(dismissToast);
  }, [refused, idle]);
}
