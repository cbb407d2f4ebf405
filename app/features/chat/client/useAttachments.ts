import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { FILE_COUNT_LIMIT, MAX_FILES } from "../files";
import { newMessageId } from "./api";
import { prepareFile } from "./prepare-file";

/** File that was chosen and is not sent yet. */
export interface Attachment {
  id: string;
  file: File;
}

/** Files chosen for the next message. */
export type Attachments = ReturnType<typeof useAttachments>;

/** Holds the files chosen for the next message, from the file field, the clipboard or a drop on the conversation. */
export function useAttachments() {
  const [items, setItems] = useState<Attachment[]>([]);
  const count = useRef(0);
  count.current = items.length;
  const add = async (files: File[]) => {
    const free = MAX_FILES - count.current;
    if (files.length > free) showToast("error", FILE_COUNT_LIMIT);
    for (const chosen of files.slice(0, Math.max(0, free))) {
      try {
        const file = await prepareFile(chosen);
        setItems((current) => [...current, { id: newMessageId(), file }].slice(0, MAX_FILES));
      } catch (error) {
        showToast("error", error instanceof Error ? error.message : String(error));
      }
    }
  };
  const remove = (id: string) => setItems((current) => current.filter((item) => item.id !== id));
  useLeaveWarning(items.length > 0);
  /** Puts back files that were taken and not sent. */
  const restore = (files: File[]) => setItems(files.map((file) => ({ id: newMessageId(), file })));
  /** Returns the files to send and empties the list. */
  const take = () => {
    setItems([]);
    return items.map(({ file }) => file);
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    const { types } = event.clipboardData;
    // Text processors copy a picture of the text beside the text.
    const isText = types.includes("text/plain") && types.includes("text/html");
    if (files.length === 0 || isText) return;
    event.preventDefault();
    void add(files);
  };
  return { items, add, remove, take, restore, onPaste };
}

/** Lets the browser ask before the page is left while files wait, which a reload would lose. */
export function useLeaveWarning(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isWaiting]);
}

/** Accepts files that are dropped anywhere on the conversation. @param form whose conversation it is */
export function useDropZone(form: RefObject<HTMLElement>, add: (files: File[]) => unknown): void {
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const zone = form.current?.closest<HTMLElement>(".chat, .chat-embedded, .conversation");
    if (!zone) return;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    const mark = (isOver: boolean) => zone.toggleAttribute("data-drop", isOver);
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const onDragOver = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      mark(true);
    };
    const onDrop = (event: DragEvent) => {
      mark(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && zone.contains(relatedTarget))) mark(false);
    };
    zone.addEventListener("dragover", onDragOver, options);
    zone.addEventListener("drop", onDrop, options);
    zone.addEventListener("dragleave", onDragLeave, options);
    return () => listening.abort();
  }, [form]);
}
