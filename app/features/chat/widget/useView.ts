import { useLocation } from "@remix-run/react";
import { type MutableRefObject, useCallback, useEffect, useRef, useState } from "react";
import { useBackCloses } from "~/ui/hooks";
import { type PanelView, storedPanelView, storePanelView } from "../client/storage";

/** Screens on which the open panel covers the page; on wider ones it is beside it, as in chat.css. */
const COVERED = "(max-width: 63.99rem)";

/**
 * Part that takes the focus when the panel is drawn: the reader opened it, or started a chat from its field; a restored
 * panel leaves the focus where it is.
 */
export type Focus = "panel" | "field" | null;

/**
 * Holds the view of the panel. Where the open panel covers the page, the browser's Back closes it, and it is minimised on the
 * next page.
 *
 * @param opener receives the element that has the focus when the panel opens
 */
export function useView(opener: MutableRefObject<Element | null>) {
  const [view, set] = useState(firstView);
  const takesFocus = useRef<Focus>(null);
  const isOpen = useRef(view !== "closed");
  const setView = useCallback(
    (next: PanelView) => {
      // The panel replaces a dialog that opened it; closing the dialog moves the focus to the dialog's opener.
      if (next === "open")
        for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
      if (!isOpen.current) opener.current = document.activeElement;
      isOpen.current = next !== "closed";
      takesFocus.current = "panel";
      storePanelView(next);
      set(next);
    },
    [opener],
  );
  useMinimisedOnNavigation(set);
  useBackCloses(view === "open" && isCovered(), () => setView("closed"));
  const showPage = () => isCovered() && setView("bar");
  return { view, setView, takesFocus, showPage };
}

/** Returns the view of this tab's previous page, minimised where it covers the page. */
const firstView = () => uncovered(storedPanelView());

/** Detects a screen on which the open panel covers the page. */
const isCovered = () => matchMedia(COVERED).matches;

const uncovered = (view: PanelView): PanelView => (view === "open" && isCovered() ? "bar" : view);

function useMinimisedOnNavigation(set: (update: (view: PanelView) => PanelView) => void): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    set(uncovered);
  }, [pathname, set]);
}
