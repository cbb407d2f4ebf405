import { useLocation } from "@remix-run/react";
import {
  type MutableRefObject,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useBackCloses } from "~/ui/back-closes";
import { listen } from "~/ui/listen";
import { storePanelView } from "../client/panel-storage";
import { type PanelView, storedChat, storedPanelView } from "../client/storage";
import { storedText } from "../client/unsent";

/** Screens on which the open panel covers the page; on wider ones it is beside it, as in chat.css. */
const COVERED = "(max-width: 63.99rem)";

/**
 * Part that takes the focus when the panel is drawn: the reader opened it, or started a chat from its field; a restored
 * panel leaves the focus where it is.
 */
export type Focus = "panel" | "field" | null;

/**
 * Holds the view of the panel. Where the open panel covers the page, the page is out of reach, the browser's Back closes the
 * panel, and it is minimised on the next page.
 *
 * @param opener receives the element that has the focus when the panel opens
 */
export function useView(opener: MutableRefObject<Element | null>) {
  const [view, set] = useState(firstView);
  const takesFocus = useRef<Focus>(null);
  const setView = useCallback(
    (next: PanelView) => {
      // The panel replaces a dialog that opened it; closing the dialog moves the focus to the dialog's opener.
      if (next === "open")
        for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
      const focused = document.activeElement;
      // The controls of panel and bar leave with them.
      if (next === "open" && !focused?.closest(".chat,.chat-bar")) opener.current = focused;
      takesFocus.current = "panel";
      storePanelView(next);
      set(next);
    },
    [opener],
  );
  useMinimisedOnNavigation(set);
  const isOverPage = useSyncExternalStore(onCoveredChange, isCovered) && view === "open";
  const close = useCallback(() => setView("closed"), [setView]);
  useBackCloses(isOverPage, close);
  usePageOutOfReach(isOverPage);
  const showPage = () => isCovered() && setView("bar");
  return { view, setView, takesFocus, showPage };
}

/** Returns the view of this tab's previous page, minimised where it covers the page. */
const firstView = () => onNextPage(storedPanelView());

/** Detects a screen on which the open panel covers the page. */
const isCovered = () => matchMedia(COVERED).matches;

const onCoveredChange = (update: () => void) => listen(matchMedia(COVERED), ["change"], update);

/** Makes the page behind the panel inert. */
function usePageOutOfReach(isOverPage: boolean): void {
  // Before the browser draws, so that what shows the page again can focus it at once.
  useLayoutEffect(() => {
    if (!isOverPage) return;
    const behind = [...document.body.children].filter(
      (part) => !part.matches(".toasts, .offline") && !part.querySelector(".chat"),
    );
    for (const part of behind) part.toggleAttribute("inert", true);
    return () => {
      for (const part of behind) part.removeAttribute("inert");
    };
  }, [isOverPage]);
}

/** Returns the view of the panel on the next page: no longer over it, and no bar of a conversation that has not begun. */
function onNextPage(view: PanelView): PanelView {
  if (view === "open" && !isCovered()) return view;
  return view !== "closed" && (storedChat() || storedText("").draft) ? "bar" : "closed";
}

function useMinimisedOnNavigation(set: (update: (view: PanelView) => PanelView) => void): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    set(onNextPage);
  }, [pathname, set]);
}

/** Returns the focus to the opener, or else to the button, when the panel closes. */
export function useFocusReturn(view: PanelView, button: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  const previous = useRef(view);
  useEffect(() => {
    const hasClosed = view === "closed" && previous.current !== "closed";
    previous.current = view;
    const candidates = hasClosed ? [opener.current, button.current] : [];
    const target = candidates.find((element) => element?.checkVisibility() && element !== document.body);
    if (target instanceof HTMLElement) target.focus();
  }, [view, button]);
  return opener;
}
