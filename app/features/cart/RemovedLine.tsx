import { useRouteLoaderData } from "@remix-run/react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { CartForm } from "./CartForm";
import { CART_PATH } from "./optimistic";

/** Result of a form, with the one that undoes it. */
interface Result {
  message: string;
  undo?: { action: string; intent: string; id: string; fields?: Record<string, string> } | undefined;
}

/** Result of the latest form that a script has sent; undefined before the first one. */
let latest: Result | null | undefined;
const listeners = new Set<() => void>();

/** Keeps the result of a form in view where it can be undone. @param result null for none */
export function reportRemoval(result: Result | null): void {
  latest = result;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Line in place of what was removed, with a button that puts it back; it stays until the cart is changed or closed. */
export function RemovedLine() {
  const flashed = useRouteLoaderData("root") as { toast: Result | null } | undefined;
  const reported = useSyncExternalStore(
    subscribe,
    () => latest,
    () => undefined,
  );
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawer = line.current?.closest("dialog");
    const forget = () => reportRemoval(null);
    drawer?.addEventListener("close", forget);
    return () => drawer?.removeEventListener("close", forget);
  }, []);
  const { message, undo } = (reported === undefined ? flashed?.toast : reported) ?? {};
  return (
    <div className="cart-removed" role="status" ref={line}>
      {undo?.action === CART_PATH && (
        <>
          {message}
          <CartForm intent={undo.intent} id={undo.id} fields={{ ...undo.fields, quietly: "1" }}>
            <button type="submit" className="link">
              Undo
            </button>
          </CartForm>
        </>
      )}
    </div>
  );
}
