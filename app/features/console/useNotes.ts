import { useNavigation, useRevalidator } from "@remix-run/react";
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { newClientId } from "~/features/chat/client-id";
import type { ChatMessage, ChatNote } from "~/features/chat/protocol";
import { errorMessage, request } from "~/features/conversation/client/api";
import { charactersLeft } from "~/features/conversation/client/MessageFields";
import { MUTATION_RETRIES, withRetries } from "~/http/retries";
import { refusedFor, typedValue } from "~/records/form-state";
import { storeDraft, storedDraft } from "~/ui/drafts";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { ConsoleData } from "./page.server";

/** Changes of notes that live events report before the page is loaded again. */
const MAX_CHANGES = 100;

type NoteKey = Pick<ChatNote, "chatId" | "id">;

/** Note as a live event reported it, null for one that is taken back, and when (epoch milliseconds). */
export interface NoteChange extends NoteKey {
  note: ChatNote | null;
  at: number;
}

/** Change of a note that was taken back before it was saved. */
export interface LostChange {
  chatId: string;
  text: string;
}

/** Reads the change that the server refused because its note was taken back; null for none. */
export function refusedChange(refused: RefusedForm | undefined): LostChange | null {
  const own = refused?.status === NOT_FOUND ? refusedFor(refused, "changeNote") : undefined;
  return own ? { chatId: typedValue(own, "id"), text: typedValue(own, "note") } : null;
}

/** Holds the texts of changes that are being typed; one is lost when its note is taken back. */
function useTypedChanges() {
  const typed = useRef(new Map<string, string>());
  const [lost, setLost] = useState<LostChange | null>(null);
  /** Remembers the text of a change. @param text "" once it is sent, or as it was */
  const onTyped = useCallback(({ id }: NoteKey, text: string) => {
    if (text) typed.current.set(id, text);
    else typed.current.delete(id);
  }, []);
  const lose = useCallback(({ chatId, id }: NoteKey) => {
    const text = typed.current.get(id);
    typed.current.delete(id);
    if (text) setLost({ chatId, text });
  }, []);
  /** Forgets the lost change of a chat, whose text was saved or left. */
  const clearLost = useCallback((chatId: string) => {
    setLost((current) => (current?.chatId === chatId ? null : current));
  }, []);
  return { lost, onTyped, lose, clearLost };
}

/** Keeps the notes of the open chat live: those of the page, and what was written, changed and taken back since. */
export function useNotes({ notes: loaded, history }: Pick<ConsoleData, "notes" | "history">) {
  const [changes, setChanges] = useState<NoteChange[]>([]);
  const report = useCallback(({ chatId, id }: NoteKey, note: ChatNote | null) => {
    const change = { chatId, id, note, at: Date.now() };
    setChanges((current) => withChange(current, change));
  }, []);
  const addNote = useCallback((note: ChatNote) => report(note, note), [report]);
  const { lost, onTyped, lose, clearLost } = useTypedChanges();
  const removeNote = useCallback(
    (note: NoteKey) => {
      lose(note);
      report(note, null);
    },
    [lose, report],
  );
  const loadStart = useLoadStart();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load has what was reported before it began
  useEffect(() => {
    setChanges((current) => current.filter(({ at }) => at >= loadStart.current));
  }, [loaded]);
  const chatId = history?.chat.id;
  const notes = useMemo(() => mergeChanges(loaded, changes, chatId), [loaded, changes, chatId]);
  const noteEvents = { onNote: addNote, onNoteRemoved: removeNote };
  return { notes, addNote, lostChange: lost, clearLost, onNoteTyped: onTyped, noteEvents };
}

/** Remembers when the latest load of the page, or the form before it, began (epoch milliseconds). */
function useLoadStart() {
  const start = useRef(0);
  const { state } = useNavigation();
  const isLoading = useRevalidator().state === "loading" || state !== "idle";
  useEffect(() => {
    if (isLoading) start.current = Date.now();
  }, [isLoading]);
  return start;
}

/** Adds a change in place of an earlier one of its note; what is taken back stays so, whichever event comes last. */
export function withChange(changes: NoteChange[], change: NoteChange): NoteChange[] {
  const known = changes.find(({ chatId, id }) => chatId === change.chatId && id === change.id);
  if (known?.note === null) return changes;
  return [...changes.filter((one) => one !== known).slice(1 - MAX_CHANGES), change];
}

/** Applies the changes of a chat to its loaded notes. A page that was loaded later knows a later text. */
export function mergeChanges(loaded: ChatNote[], changes: NoteChange[], openChat: string | undefined) {
  const notes = new Map(loaded.map((note) => [note.id, note]));
  for (const { chatId, id, note } of changes) {
    if (chatId !== openChat) continue;
    const known = notes.get(id);
    if (!note) notes.delete(id);
    else if (!known || isNewer(note, known)) notes.set(id, note);
  }
  return [...notes.values()];
}

const isNewer = (one: ChatNote, other: ChatNote): boolean =>
  one.editedAt !== null && (other.editedAt === null || momentOf(one.editedAt) > momentOf(other.editedAt));

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
const NOT_FOUND = 404;

/** Note that is being written. */
export interface WrittenNote {
  chatId: string;
  page: Pick<ConsoleData, "userId">;
  /** Text that was refused; it follows a draft that does not contain it. */
  text: string;
  /** Message of the refusal. */
  problem: string | undefined;
  onSaved: (note: ChatNote) => void;
}

/** Text of a note, and its way to the server; its client id makes another attempt safe. */
export function useNote({ chatId, page, text, problem, onSaved }: WrittenNote) {
  const input = useRef<HTMLTextAreaElement>(null);
  const sent = useRef({ note: "", noteId: "" });
  const draftKey = `note-${page.userId}-${chatId}`;
  const [left, setLeft] = useState(charactersLeft(text));
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);
  useEffect(() => {
    const draft = storedDraft(draftKey);
    const whole = draft.includes(text) ? draft : [draft, text].filter(Boolean).join("\n");
    if (input.current?.value === text) input.current.value = whole;
    storeDraft(draftKey, whole);
    setLeft(charactersLeft(whole));
    input.current?.focus({ preventScroll: true });
  }, [draftKey, text]);
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
  return { input, left, pending, error: failure ?? problem, onChange, submit };
}
