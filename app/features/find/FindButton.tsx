import { type ComponentType, type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { Link, useNavigate } from "~/ui/navigation";
import { isPlainClick } from "~/ui/plain-click";
import type { FindDialogProps } from "./FindDialog";
import { FIND_PATH, findUrl } from "./hits";

/** Opens the search, with Ctrl K (Cmd K) too. The dialog's code loads then; without JavaScript it is a page. */
export function FindButton() {
  const [isOpen, setOpen] = useState(false);
  const keys = useTypedKeys();
  const Dialog = useFindDialog(isOpen, keys.take);
  const { begin } = keys;
  const open = useCallback(() => {
    begin();
    setOpen(true);
  }, [begin]);
  useOpeningKey(open);
  const openHere = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    open();
  };
  return (
    <>
      <Link
        className="btn find-button"
        to={FIND_PATH}
        title="Find anything ( Ctrl K )"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openHere}
      >
        <Icon name="search" className="i s" />
        <span>Find anything</span>
        <kbd className="needs-script">Ctrl K</kbd>
      </Link>
      {isOpen && Dialog && <Dialog takeTyped={keys.take} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Calls a function on Ctrl K and Cmd K, unless a dialog is open, whose form could be lost. */
function useOpeningKey(open: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
      const isKey = key.toLowerCase() === "k" && ctrlKey !== metaKey && !altKey && !shiftKey;
      if (!isKey || defaultPrevented || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      open();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [open]);
}

/** Keeps the keys that are typed between the opening of the search and the moment in which its field has the focus. */
function useTypedKeys() {
  const text = useRef("");
  const onKey = useCallback((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || (key.length > 1 && key !== "Backspace")) return;
    event.preventDefault();
    event.stopPropagation();
    text.current = key === "Backspace" ? text.current.slice(0, -1) : text.current + key;
  }, []);
  const begin = useCallback(() => {
    text.current = "";
    window.addEventListener("keydown", onKey, true);
  }, [onKey]);
  const take = useCallback(() => {
    window.removeEventListener("keydown", onKey, true);
    return text.current;
  }, [onKey]);
  useEffect(() => () => void take(), [take]);
  return { begin, take };
}

type FindDialog = ComponentType<FindDialogProps>;

/** Loads the dialog when it is first opened. Where it does not load, the page opens, with what was typed. */
function useFindDialog(isOpen: boolean, takeTyped: () => string): FindDialog | null {
  const [Dialog, setDialog] = useState<FindDialog | null>(null);
  const navigate = useNavigate();
  const isLoading = isOpen && Dialog === null;
  useEffect(() => {
    if (!isLoading) return;
    import("./FindDialog").then(
      (loaded) => setDialog(() => loaded.FindDialog),
      () => navigate(findUrl(takeTyped().trim())),
    );
  }, [isLoading, takeTyped, navigate]);
  return Dialog;
}
