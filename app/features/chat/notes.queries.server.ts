import { asc, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { type Db, runNamedBatch } from "~/db/client.server";
import { chatNotes, chats } from "~/db/schema";

const { row: _row, searchText: _searchText, ...COLUMNS } = getTableColumns(chatNotes);

export type NoteRow = Omit<typeof chatNotes.$inferSelect, "row" | "searchText">;
type NewNote = Omit<typeof chatNotes.$inferInsert, "row">;

/**
 * Stores a note, unless its id is used.
 *
 * @returns the note that is stored under the id; undefined when the chat was deleted
 */
export async function insertNote(db: Db, note: NewNote): Promise<NoteRow | undefined> {
  const { id, chatId, staffId, staffName, writtenAt, searchText } = note;
  const { stored } = await runNamedBatch(db, {
    added: sql`INSERT INTO chat_notes (id, chat_id, note, staff_id, staff_name, written_at, search_text)
      SELECT ${id}, chats.id, ${note.note}, ${staffId}, ${staffName}, ${writtenAt}, ${searchText} FROM chats
      WHERE chats.id = ${chatId} ON CONFLICT (id) DO NOTHING`,
    stored: sql`SELECT id, chat_id AS chatId, note, staff_id AS staffId, staff_name AS staffName,
      written_at AS writtenAt FROM chat_notes WHERE id = ${id}`,
  });
  return stored[0] as NoteRow | undefined;
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
