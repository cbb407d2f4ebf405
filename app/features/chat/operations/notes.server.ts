import { z } from "zod";
import { foldForSearch } from "~/db/text";
import { MessageAnswer } from "~/http/answers";
import { AppError } from "~/http/errors";
import { Listing, operation } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { adminRoom } from "~/http/shop-objects.server";
import {
  deleteNote,
  findLatestNotes,
  findNotes,
  insertNote,
  type NoteRow,
  updateNote,
} from "../notes.queries.server";
import { ChatNote, type ServerEvent } from "../protocol";
import { ChangedNoteInput, ChatInput, NoteInput, NotesInput, RemovedNoteInput } from "../schema";
import { timestampMs } from "../time";
import { chatNotFound, staffNameOf } from "./access.server";

/** Notes of staff in a chat (docs/decisions/0087-staff-notes.md). */

const ID_TAKEN = "Another note was written with this id. Send this one with a new id.";

/**
 * Writes a note for the other staff, and sends it to their consoles. A request that arrives again after the note was taken
 * back is answered as the first one, and leaves it so.
 *
 * @throws AppError notFound for a missing chat; conflict for a used id with other content
 */
export const addNote = operation({
  route: "POST chat/:id/notes",
  summary: "Write a note that only staff read",
  answer: ChatNote,
  errors: [409],
  access: "staff",
  forbidsVisitors: true,
  input: NoteInput,
  status: 201,
  async run({ env, db, user, input: { id: chatId, note, noteId }, waitUntil }): Promise<ChatNote> {
    const written = { chatId, note, staffId: user.id };
    const id = noteId ?? crypto.randomUUID();
    const writtenAt = Date.now();
    const row = { ...written, id, writtenAt, staffName: staffNameOf(user) };
    const { stored, takenBackBy } = await insertNote(db, { ...row, searchText: foldForSearch(note) });
    if (!stored && takenBackBy === undefined) throw chatNotFound();
    const ended = takenBackBy === user.id ? { ...row, editedAt: null } : undefined;
    const view = noteView(repeatedAnswer(stored ?? ended, written, ID_TAKEN));
    const event: ServerEvent = stored
      ? { event: "new-note", data: view }
      : { event: "note-removed", data: { chatId, id } };
    waitUntil(announce(env, event));
    return view;
  },
});

/** Sends a note to the consoles; one that misses it reads the note when it reconnects. */
async function announce(env: Env, event: ServerEvent): Promise<void> {
  await adminRoom(env)
    .broadcast([event])
    .catch((error: unknown) => console.warn("A note could not be sent to the consoles:", error));
}

const noteNotFound = () => new AppError("notFound", "The note is gone");
const NOT_ITS_AUTHOR = "Only its author may change a note";

/**
 * Changes the text of a note of one's own.
 *
 * @throws AppError notFound for a missing note; forbidden for that of a colleague
 */
export const changeNote = operation({
  route: "PATCH chat/:id/notes",
  summary: "Change a note of one's own",
  answer: ChatNote,
  access: "staff",
  forbidsVisitors: true,
  input: ChangedNoteInput,
  async run({ env, db, user, input: { id: chatId, noteId: id, note }, waitUntil }): Promise<ChatNote> {
    const own = { id, chatId, staffId: user.id };
    const text = { note, searchText: foldForSearch(note), editedAt: Date.now() };
    const stored = await updateNote(db, own, text);
    if (stored?.chatId !== chatId) throw noteNotFound();
    if (stored.staffId !== user.id) throw new AppError("forbidden", NOT_ITS_AUTHOR);
    const view = noteView(stored);
    waitUntil(announce(env, { event: "new-note", data: view }));
    return view;
  },
});

/**
 * Takes back a note of one's own; repeating it is no error.
 *
 * @throws AppError notFound for a missing note; forbidden for that of a colleague
 */
export const removeNote = operation({
  route: "DELETE chat/:id/notes",
  summary: "Take back a note of one's own",
  answer: MessageAnswer,
  access: "staff",
  forbidsVisitors: true,
  input: RemovedNoteInput,
  async run({ env, db, user, input: { id: chatId, noteId: id }, waitUntil }) {
    const { isDeleted, left, isRepeated } = await deleteNote(db, { id, chatId, staffId: user.id });
    if (left?.chatId === chatId) throw new AppError("forbidden", NOT_ITS_AUTHOR);
    if (left || !(isDeleted || isRepeated)) throw noteNotFound();
    if (isDeleted) waitUntil(announce(env, { event: "note-removed", data: { chatId, id } }));
    return { message: "The note is taken back" };
  },
});

/** Lists the notes of a chat in the order in which they were written. @throws AppError notFound */
export const listNotes = operation({
  route: "GET chat/:id/notes",
  summary: "List the notes of staff in a chat",
  answer: z.array(ChatNote),
  isList: true,
  access: "staff",
  forbidsVisitors: true,
  input: NotesInput,
  async run({ db, input: { id, ...window } }) {
    const found = await findNotes(db, id, window);
    if (!found) throw chatNotFound();
    return new Listing(found.rows.map(noteView), found.total);
  },
});

/** Notes that the console shows of a chat; it bounds the rows of its page. */
const MAX_SHOWN_NOTES = 50;

/** Reads the latest notes of a chat, in the order in which they were written. */
export const readLatestNotes = operation({
  access: "staff",
  input: ChatInput,
  run: async ({ db, input }) => (await findLatestNotes(db, input.id, MAX_SHOWN_NOTES)).map(noteView),
});

const noteView = ({ writtenAt, editedAt, ...note }: NoteRow): ChatNote => ({
  ...note,
  timestamp: timestampMs(writtenAt),
  editedAt: editedAt === null ? null : timestampMs(editedAt),
});
