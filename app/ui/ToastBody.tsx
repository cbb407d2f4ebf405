import type { ReactElement } from "react";
import { Icon } from "./Icon";

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
