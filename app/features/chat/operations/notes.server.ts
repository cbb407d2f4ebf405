import { z } from "zod";
import { foldForSearch } from "~/db/text";
import { Listing, operation } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { adminRoom } from "~/http/shop-objects.server";
import { findLatestNotes, findNotes, insertNote, type NoteRow } from "../notes.queries.server";
import { ChatNote } from "../protocol";
import { ChatInput, NoteInput, NotesInput } from "../schema";
import { timestampMs } from "../time";
import { chatNotFound, staffNameOf } from "./access.server";

/** Notes of staff in a chat (docs/decisions/0087-staff-notes.md). */

const ID_TAKEN = "Another note was written with this id. Send this one with a new id.";

/**
 * Writes a note for the other staff, and sends it to their consoles.
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
    const stored = await insertNote(db, {
      ...written,
      ...{ id, writtenAt, staffName: staffNameOf(user), searchText: foldForSearch(note) },
    });
    if (!stored) throw chatNotFound();
    const view = noteView(repeatedAnswer(stored, written, ID_TAKEN));
    waitUntil(announce(env, view));
    return view;
  },
});

/** Sends a note to the consoles; one that misses it reads the note when it reconnects. */
async function announce(env: Env, note: ChatNote): Promise<void> {
  await adminRoom(env)
    .broadcast([{ event: "new-note", data: note }])
    .catch((error: unknown) => console.warn("A note could not be sent to the consoles:", error));
}

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

const noteView = ({ writtenAt, ...note }: NoteRow): ChatNote => ({
  ...note,
  timestamp: timestampMs(writtenAt),
});
