import { type KeyboardEvent, useEffect, useRef } from "react";
import { consoleUrl } from "~/features/chat/console-params";
import { ListField } from "~/features/chat/ListField";
import { MESSAGE_LIMIT } from "~/features/chat/limits";
import type { ChatNote } from "~/features/chat/protocol";
import { CharactersLeft, sendOnEnter } from "~/features/conversation/client/MessageFields";
import { fieldError, refusedFor, typedValue } from "~/records/form-state";
import { describedBy, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { ConsoleData } from "./page.server";
import { timeOfDay } from "./time-format";
import { useNote, type WrittenNote } from "./useNotes";

interface NoteBubbleProps {
  note: ChatNote;
  /** Heading above the first entry of a day. */
  day: string | null;
  timezone: string;
  /** The reader has written it. */
  isOwn: boolean;
  refused: RefusedForm | undefined;
  /** Receives the text of a change that is being typed, "" once it is sent. */
  onTyped: (note: ChatNote, text: string) => void;
}

/** Note in the stream of messages, which its author may change. */
export function NoteBubble({ note, day, timezone, isOwn, refused, onTyped }: NoteBubbleProps) {
  const { seconds } = note.timestamp;
  return (
    <>
      {day && <span className="message-day">{day}</span>}
      <div className="message note">
        <span className="message-author">
          <Icon name="lock" className="i s" />
          <b>{note.staffName}</b>
          <span>{note.editedAt ? "Note, for staff only, changed" : "Note, for staff only"}</span>
          <time dateTime={new Date(seconds * 1000).toISOString()}>{timeOfDay(seconds, timezone)}</time>
        </span>
        <p>{note.note}</p>
        {isOwn && <OwnNote note={note} refused={refused} onTyped={onTyped} />}
      </div>
    </>
  );
}

/**
 * Form that changes a note or takes it back; it stays open with what was typed when that is refused, and when the note has
 * changed in another tab.
 */
function OwnNote({ note: own, refused, onTyped }: Pick<NoteBubbleProps, "note" | "refused" | "onTyped">) {
  const { id, chatId, note } = own;
  const answer = refusedFor(refused, "changeNote", "removeNote");
  const answered = typedValue(answer, "noteId") === id ? answer : undefined;
  const error = fieldError(answered, "note");
  const field = `note-${id}`;
  const details = useSavedNote(note);
  return (
    <details className="own-note" open={answered !== undefined} ref={details}>
      <summary>Change</summary>
      <Form method="post" preventScrollReset onSubmit={() => onTyped(own, "")}>
        <input type="hidden" name="id" value={chatId} />
        <input type="hidden" name="chat" value={chatId} />
        <input type="hidden" name="noteId" value={id} />
        <ListField />
        <div className="field">
          <textarea
            className="input area"
            name="note"
            aria-label="Text of the note"
            rows={3}
            defaultValue={typedValue(answered, "note", answered ? "" : note)}
            onInput={({ currentTarget: { value } }) => onTyped(own, value === note ? "" : value)}
            {...describedBy(field, error)}
          />
          <FieldNotes id={field} error={error} />
        </div>
        <span className="button-row">
          <SubmitButton intent="changeNote" busy="Saving..." className="btn small primary">
            Save change
          </SubmitButton>
          <SubmitButton intent="removeNote" busy="Taking back..." className="btn small danger">
            Take back
          </SubmitButton>
        </span>
      </Form>
    </details>
  );
}

/** Closes the form of a note that has changed, unless something else was typed into it. */
function useSavedNote(note: string) {
  const details = useRef<HTMLDetailsElement>(null);
  const shown = useRef(note);
  useEffect(() => {
    const typed = details.current?.querySelector("textarea")?.value;
    if (note !== shown.current && (typed === shown.current || typed === note)) {
      details.current?.removeAttribute("open");
      details.current?.querySelector("form")?.reset();
    }
    shown.current = note;
  }, [note]);
  return details;
}

interface NoteToggleProps {
  chatId: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Button that opens and closes the form of a note. */
export function NoteToggle({ chatId, isOpen, onToggle }: NoteToggleProps) {
  return (
    <Form
      method="get"
      action="/admin/chat"
      onSubmit={(event) => {
        event.preventDefault();
        onToggle();
      }}
    >
      <input type="hidden" name="chat" value={chatId} />
      <button
        type="submit"
        className="btn quiet"
        name={isOpen ? undefined : "note"}
        value="1"
        aria-expanded={isOpen}
        aria-controls="note"
      >
        <Icon name="lock" className="i s" /> {isOpen ? "Back to the reply" : "Write a note"}
      </button>
    </Form>
  );
}

interface NoteFormProps extends WrittenNote {
  page: Pick<ConsoleData, "replyId" | "userId">;
  onClose: () => void;
}

/** Form of a note in place of the reply. Its text waits on this device until it is saved. */
export function NoteForm({ onClose, ...written }: NoteFormProps) {
  const { input, left, pending, error, onChange, submit } = useNote(written);
  const closeOnEscape = (event: KeyboardEvent) => event.key === "Escape" && onClose();
  return (
    <Form
      method="post"
      action={consoleUrl({ chat: written.chatId, note: "1" })}
      className="reply-form note-form"
      id="note"
      onSubmit={submit}
      onKeyDown={closeOnEscape}
    >
      <input type="hidden" name="id" value={written.chatId} />
      <input type="hidden" name="noteId" value={written.page.replyId} />
      <label className="grow">
        <span className="visually-hidden">Note</span>
        <textarea
          ref={input}
          className="input"
          name="note"
          rows={2}
          placeholder="Note for your colleagues..."
          defaultValue={written.text}
          {...describedBy("note-text", error, true)}
          aria-invalid={left < 0 || error !== undefined || undefined}
          onKeyDown={sendOnEnter}
          onInput={onChange}
        />
      </label>
      <button type="submit" name="intent" value="note" className="btn primary" disabled={pending}>
        Save note
      </button>
      <CharactersLeft left={left} />
      <FieldNotes id="note-text" error={error} hint="The visitor never sees a note." />
      <noscript>
        <p className="hint">{MESSAGE_LIMIT}</p>
      </noscript>
    </Form>
  );
}
