import { useLocation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import type { ToastKind, ToastMessage, ToastOptions } from "./ToastBody";

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
