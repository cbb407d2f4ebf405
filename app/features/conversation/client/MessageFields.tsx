import { type ChangeEvent, type KeyboardEvent, type MouseEvent, useRef } from "react";
import { MAX_MESSAGE } from "~/features/chat/limits";
import { ACCEPTED_TYPES, formatSize } from "~/features/storage/files";
import { isComposing } from "~/ui/composition";
import { usePreselectedFiles } from "~/ui/file-input";
import { Icon } from "~/ui/Icon";
import { FilePreview } from "../message-parts";
import type { Attachment, Attachments } from "./useAttachments";

/** Files of a message form: those that are attached, and the buttons that attach more. */
export function AttachmentFields({ items, add, remove }: Pick<Attachments, "items" | "add" | "remove">) {
  return (
    <>
      <AttachmentTray items={items} remove={remove} />
      <AttachButtons add={add} />
    </>
  );
}

/**
 * Buttons of the message form that choose files or take a picture. Without JavaScript the file field is an ordinary one,
 * sent with the form.
 */
function AttachButtons({ add }: Pick<Attachments, "add">) {
  const input = usePreselectedFiles(add);
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void add([...(currentTarget.files ?? [])]);
    currentTarget.value = "";
  };
  return (
    <span className="attach">
      <label className="attach-button">
        <Icon name="paperclip" />
        <input
          ref={input}
          type="file"
          name="files"
          multiple
          accept={ACCEPTED_TYPES}
          aria-label="Attach pictures or PDF"
          onChange={onChange}
        />
      </label>
      <label className="attach-button attach-camera needs-script">
        <Icon name="camera" />
        <input
          type="file"
          accept="image/*"
          capture="environment"
          aria-label="Take a picture"
          onChange={onChange}
        />
      </label>
    </span>
  );
}

/** Files chosen for the next message, each with its preview and a button that removes it. */
function AttachmentTray({ items, remove }: Pick<Attachments, "items" | "remove">) {
  const list = useRef<HTMLUListElement>(null);
  const removeAt = (id: string, position: number) => {
    const form = list.current?.closest("form");
    remove(id);
    requestAnimationFrame(() => {
      const buttons = form?.querySelectorAll<HTMLElement>(".attachments button") ?? [];
      const next = buttons[Math.min(position, buttons.length - 1)] ?? form?.querySelector("textarea");
      next?.focus();
    });
  };
  return (
    <>
      {items.length > 0 && (
        <ul className="attachments" aria-label="Attached files" ref={list}>
          {items.map((item, position) => (
            <TrayItem key={item.id} item={item} onRemove={() => removeAt(item.id, position)} />
          ))}
        </ul>
      )}
      <span className="visually-hidden" role="status">
        {items.length > 0 && `${items.length} ${items.length === 1 ? "file" : "files"} attached`}
      </span>
    </>
  );
}

function TrayItem({ item: { file }, onRemove }: { item: Attachment; onRemove: () => void }) {
  return (
    <li>
      <FilePreview file={file} />
      <span className="attachment-name">
        {file.name}
        <small>{formatSize(file.size)}</small>
      </span>
      <button type="button" aria-label={`Remove ${file.name}`} onClick={onRemove}>
        <Icon name="x" />
      </button>
    </li>
  );
}

/** Characters left from which the count is displayed, and the steps in which it is read aloud. */
const DISPLAY_FROM = 200;
const ANNOUNCE_STEP = 50;

/** Counts the characters left like the server, an emoji as one; negative for a text that is too long. */
export const charactersLeft = (text: string) => MAX_MESSAGE - [...text.trim()].length;

/** Displays the characters left near the limit of a message, and the excess beyond it. */
export function CharactersLeft({ left }: { left: number }) {
  const isOver = left < 0;
  return (
    <>
      {left <= DISPLAY_FROM && (
        <p className={isOver ? "count-left over" : "count-left"} aria-hidden="true">
          {isOver
            ? `${-left} ${left === -1 ? "character" : "characters"} too many`
            : `Characters left: ${left}`}
        </p>
      )}
      <span className="visually-hidden" role="status">
        {left <= DISPLAY_FROM &&
          (isOver
            ? "The message is too long"
            : `Characters left: ${Math.ceil(left / ANNOUNCE_STEP) * ANNOUNCE_STEP}`)}
      </span>
    </>
  );
}

/** Keeps the focus in the message field when a button of its form is pressed, so that a phone's keyboard stays. */
export const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Submits the field's form on Enter; Shift+Enter starts a new line. */
export function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== "Enter" || event.shiftKey || isComposing(event.nativeEvent)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
