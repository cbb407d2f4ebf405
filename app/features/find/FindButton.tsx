import { type ComponentType, type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { Link, useNavigate } from "~/ui/navigation";
import type { FindDialogProps } from "./FindDialog";
import { FIND_PATH, findUrl } from "./hits";

/** Opens the search, with Ctrl K (Cmd K) too. The dialog's code loads then; without JavaScript it is a page. */
export function FindButton() {
  const [isOpen, setOpen] = useState(false);
  const { Dialog, typed } = useFindDialog(isOpen);
  const open = useCallback(() => {
    typed.current = "";
    setOpen(true);
  }, [typed]);
  useOpeningKey(open);
  const openHere = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
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
      {isOpen && Dialog && <Dialog typed={typed} onClose={() => setOpen(false)} />}
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

type FindDialog = ComponentType<FindDialogProps>;

/** Loads the dialog; keys that are typed meanwhile are kept for its field. Where it does not load, the page opens. */
function useFindDialog(isOpen: boolean) {
  const [Dialog, setDialog] = useState<FindDialog | null>(null);
  const navigate = useNavigate();
  const typed = useRef("");
  const isLoading = isOpen && Dialog === null;
  useEffect(() => {
    if (!isLoading) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || (key.length > 1 && key !== "Backspace")) return;
      event.preventDefault();
      event.stopPropagation();
      typed.current = key === "Backspace" ? typed.current.slice(0, -1) : typed.current + key;
    };
    window.addEventListener("keydown", onKey, true);
    import("./FindDialog").then(
      (loaded) => setDialog(() => loaded.FindDialog),
      () => navigate(findUrl(typed.current.trim())),
    );
    return () => window.removeEventListener("keydown", onKey, true);
  }, [isLoading, navigate]);
  return { Dialog, typed };
}
