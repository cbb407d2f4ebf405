import { type ClipboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { newClientId } from "~/features/chat/client-id";
import { FILE_COUNT_LIMIT, MAX_FILE_BYTES, MAX_FILES } from "~/features/storage/files";
import { useLatest } from "~/ui/latest";
import { showToast } from "~/ui/Toasts";
import { canKeepFiles, forgetFiles, type KeptFile, keepFile, readKeptFiles } from "./unsent";

/** File that was chosen and is not sent yet, with the client id of its message. */
export type Attachment = Pick<KeptFile, "id" | "file">;

/** Files chosen for the next message. */
export type Attachments = ReturnType<typeof useAttachments>;

/**
 * Holds the files chosen for the next message, from the file field, the clipboard or a drop on the conversation. They
 * survive the page.
 *
 * @param conversation "" for one that has not started
 */
export function useAttachments(conversation: string) {
  const [items, setItems] = useKeptAttachments(conversation);
  const count = useRef(0);
  count.current = items.length;
  const add = async (files: File[]) => {
    const free = MAX_FILES - count.current;
    if (files.length > free) showToast("error", FILE_COUNT_LIMIT);
    const problems = await prepareFiles(files.slice(0, Math.max(0, free)), (file) => {
      const item = { id: newClientId(), file };
      setItems((current) => [...current, item].slice(0, MAX_FILES));
      void keepFile(conversation, { ...item, state: "attached" });
    });
    if (problems) showToast("error", problems);
  };
  const remove = (id: string) => {
    setItems((current) => current.filter((item) => item.id !== id));
    void forgetFiles(conversation, [id]);
  };
  useLeaveWarning(items.length > 0);
  /** Puts back files that were taken and not sent. */
  const restore = setItems;
  /** Returns the files to send and empties the list. */
  const take = () => {
    setItems([]);
    return items;
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

/** Holds the attached files, at first those of an earlier page. */
function useKeptAttachments(conversation: string) {
  const [items, setItems] = useState<Attachment[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void readKeptFiles(conversation).then((kept) => {
      const attached = kept.filter(({ state }) => state === "attached");
      if (isCurrent && attached.length > 0)
        setItems((current) => [...attached, ...current].slice(0, MAX_FILES));
    });
    return () => {
      isCurrent = false;
    };
  }, [conversation]);
  return [items, setItems] as const;
}

/** Lets the browser ask before the page is left while files wait that it does not keep. */
export function useLeaveWarning(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!canKeepFiles()) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isWaiting]);
}

/** Accepts files that are dropped anywhere on the conversation. @param form whose conversation it is */
export function useDropZone(form: RefObject<HTMLElement>, add: (files: File[]) => unknown): void {
  const latest = useLatest(add);
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
  }, [form, latest]);
}

/** Types that the server stores; it also judges files whose type the browser does not know. */
const STORED_TYPES = /^(?:image\/(?:jpeg|png|webp|gif)|application\/pdf|)$/;
/** Pictures that this browser may be able to convert; a GIF would lose its animation. */
const CONVERTIBLE = /^image\/(?!svg|gif)/;
/** Largest side of a picture that the browser converts, px, and its JPEG quality. */
const MAX_SIDE = 2048;
const JPEG_QUALITY = 0.85;

/** Makes files ready for their upload, one after the other. @returns messages about those that can't be sent */
async function prepareFiles(files: File[], onReady: (file: File) => void): Promise<string> {
  const problems: string[] = [];
  for (const chosen of files)
    await prepareFile(chosen).then(onReady, (error: unknown) =>
      problems.push(error instanceof Error ? error.message : String(error)),
    );
  return problems.join(" ");
}

/**
 * Makes a chosen file ready for its upload: pictures that the server cannot decode (HEIC) or that are too large become
 * JPEG, if the browser can decode them.
 *
 * @throws Error with the message for the user
 */
async function prepareFile(file: File): Promise<File> {
  const isHeic = /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
  const isStored = !isHeic && STORED_TYPES.test(file.type);
  if (isStored && file.size <= MAX_FILE_BYTES) return file;
  const isConvertible = isHeic || CONVERTIBLE.test(file.type);
  const converted = isConvertible ? await toJpeg(file).catch(() => null) : null;
  if (converted && converted.size <= MAX_FILE_BYTES) return converted;
  if (isHeic) throw new Error(`${file.name}: this browser can’t open HEIC. Save it as JPEG and add that.`);
  if (isStored) throw new Error(`${file.name} is larger than 10 MB.`);
  throw new Error(`${file.name} can't be sent. Pictures and PDF only.`);
}

async function toJpeg(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The picture could not be drawn.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", JPEG_QUALITY),
  );
  if (!blob) throw new Error("The picture could not be converted.");
  return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
}
