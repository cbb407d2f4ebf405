import { useLocation, useNavigate } from "@remix-run/react";
import { type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from "react";

/** React would warn of layout effects on the server, which runs none. */
const useEarlyEffect = import.meta.env.SSR ? useEffect : useLayoutEffect;

/** What takes the focus in a dialog: what is wrong, why it was refused, what asks for it, or the first thing to fill in. */
const FIRST = [
  '[aria-invalid="true"]:not([hidden])',
  ".form-error",
  "[data-first]",
  ".form input:enabled:not([type=hidden])",
];
/** What takes it when a dialog goes that nothing on its page has opened. */
const BENEATH = [".table-scroll", "#main"];

interface ModalOptions {
  /** Where Escape leads. */
  back: string;
  /** What its form was answered: another answer looks anew for what is wrong. */
  answer?: unknown;
  /** What its form asked for is being done: until then it stays. */
  isBusy?: boolean;
}

/**
 * Makes a dialog that is an address, so that it stands open in the HTML, a modal one. When it goes, the focus returns
 * to what opened it; after a reload, to what would have.
 *
 * @returns what the dialog's element has
 */
export function useModal({ back, answer, isBusy = false }: ModalOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useShown(dialog);
  useEarlyEffect(() => {
    const shown = dialog.current;
    // What had the focus is out of reach for as long as it is busy.
    if (isBusy) return shown?.focus({ preventScroll: true });
    FIRST.map((selector) => shown?.querySelector<HTMLElement>(selector))
      .find(Boolean)
      ?.focus();
  }, [answer, isBusy]);
  return {
    ref: dialog,
    // Nothing else in it takes the focus while it is busy, and it may be too long for the screen.
    tabIndex: isBusy ? 0 : -1,
    onCancel(event: SyntheticEvent) {
      // So does a file picker within it that is left again.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isBusy) navigate(back, { replace: true, preventScrollReset: true });
    },
    onClose() {
      // A second Escape closes a dialog whatever is done about the first.
      if (isBusy) dialog.current?.showModal();
    },
  };
}

function useShown(dialog: RefObject<HTMLDialogElement>): void {
  const { pathname, search } = useLocation();
  const address = useRef(pathname + search);
  useEarlyEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    if (!shown.matches(":modal")) {
      shown.close();
      shown.showModal();
    }
    return () => {
      // Taken out of the page as it is, it would leave the focus nowhere.
      shown.close();
      requestAnimationFrame(() => returnFocus(address.current));
    };
  }, [dialog]);
}

/**
 * The focus goes to the link that leads to a dialog, where it would else be nowhere.
 *
 * @param address of the dialog that has gone
 */
function returnFocus(address: string): void {
  if (document.activeElement !== document.body) return;
  const links = [...document.querySelectorAll<HTMLElement>("a[href]")];
  const opener = links.find((link) => link.getAttribute("href") === address);
  const beneath = BENEATH.map((selector) => document.querySelector<HTMLElement>(selector)).find(Boolean);
  (opener ?? beneath)?.focus();
}
