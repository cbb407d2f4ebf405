import { and, count, desc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { chats, chatTexts, users } from "~/db/schema";
import type { ChatFilter } from "./limits";
import type { ChatRow } from "./queries.server";

interface ChatQuery {
  /** Words in the name, the e-mail address or a message; "" for all. */
  q?: string | undefined;
  filter?: ChatFilter | undefined;
  /** User whose chats `mine` lists. */
  userId: string;
  limit?: number | undefined;
  offset: number;
}

/** Finds chats, latest first. */
export function findChats(db: Db, query: ChatQuery): Promise<ChatRow[]> {
  const { limit, offset } = query;
  return db
    .select()
    .from(chats)
    .where(condition(query))
    .orderBy(desc(chats.lastMessageAt), desc(chats.id))
    .limit(limit ?? Number.MAX_SAFE_INTEGER)
    .offset(offset);
}

export async function countChats(db: Db, query: Omit<ChatQuery, "limit" | "offset">): Promise<number> {
  const [all] = await db.select({ total: count() }).from(chats).where(condition(query));
  return all?.total ?? 0;
}

function condition({ q, filter, userId }: Omit<ChatQuery, "limit" | "offset">): SQL | undefined {
  const filters: Record<ChatFilter, SQL> = {
    unanswered: isNotNull(chats.waitingSince),
    mine: eq(chats.assigneeId, userId),
    open: eq(chats.state, "open"),
    closed: eq(chats.state, "closed"),
  };
  return and(filter && filters[filter], q ? matches(q) : undefined);
}

/** Matches three or more characters anywhere, fewer at the beginning of words of the name and address. */
function matches(text: string): SQL {
  // A NUL would end the query within its quotes.
  const q = text.replaceAll("\0", " ");
  const isShort = Array.from(q).length < 3;
  const table = sql.raw(isShort ? "chat_starts" : "chat_search");
  const phrase = `"${q.replaceAll('"', '""')}"${isShort ? "*" : ""}`;
  const found = sql`SELECT rowid FROM ${table} WHERE ${table} MATCH ${phrase}`;
  return sql`${chats.id} IN (SELECT ${chatTexts.chatId} FROM ${chatTexts} WHERE ${chatTexts.row} IN (${found}))`;
}

/** Matches active staff, by the index of roles. */
const isActiveStaff = and(sql`(is_admin * 2 + (is_manager and not is_admin)) > 0`, eq(users.isUser, true));

/** Largest number of staff offered as assignees. */
const MAX_STAFF = 50;

/** Finds the staff to whom a chat can be assigned. */
export function findStaff(db: Db): Promise<{ id: string; firstName: string; email: string }[]> {
  return db
    .select({ id: users.id, firstName: users.firstName, email: users.email })
    .from(users)
    .where(isActiveStaff)
    .limit(MAX_STAFF);
}

export async function isStaffMember(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isActiveStaff));
  return rows.length > 0;
}
