import { and, count, desc, eq, gt, inArray, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import { batched, type Db } from "~/db/client.server";
import { chatCounts, chats, chatTexts, users } from "~/db/schema";
import { addChatEvents, type ChatEvent } from "~/features/integrations/queries.server";
import type { ChatFilter } from "./limits";
import type { ChatRow } from "./queries.server";
import { inReport, type ReportQuery } from "./reports.queries.server";

interface ChatQuery {
  /** Words in the name, the e-mail address or a message; "" for all. */
  q?: string | undefined;
  filter?: ChatFilter | undefined;
  report?: ReportQuery | undefined;
  /** Bounds the matches of `q` to those of the latest chats. */
  maxMatches?: number | undefined;
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

function condition({
  q,
  filter,
  report,
  userId,
  maxMatches,
}: Omit<ChatQuery, "limit" | "offset">): SQL | undefined {
  const filters: Record<ChatFilter, SQL> = {
    unanswered: isNotNull(chats.waitingSince),
    mine: eq(chats.assigneeId, userId),
    open: eq(chats.state, "open"),
    closed: eq(chats.state, "closed"),
  };
  return and(filter && filters[filter], q ? matches(q, maxMatches) : undefined, report && inReport(report));
}

/** Reads the number of chats of each filter, which triggers keep. */
export async function findFilterCounts(db: Db, userId: string): Promise<Record<ChatFilter, number>> {
  // One row read for each, where `IN` reads its list as well.
  const total = (name: string) =>
    sql<number>`ifnull((SELECT ${chatCounts.total} FROM ${chatCounts} WHERE ${chatCounts.name} = ${name}), 0)`.as(
      name.split(":", 1)[0] ?? "",
    );
  const counts = {
    unanswered: total("unanswered"),
    mine: total(`assignee:${userId}`),
    open: total("open"),
    closed: total("closed"),
  };
  const [row] = await db.select(counts).from(sql`(SELECT 1)`);
  return row ?? { unanswered: 0, mine: 0, open: 0, closed: 0 };
}

/** Matches three or more characters anywhere, fewer at the beginning of words of the name and address. */
function matches(text: string, max?: number): SQL {
  // A NUL would end the query within its quotes.
  const q = text.replaceAll("\0", " ");
  const isShort = Array.from(q).length < 3;
  const table = sql.raw(isShort ? "chat_starts" : "chat_search");
  const phrase = `"${q.replaceAll('"', '""')}"${isShort ? "*" : ""}`;
  const latest = max === undefined ? sql`` : sql` ORDER BY rowid DESC LIMIT ${max}`;
  const found = sql`SELECT rowid FROM ${table} WHERE ${table} MATCH ${phrase}${latest}`;
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

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

/** Bounds the rows read for the badge. */
const MAX_COUNTED_CHATS = 100;

/** Finds the latest chats that have unread messages. */
export function findUnreadChats(db: Db): Promise<{ id: string; unreadCount: number }[]> {
  const latest = db
    .select({ id: chats.id, unreadCount: chats.unreadCount })
    .from(chats)
    .orderBy(...latestFirst)
    .limit(MAX_COUNTED_CHATS)
    .as("latest");
  return db.select().from(latest).where(gt(latest.unreadCount, 0));
}

/** Finds the browser that started a chat, by the id of its first chat. */
export async function findVisitorId(db: Db, chatId: string): Promise<string> {
  const rows = await db.select({ visitorId: chats.visitorId }).from(chats).where(eq(chats.id, chatId));
  return rows[0]?.visitorId ?? chatId;
}

/** Largest number of a customer's chats in their own list. */
const MAX_VISITOR_CHATS = 50;

/**
 * Finds the chats of a browser and of a customer, latest first.
 *
 * @param ids chats that the browser may open
 */
export async function findVisitorChats(db: Db, ids: string[], userId: string | null): Promise<ChatRow[]> {
  const ofBrowser = db.select().from(chats).where(inArray(chats.id, ids));
  const ofAccount = db
    .select()
    .from(chats)
    .where(eq(chats.userId, userId ?? ""))
    .orderBy(...latestFirst)
    .limit(MAX_VISITOR_CHATS);
  const found = userId === null ? [await ofBrowser] : await db.batch([ofBrowser, ofAccount]);
  const byId = new Map(found.flat().map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => b.lastMessageAt - a.lastMessageAt);
}

/** Earlier chats of a visitor that the console lists. */
const MAX_EARLIER_CHATS = 5;

/** Visitor of a chat as the console shows them, and their other chats, latest first. */
export async function findChatVisitor(db: Db, chatId: string) {
  const ofChat = (column: SQL) => sql`(SELECT ${column} FROM ${chats} WHERE ${chats.id} = ${chatId})`;
  const account = db
    .select({ id: users.id, phoneNumber: users.phoneNumber, createdAt: users.createdAt })
    .from(users)
    .where(eq(users.id, ofChat(sql`${chats.userId}`)));
  const others = (condition: SQL | undefined) =>
    db
      .select()
      .from(chats)
      .where(and(condition, ne(chats.id, chatId)))
      .orderBy(...latestFirst)
      .limit(MAX_EARLIER_CHATS);
  // The first chat of a browser may be from before its id was stored.
  const browser = ofChat(sql`ifnull(${chats.visitorId}, ${chats.id})`);
  const [accounts, ofAccount, ofBrowser] = await db.batch([
    account,
    others(eq(chats.userId, ofChat(sql`${chats.userId}`))),
    others(or(eq(chats.visitorId, browser), eq(chats.id, browser))),
  ]);
  const byId = new Map([...ofAccount, ...ofBrowser].map((row) => [row.id, row]));
  const earlier = [...byId.values()].sort((a, b) => b.lastMessageAt - a.lastMessageAt);
  return { account: accounts[0] ?? null, earlier: earlier.slice(0, MAX_EARLIER_CHATS) };
}

/**
 * Writes a room's row unless the stored revision is newer.
 *
 * @param text searched text of the chat
 * @param messages new ones, for the outbox of webhooks
 * @returns true when some of them wait there
 */
export async function upsertChatRow(
  db: Db,
  row: ChatRow,
  text: string,
  messages: ChatEvent[],
): Promise<boolean> {
  const { id: _, createdAt: __, visitorId: ___, ...changes } = row;
  const upsert = db
    .insert(chats)
    .values(row)
    .onConflictDoUpdate({
      target: chats.id,
      set: changes,
      setWhere: sql`${chats.revision} < excluded.revision`,
    });
  // Compared first, so that a read mark does not write the search's tables.
  const updateText = db
    .update(chatTexts)
    .set({ text })
    .where(and(eq(chatTexts.chatId, row.id), ne(chatTexts.text, text)));
  const [, , waiting = []] = await batched(db, [
    upsert.getSQL(),
    updateText.getSQL(),
    ...(messages.length > 0 ? [addChatEvents(row.id, messages)] : []),
  ]);
  return waiting.length > 0;
}
