import { asc, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { INSERTED, isLogged, recorded, removed } from "~/db/audit";
import { type Db, runNamedBatch } from "~/db/client.server";
import { chatNotes, chats } from "~/db/schema";

const { row: _row, searchText: _searchText, ...COLUMNS } = getTableColumns(chatNotes);

export type NoteRow = Omit<typeof chatNotes.$inferSelect, "row" | "searchText">;
type NewNote = Omit<typeof chatNotes.$inferInsert, "row" | "editedAt">;

/** Selects the log's entry of a note that was taken back. Those of earlier releases have no id. */
const takenBack = (chatId: string, id: string) => sql`FROM audit_log
  WHERE object_id = ${chatId} AND +object = 'chat' AND action = 'noteTakenBack' AND changes ->> '$.noteId[0]' = ${id}`;

/**
 * Stores a note, unless its id is used or was taken back.
 *
 * @returns `stored`, the note under the id, undefined for none; `takenBackBy`, who took back the one that had it
 */
export async function insertNote(db: Db, note: NewNote) {
  const { id, chatId, staffId, staffName, writtenAt, searchText } = note;
  const { stored, ended } = await runNamedBatch(db, {
    added: sql`INSERT INTO chat_notes (id, chat_id, note, staff_id, staff_name, written_at, search_text)
      SELECT ${id}, chats.id, ${note.note}, ${staffId}, ${staffName}, ${writtenAt}, ${searchText} FROM chats
      WHERE chats.id = ${chatId} AND NOT EXISTS (SELECT 1 ${takenBack(chatId, id)}) ON CONFLICT (id) DO NOTHING`,
    logged: recorded(db, {
      object: "chat",
      action: "noteWritten",
      id: chatId,
      changes: {},
      rows: sql`WHERE ${INSERTED}`,
    }),
    stored: storedNote(id),
    ended: sql`SELECT author_id AS authorId ${takenBack(chatId, id)}`,
  });
  return {
    stored: stored[0] as NoteRow | undefined,
    takenBackBy: (ended[0] as { authorId: string } | undefined)?.authorId,
  };
}

const storedNote = (
  id: string,
) => sql`SELECT id, chat_id AS chatId, note, staff_id AS staffId, staff_name AS staffName,
  written_at AS writtenAt, edited_at AS editedAt FROM chat_notes WHERE id = ${id}`;

/** Note of a chat by its author. */
interface OwnNote {
  id: string;
  chatId: string;
  staffId: string;
}

const isOwn = ({ id, chatId, staffId }: OwnNote) =>
  sql`FROM chat_notes WHERE id = ${id} AND chat_id = ${chatId} AND staff_id = ${staffId}`;

/** Records what an author does with a note; its text stands in no log. */
const recordedNote = (
  db: Db,
  action: string,
  { chatId }: OwnNote,
  rows: SQL,
  changes: Record<string, SQL> = {},
) => recorded(db, { object: "chat", action, id: chatId, changes, rows });

/**
 * Changes the text of a note of its author.
 *
 * @returns the note as it is stored then, which may be somebody else's; undefined for none
 */
export async function updateNote(
  db: Db,
  own: OwnNote,
  { note, searchText, editedAt }: Pick<NewNote, "note" | "searchText"> & { editedAt: number },
): Promise<NoteRow | undefined> {
  const differs = sql`note <> ${note}`;
  const { stored } = await runNamedBatch(db, {
    logged: recordedNote(db, "noteChanged", own, sql`${isOwn(own)} AND ${differs}`),
    changed: sql`UPDATE chat_notes SET note = ${note}, search_text = ${searchText}, edited_at = ${editedAt}
      WHERE "row" IN (SELECT "row" ${isOwn(own)} AND ${differs})`,
    stored: storedNote(own.id),
  });
  return stored[0] as NoteRow | undefined;
}

/**
 * Deletes a note of its author.
 *
 * @returns `isDeleted` by this call; `left`, the note of somebody else or of another chat that has the id; `isRepeated`
 *   when a note of the chat was deleted before (the log does not say which)
 */
export async function deleteNote(db: Db, own: OwnNote) {
  const action = "noteTakenBack";
  const { earlier, deleted, stored } = await runNamedBatch(db, {
    earlier: sql`SELECT 1 WHERE ${isLogged("chat", own.chatId, action)}`,
    logged: recordedNote(db, action, own, isOwn(own), { noteId: removed(own.id) }),
    deleted: sql`DELETE FROM chat_notes WHERE "row" IN (SELECT "row" ${isOwn(own)}) RETURNING id`,
    stored: storedNote(own.id),
  });
  return {
    isDeleted: deleted.length > 0,
    left: stored[0] as NoteRow | undefined,
    isRepeated: earlier.length > 0,
  };
}

/** Finds the latest notes of a chat, in the order in which they were written. */
export async function findLatestNotes(db: Db, chatId: string, limit: number): Promise<NoteRow[]> {
  const rows = await db
    .select(COLUMNS)
    .from(chatNotes)
    .where(eq(chatNotes.chatId, chatId))
    .orderBy(desc(chatNotes.row))
    .limit(limit);
  return rows.reverse();
}

/** Reads notes of a chat in the order in which they were written, with their number. @returns null for a missing chat */
export async function findNotes(
  db: Db,
  chatId: string,
  { limit = Number.MAX_SAFE_INTEGER, offset }: { limit?: number | undefined; offset: number },
): Promise<{ rows: NoteRow[]; total: number } | null> {
  const [rows, [found]] = await db.batch([
    db
      .select(COLUMNS)
      .from(chatNotes)
      .where(eq(chatNotes.chatId, chatId))
      .orderBy(asc(chatNotes.row))
      .limit(limit)
      .offset(offset),
    db
      .select({ total: sql<number>`(SELECT count(*) FROM chat_notes WHERE chat_id = ${chatId})` })
      .from(chats)
      .where(eq(chats.id, chatId)),
  ]);
  return found ? { rows, total: found.total } : null;
}
