import { and, count, desc, eq, getTableColumns, gte, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import {
  type AccountRef,
  chatCounts,
  chatNotes,
  chatNumber,
  chats,
  chatTexts,
  isUnnamed,
  sessions,
  users,
} from "~/db/schema";
import { textSearch } from "~/db/search";
import type { ChatFilter } from "./limits";
import type { ChatRow } from "./queries.server";
import { inReport, type ReportQuery } from "./reports.queries.server";
import { numberIn } from "./visitor-label";

interface ChatQuery {
  /** Words in the name, the e-mail address or a message, or the number of a visitor without a name; "" for all. */
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

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

/** Chat of a search, with the line of an earlier message that matches, or of a note by staff. */
type FoundChat = ChatRow & { found?: string; isNote?: boolean };

/** Finds chats, latest first. */
export async function findChats(db: Db, query: ChatQuery): Promise<FoundChat[]> {
  const { limit = Number.MAX_SAFE_INTEGER, offset } = query;
  if (query.q) return (await searchChats(db, { ...query, q: query.q })).rows;
  return db
    .select()
    .from(chats)
    .where(condition(query))
    .orderBy(...latestFirst)
    .limit(limit)
    .offset(offset);
}

/** Counts chats: by the counters of the filters, or one by one those of a report. */
export async function countChats(db: Db, query: Omit<ChatQuery, "limit" | "offset" | "q">): Promise<number> {
  if (!query.report) {
    const counts = await findFilterCounts(db, query.userId);
    return query.filter ? counts[query.filter] : counts.open + counts.closed;
  }
  const [all] = await db.select({ total: count() }).from(chats).where(condition(query));
  return all?.total ?? 0;
}

/** Match of a search: rows of the chat, and of its text or of a note. */
interface Match {
  row: number;
  text: number | null;
  note: number | null;
  id: string;
  at: number;
}

/**
 * Finds the chats of a search, latest first, and their number. They are sorted here, because D1 would read each match twice
 * to sort it.
 */
export async function searchChats(
  db: Db,
  query: ChatQuery & { q: string },
): Promise<{ rows: FoundChat[]; total: number }> {
  const { limit, offset } = query;
  const matching = await db.all<Match>(
    sql`SELECT chat_row AS row, text_row AS text, note_row AS note, id, last_message_at AS at
      FROM ${matches(query.q, query.maxMatches)} WHERE ${condition(query, FOUND)}`,
  );
  const found = [...new Map(matching.map((row) => [row.id, row])).values()];
  found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
  const rows = await db
    .select({ ...getTableColumns(chats), ...excerpt(query.q) })
    .from(sql`json_each(${JSON.stringify(page.map(({ row, text, note }) => [row, text, note]))}) AS page`)
    .innerJoin(chats, sql`chats.rowid = page.value ->> 0`)
    .leftJoin(chatTexts, sql`${chatTexts.row} = page.value ->> 1`)
    .leftJoin(chatNotes, sql`${chatNotes.row} = page.value ->> 2`);
  const places = new Map(page.map(({ id }, i) => [id, i]));
  rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  return { rows: rows.map((row) => withFoundLine(row, query.q)), total: found.length };
}

/** Characters before a match, and of the text around it, from which its line is cut. */
const BEFORE_MATCH = 16;
const AROUND_MATCH = 200;

/** Columns with the position of the first match in a chat's text or a note, 0 for none, and the text around it. */
function excerpt(q: string) {
  const searched = sql`coalesce(${chatTexts.text}, ${chatNotes.note})`;
  const position = sql<number | null>`instr(lower(${searched}), lower(${q}))`;
  const around = sql<
    string | null
  >`substr(${searched}, max(1, ${position} - ${BEFORE_MATCH}), ${AROUND_MATCH})`;
  return { position, around, noteRow: chatNotes.row };
}

/** Adds the line that matches, unless the last message does. */
function withFoundLine(
  {
    position,
    around,
    noteRow,
    ...chat
  }: ChatRow & { position: number | null; around: string | null; noteRow: number | null },
  q: string,
): FoundChat {
  const isLast = chat.lastMessage.toLowerCase().includes(q.toLowerCase());
  const row = noteRow === null ? chat : { ...chat, isNote: true };
  if (!position || !around || (isLast && noteRow === null)) return row;
  // SQLite counts an emoji as one character.
  const at = [...around].slice(0, Math.min(position - 1, BEFORE_MATCH)).join("").length;
  const from = around.lastIndexOf("\n", at) + 1;
  const [line = ""] = around.slice(from).split("\n", 1);
  return { ...row, found: from === 0 && position > BEFORE_MATCH ? `…${line}` : line };
}

/** Name of what stands for the table `chats` in a search. */
const FOUND = "found";

function condition({ filter, report, userId }: Omit<ChatQuery, "limit" | "offset">, table = "chats"): SQL {
  const name = sql.raw(table);
  const filters: Record<ChatFilter, SQL> = {
    unanswered: sql`${name}.waiting_since IS NOT NULL`,
    mine: sql`${name}.assignee_id = ${userId}`,
    open: sql`${name}.state = 'open'`,
    closed: sql`${name}.state = 'closed'`,
  };
  return and(sql`true`, filter && filters[filter], report && inReport(report, name)) as SQL;
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

/** Chat whose visitor waits for an answer, with the first name of who looks after it. */
export type WaitingChat = ChatRow & { waitingSince: number; assignee: string | null };

/** Finds the chats without an answer, those that have waited longest first. */
export function findWaitingChats(db: Db, limit: number): Promise<WaitingChat[]> {
  return db
    .select({
      ...getTableColumns(chats),
      waitingSince: sql<number>`${chats.waitingSince}`,
      assignee: sql<string | null>`(SELECT first_name FROM users WHERE id = ${chats.assigneeId})`,
    })
    .from(chats)
    .where(sql`${chats.waitingSince} IS NOT NULL`)
    .orderBy(chats.waitingSince, chats.id)
    .limit(limit);
}

/** Counts the chats without an answer and the open ones, by the counts that triggers keep. */
export async function countWaitingChats(db: Db): Promise<{ unanswered: number; open: number }> {
  const { unanswered, open } = await findFilterCounts(db, "");
  return { unanswered, open };
}

/** Chats of one number, at most. */
const MAX_NUMBERED = 50;

/**
 * Returns the chats of a search: three or more characters match anywhere, fewer at the beginning of words of the name and
 * address (migrations/0034_chat_sums.sql). A chat may be there by its number and by its text.
 */
function matches(text: string, max = Number.MAX_SAFE_INTEGER): SQL {
  const { index, match } = textSearch(text);
  const table = sql.raw(`chat_${index}`);
  const number = numberIn(text);
  const columns = sql.raw("id, last_message_at, state, assignee_id, waiting_since, month");
  const numbered = sql`SELECT NULL AS text_row, NULL AS note_row, rowid AS chat_row, ${columns} FROM chats INDEXED BY chats_number
    WHERE ${chatNumber} = ${number} AND ${isUnnamed} LIMIT ${MAX_NUMBERED}`;
  const named = sql`SELECT rowid AS text_row, NULL AS note_row, chat_row, ${columns}
    FROM ${table} WHERE ${table} MATCH ${match} ORDER BY rowid DESC LIMIT ${max}`;
  // Of the matches of one chat the last one is shown.
  const parts = [
    ...(index === "search" ? [notedMatches(match, max)] : []),
    ...(number ? [numbered] : []),
    named,
  ];
  const union = sql.join(
    parts.map((part) => sql`SELECT * FROM (${part})`),
    sql` UNION ALL `,
  );
  return sql`(${union}) AS ${sql.raw(FOUND)}`;
}

/** Notes that a search reads at most; each leads to its row and to its chat's. */
const MAX_NOTES = 200;

/** Selects the chats with notes of staff that match. */
const notedMatches = (match: string, max: number): SQL => sql`
  SELECT NULL AS text_row, n."row" AS note_row, c.rowid AS chat_row, c.id, c.last_message_at, c.state, c.assignee_id,
    c.waiting_since, c.month
  FROM (SELECT rowid AS "row" FROM note_search WHERE note_search MATCH ${match}
    ORDER BY rowid DESC LIMIT ${Math.min(max, MAX_NOTES)}) AS hit
  CROSS JOIN chat_notes AS n ON n."row" = hit."row" CROSS JOIN chats AS c ON c.id = n.chat_id`;

/** Bounds the rows that each page of the back office reads for the badge. */
const MAX_COUNTED_CHATS = 16;

/** Finds the latest chats that have unread messages. @returns also whether there are more of them */
export async function findUnreadChats(
  db: Db,
): Promise<{ chats: { id: string; unreadCount: number }[]; isMore: boolean }> {
  const found = await db
    .select({ id: chats.id, unreadCount: chats.unreadCount })
    .from(chats)
    .where(sql`${chats.unreadCount} > 0`)
    .orderBy(...latestFirst)
    .limit(MAX_COUNTED_CHATS + 1);
  return { chats: found.slice(0, MAX_COUNTED_CHATS), isMore: found.length > MAX_COUNTED_CHATS };
}

/** Finds the browser that started a chat, by the id of its first chat. */
export async function findVisitorId(db: Db, chatId: string): Promise<string> {
  const rows = await db.select({ visitorId: chats.visitorId }).from(chats).where(eq(chats.id, chatId));
  return rows[0]?.visitorId ?? chatId;
}

interface UnlistedQuery {
  /** Chats of the visit, and those that its cookies list. */
  visited: string[];
  listed: string[];
  /** Epoch seconds. */
  since: number;
}

/** Finds the anonymous chats that a visit's browser has begun since then, and that its cookies don't list. */
export async function findUnlistedChats(
  db: Db,
  { visited, listed, since }: UnlistedQuery,
): Promise<string[]> {
  const among = (ids: string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db.all<{ id: string }>(sql`SELECT id FROM chats INDEXED BY chats_browser
    WHERE visitor_id IN (SELECT visitor_id FROM chats WHERE id IN ${among(visited)}) AND last_message_at >= ${since * 1000}
      AND user_id IS NULL AND created_at >= ${since} AND id NOT IN ${among(listed)}
    ORDER BY last_message_at DESC LIMIT ${MAX_VISITOR_CHATS}`);
  return rows.map(({ id }) => id);
}

/** Finds the account of a chat, unless it has no session that began since then. @param since epoch seconds */
export async function findAttachedAccount(db: Db, chatId: string, since: number) {
  const { id, firstName, lastName, email } = users;
  const [account] = await db
    .select({ id, firstName, lastName, email })
    .from(chats)
    .innerJoin(users, eq(users.id, chats.userId))
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(chats.id, chatId), gte(sessions.createdAt, since)))
    .limit(1);
  return account;
}

/** Compares a chat with a list, which may be empty. */
const isOneOf = (ids: string[]): SQL =>
  sql`${chats.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** Largest number of a customer's chats in their own list. */
export const MAX_VISITOR_CHATS = 50;

/** Finds the chats of a browser and of a customer, latest first. @param ids chats of the browser */
export async function findVisitorChats(
  db: Db,
  ids: string[],
  account: AccountRef | null,
  limit = MAX_VISITOR_CHATS,
): Promise<ChatRow[]> {
  const ofBrowser = db.select().from(chats).where(isOneOf(ids));
  const ofAccount = db
    .select()
    .from(chats)
    .where(eq(chats.userId, account ?? ""))
    .orderBy(...latestFirst)
    .limit(limit);
  const found = account === null ? [await ofBrowser] : await db.batch([ofBrowser, ofAccount]);
  const byId = new Map(found.flat().map((row) => [row.id, row]));
  return [...byId.values()].sort((a, b) => b.lastMessageAt - a.lastMessageAt);
}

/** Chats with new answers that are counted, the latest; it bounds the rows read. */
const MAX_ANSWERED_CHATS = 10;

/** Chat with answers that its visitor has not read. */
interface AnsweredChat {
  id: string;
  visitorUnread: number;
}

/** Finds a browser's chats, a customer's with unread answers, and whether the customer has any. */
export async function findAnswers(
  db: Db,
  ids: string[],
  account: AccountRef | null,
): Promise<{ ofBrowser: AnsweredChat[]; ofAccount: AnsweredChat[]; hasAny: boolean }> {
  const columns = { id: chats.id, visitorUnread: chats.visitorUnread };
  const isOfAccount = eq(chats.userId, account ?? "");
  const [ofBrowser, ofAccount, any] = await db.batch([
    db.select(columns).from(chats).where(isOneOf(ids)),
    db
      .select(columns)
      .from(chats)
      .where(and(isOfAccount, sql`visitor_unread > 0`))
      .orderBy(...latestFirst)
      .limit(MAX_ANSWERED_CHATS),
    db.select({ id: chats.id }).from(chats).where(isOfAccount).limit(1),
  ]);
  return { ofBrowser, ofAccount, hasAny: any.length > 0 };
}

/** Earlier chats of a visitor that the console lists. */
const MAX_EARLIER_CHATS = 5;

/** Visitor of a chat as the console shows them, and their other chats, latest first. */
export async function findChatVisitor(db: Db, chatId: string) {
  const ofChat = (column: SQL) => sql`(SELECT ${column} FROM ${chats} WHERE ${chats.id} = ${chatId})`;
  const account = db
    .select({
      id: users.id,
      email: users.email,
      phoneNumber: users.phoneNumber,
      createdAt: users.createdAt,
    })
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
  const [accounts, ...found] = await db.batch([
    account,
    others(eq(chats.userId, ofChat(sql`${chats.userId}`))),
    others(eq(chats.visitorId, browser)),
    others(eq(chats.id, browser)),
  ]);
  const byId = new Map(found.flat().map((row) => [row.id, row]));
  const earlier = [...byId.values()].sort((a, b) => b.lastMessageAt - a.lastMessageAt);
  return { account: accounts[0] ?? null, earlier: earlier.slice(0, MAX_EARLIER_CHATS) };
}

/** Finds the product after which a chat is named. */
export async function findChatSubject(db: Db, chatId: string) {
  const { subjectId, subjectColor, subjectCount } = chats;
  const [row] = await db
    .select({ subjectId, subjectColor, subjectCount })
    .from(chats)
    .where(eq(chats.id, chatId));
  return row ?? { subjectId: null, subjectColor: null, subjectCount: 0 };
}
