import { useNavigate } from "@remix-run/react";
import { type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from "react";

/** React would warn of layout effects on the server, which runs none. */
const useEarlyEffect = import.meta.env.SSR ? useEffect : useLayoutEffect;

/** What takes the focus in a dialog that opens: what is wrong, what asks for it, or the first thing to fill in. */
const FIRST = ['[aria-invalid="true"]', "[data-first]", ".form input:enabled:not([type=hidden])"];

/**
 * Makes a dialog that is an address, so that it stands open in the HTML, a modal one. When it goes, the focus
 * returns to what opened it.
 *
 * @param answer what its form was answered: another answer looks anew for what is wrong
 */
export function useModal(answer?: unknown): RefObject<HTMLDialogElement> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEarlyEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    if (!shown.matches(":modal")) {
      shown.close();
      shown.showModal();
    }
    // Taken out of the page as it is, it would leave the focus nowhere.
    return () => shown.close();
  }, []);
  useEarlyEffect(() => {
    const shown = dialog.current;
    const first = FIRST.map((selector) => shown?.querySelector<HTMLElement>(selector)).find(Boolean);
    first?.focus();
  }, [answer]);
  return dialog;
}

/**
 * Makes Escape lead back.
 *
 * @param back where the dialog's closing leads
 */
export function useCancel(back: string) {
  const navigate = useNavigate();
  return (event: SyntheticEvent) => {
    event.preventDefault();
    navigate(back, { replace: true, preventScrollReset: true });
  };
}
