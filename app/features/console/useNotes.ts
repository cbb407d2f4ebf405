import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { newClientId } from "~/features/chat/client-id";
import type { ChatMessage, ChatNote } from "~/features/chat/protocol";
import { errorMessage, request } from "~/features/conversation/client/api";
import { charactersLeft } from "~/features/conversation/client/MessageFields";
import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import { fieldError, typedValue } from "~/records/form-state";
import { storeDraft, storedDraft } from "~/ui/drafts";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { ConsoleData } from "./page.server";

/** Notes that live events add before the page is loaded again. */
const MAX_ADDED = 100;

/** Keeps the notes of the open chat live: those of the page, and what was written, changed and taken back since. */
export function useNotes({ notes: loaded, history }: Pick<ConsoleData, "notes" | "history">) {
  const [added, setAdded] = useState<ChatNote[]>([]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(NO_IDS);
  const addNote = useCallback((note: ChatNote) => {
    setAdded((current) => [...current.filter(({ id }) => id !== note.id).slice(1 - MAX_ADDED), note]);
  }, []);
  const removeNote = useCallback((id: string) => setRemoved((ids) => new Set([...ids, id])), []);
  const chatId = history?.chat.id;
  const notes = useMemo(() => {
    const own = added.filter((note) => note.chatId === chatId);
    const all = new Map([...loaded, ...own].map((note) => [note.id, note]));
    // A page that was loaded later knows a later text.
    for (const note of loaded) if (!isNewer(all.get(note.id), note)) all.set(note.id, note);
    return [...all.values()].filter(({ id }) => !removed.has(id));
  }, [loaded, added, removed, chatId]);
  return { notes, addNote, noteEvents: { onNote: addNote, onNoteRemoved: removeNote } };
}

const NO_IDS: ReadonlySet<string> = new Set();

const isNewer = (one: ChatNote | undefined, other: ChatNote): boolean =>
  one?.editedAt != null && (other.editedAt === null || momentOf(one.editedAt) > momentOf(other.editedAt));

const momentOf = ({ seconds, nanoseconds }: ChatNote["timestamp"]) => seconds * 1e9 + nanoseconds;

const timeOf = ({ timestamp }: Pick<ChatNote, "timestamp">) => momentOf(timestamp);

/** Puts notes among the messages, by their times. */
export function withNotes(messages: ChatMessage[], notes: ChatNote[]): (ChatMessage | ChatNote)[] {
  const waiting = [...notes].sort((one, other) => timeOf(one) - timeOf(other));
  const entries: (ChatMessage | ChatNote)[] = [];
  for (const message of messages) {
    while (waiting[0] && timeOf(waiting[0]) < timeOf(message)) entries.push(...waiting.splice(0, 1));
    entries.push(message);
  }
  return [...entries, ...waiting];
}

export const isNote = (entry: ChatMessage | ChatNote): entry is ChatNote => "note" in entry;

/** Saves a note; its client id makes the automatic retry safe. */
const postNote = (chatId: string, body: { note: string; noteId: string }) =>
  withRetries(
    () => request<ChatNote>(`/api/chat/${encodeURIComponent(chatId)}/notes`, { body }),
    MUTATION_RETRIES,
  );

const SAVE_FAILED = "Failed to save the note";

/** Note that is being written. */
export interface WrittenNote {
  chatId: string;
  page: Pick<ConsoleData, "userId">;
  refused: RefusedForm | undefined;
  onSaved: (note: ChatNote) => void;
}

/** Text of a note, and its way to the server; its client id makes another attempt safe. */
export function useNote({ chatId, page, refused, onSaved }: WrittenNote) {
  const input = useRef<HTMLTextAreaElement>(null);
  const sent = useRef({ note: "", noteId: "" });
  const draftKey = `note-${page.userId}-${chatId}`;
  const text = typedValue(refused, "note");
  const [left, setLeft] = useState(charactersLeft(text));
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (input.current?.value === "") input.current.value = storedDraft(draftKey);
    input.current?.focus({ preventScroll: true });
  }, [draftKey]);
  const onChange = () => {
    const typed = input.current?.value ?? "";
    setLeft(charactersLeft(typed));
    storeDraft(draftKey, typed);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const note = input.current?.value.trim() ?? "";
    if (note === "" || pending || charactersLeft(note) < 0) return;
    if (sent.current.note !== note) sent.current = { note, noteId: newClientId() };
    setPending(true);
    await postNote(chatId, sent.current).then(
      (saved) => {
        storeDraft(draftKey, "");
        onSaved(saved);
      },
      (error: unknown) => setFailure(errorMessage(error, SAVE_FAILED)),
    );
    setPending(false);
  };
  return { input, left, text, pending, error: failure ?? fieldError(refused, "note"), onChange, submit };
}
