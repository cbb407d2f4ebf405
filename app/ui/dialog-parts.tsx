import { useLocation } from "@remix-run/react";
import { type RefObject, type SyntheticEvent, useEffect, useLayoutEffect, useRef } from "react";
import { Link, useNavigate } from "~/ui/navigation";
import { Icon } from "./Icon";
import { INVALID_FIELD } from "./invalid-field";

/** Layout effect in the browser only: React warns about layout effects on the server. */
const useEarlyEffect = import.meta.env.SSR ? useEffect : useLayoutEffect;

/** Initial focus in a dialog, by priority: invalid field, error message, marked element, first input. */
const INITIAL_FOCUS = [
  INVALID_FIELD,
  ".form-error",
  "[data-first]",
  ".form input:enabled:not([type=hidden])",
];
/** Focus after a dialog closes without an opener on its page, by priority. */
const FALLBACK_FOCUS = [".table-scroll", "#main"];

interface ModalOptions {
  /** URL that Escape leads to. */
  back: string;
  /** Action data of the form: new data sets the focus again. */
  actionData?: unknown;
  /** Keeps the dialog open while its form is being sent. */
  isBusy?: boolean;
}

/**
 * Makes a dialog that the server rendered open modal. When it closes, the focus returns to the link that leads to it.
 *
 * @returns props of the dialog element
 */
export function useModal({ back, actionData, isBusy = false }: ModalOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useShowModal(dialog);
  useEarlyEffect(() => {
    const element = dialog.current;
    // The focused control is inert while the dialog is busy.
    if (isBusy) return element?.focus({ preventScroll: true });
    if (element) firstMatch(element, INITIAL_FOCUS)?.focus();
  }, [actionData, isBusy]);
  return {
    ref: dialog,
    // While it is busy, only the dialog itself can be focused and scrolled by keyboard.
    tabIndex: isBusy ? 0 : -1,
    onCancel(event: SyntheticEvent) {
      // A cancelled file picker fires the event too.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      if (!isBusy) navigate(back, { replace: true, preventScrollReset: true });
    },
    onClose() {
      // A second Escape closes a dialog even if the first was prevented.
      if (isBusy) dialog.current?.showModal();
    },
  };
}

function useShowModal(dialog: RefObject<HTMLDialogElement>): void {
  const { pathname, search } = useLocation();
  const url = useRef(pathname + search);
  useEarlyEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.matches(":modal")) {
      element.close();
      element.showModal();
    }
    return () => {
      // Removing an open dialog would lose the focus.
      element.close();
      requestAnimationFrame(() => returnFocus(url.current));
    };
  }, [dialog]);
}

/** Focuses the link that leads to a closed dialog, unless the focus is elsewhere. */
function returnFocus(url: string): void {
  if (document.activeElement !== document.body) return;
  const links = [...document.querySelectorAll<HTMLElement>("a[href]")];
  const opener = links.find((link) => link.getAttribute("href") === url);
  (opener ?? firstMatch(document, FALLBACK_FOCUS))?.focus();
}

/** Finds the element of the first selector that has one. */
function firstMatch(root: Document | HTMLElement, selectors: string[]): HTMLElement | undefined {
  return selectors.flatMap((selector) => root.querySelector<HTMLElement>(selector) ?? [])[0];
}

interface CancelLinkProps {
  /** URL without the dialog. */
  back: string;
  isBusy: boolean;
  label?: string;
}

/** Link that closes a dialog with a URL of its own. */
export function CancelLink({ back, isBusy, label = "Cancel" }: CancelLinkProps) {
  if (isBusy)
    return (
      <button type="button" className="btn" disabled>
        {label}
      </button>
    );
  return (
    <Link className="btn" to={back} replace preventScrollReset>
      {label}
    </Link>
  );
}

interface DialogHeadProps {
  title: string;
  /** URL without the dialog. */
  back: string;
  isBusy?: boolean;
}

/** Header of a dialog with a URL of its own: title and close link. */
export function DialogHead({ title, back, isBusy = false }: DialogHeadProps) {
  const icon = <Icon name="x" />;
  return (
    <header>
      <h2 id="dialog-title">{title}</h2>
      {isBusy ? (
        <button type="button" className="tool-button" aria-label="Close" disabled>
          {icon}
        </button>
      ) : (
        <Link
          className="tool-button"
          to={back}
          replace
          preventScrollReset
          aria-label="Close"
          title="Close (Esc)"
        >
          {icon}
        </Link>
      )}
    </header>
  );
}
