import { and, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type Author, changedFact, difference, differences, recorded, removed } from "~/db/audit";
import { type Db, runBatch } from "~/db/client.server";
import {
  chatFirstAnswers,
  chatImports,
  chatSettings,
  chats,
  chatTexts,
  IS_ACTIVE_STAFF,
  sessions,
  users,
} from "~/db/schema";
import { searchForm } from "~/db/text";
import { deleteChatSubscriptions } from "~/features/push/queries.server";
import { SETTINGS } from "./records";
import type { ChatSettings } from "./rooms";

export type ChatRow = typeof chats.$inferSelect;
export type SettingsRow = typeof chatSettings.$inferSelect;

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

export async function isChatOfUser(db: Db, id: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, id), eq(chats.userId, userId)));
  return rows.length > 0;
}

/** Returns the ids of the user's own chats among these. */
export async function filterChatsOfUser(db: Db, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(inArray(chats.id, ids), eq(chats.userId, userId)));
  return rows.map(({ id }) => id);
}

/** Finds the chat that a customer used last. */
export async function findLatestChatOfUser(db: Db, userId: string): Promise<string | null> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(eq(chats.userId, userId))
    .orderBy(...latestFirst)
    .limit(1);
  return rows[0]?.id ?? null;
}

/** Message of a chat, sent as it is. */
interface ChatEvent {
  seq: number;
  timestamp: { seconds: number };
}

/** Statement that adds messages to the outbox, each once; it returns those that wait. */
function addChatEvents(chatId: string, messages: ChatEvent[]): SQL {
  return sql`INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, due_at, created_at)
    SELECT 'msg_' || ${chatId} || '_' || (m.value ->> 'seq') || '_' || w.id, w.id, 'chat.message', ${chatId},
      m.value, m.value ->> '$.timestamp.seconds', m.value ->> '$.timestamp.seconds'
    FROM webhooks AS w JOIN json_each(${JSON.stringify(messages)}) AS m
    WHERE w.disabled_at IS NULL AND instr(w.events, '"chat.message"') > 0 AND w.created_at <= m.value ->> '$.timestamp.seconds'
    ON CONFLICT (id) DO UPDATE SET event = excluded.event WHERE state = 'waiting' RETURNING id`;
}

/** Id of a chat's customer: linked by staff, or that of the account which wrote. */
export const customerOfChat = (chatId: string): SQL =>
  sql`coalesce((SELECT customer_id FROM chat_customers WHERE chat_id = ${chatId}),
    (SELECT u.id FROM chats JOIN customers AS u ON u.user_id = chats.user_id WHERE chats.id = ${chatId}))`;

/** Seconds by which a last visit may be behind, so that not every message of a conversation writes it. */
const SEEN_STEP = 600;

/** Statement that dates the last visit of a chat's customer by their message. @param seconds epoch seconds */
const markCustomerSeen = (chatId: string, seconds: number): SQL =>
  sql`UPDATE customers SET last_seen = ${seconds} WHERE id = ${customerOfChat(chatId)} AND last_seen < ${seconds - SEEN_STEP}`;

/**
 * Writes a room's row unless the stored revision is newer.
 *
 * @param text searched text of the chat
 * @param messages new ones, for the outbox of webhooks and the customer's last visit
 * @param author who changed the chat's name, state or assignee, to be recorded
 * @returns `hasEvents` when some of them wait there; `isErased` when the deletion of the chat's account has begun
 */
export async function upsertChatRow(
  db: Db,
  row: ChatRow,
  text: string,
  messages: (ChatEvent & { isFromAdmin: boolean })[],
  author: Author | null = null,
): Promise<{ hasEvents: boolean; isErased: boolean }> {
  const { id: _, createdAt: __, month: ___, visitorId: ____, ...changes } = row;
  const upsert = db
    .insert(chats)
    .values(row)
    .onConflictDoUpdate({
      target: chats.id,
      set: changes,
      setWhere: sql`${chats.revision} < excluded.revision`,
    });
  const searched = { text, searchText: searchForm(text), searchName: searchForm(row.userName) };
  // Compared first, so that a read mark does not write the search's tables.
  const isNew = sql`(${chatTexts.text}, ${chatTexts.searchText}, ${chatTexts.searchName})
    IS NOT (${text}, ${searched.searchText}, ${searched.searchName})`;
  const updateText = db
    .update(chatTexts)
    .set(searched)
    .where(and(eq(chatTexts.chatId, row.id), isNew));
  const visit = messages.findLast(({ isFromAdmin }) => !isFromAdmin);
  const [erasures = [], ...results] = await runBatch(db, [
    sql`SELECT 1 FROM erasures INDEXED BY erasures_begun WHERE user_id = ${row.userId} AND begun_at IS NOT NULL LIMIT 1`,
    ...(author ? [recordChat(db, row, author)] : []),
    upsert,
    updateText,
    ...(visit ? [markCustomerSeen(row.id, visit.timestamp.seconds)] : []),
    ...(messages.length > 0 ? [addChatEvents(row.id, messages)] : []),
  ]);
  const hasEvents = messages.length > 0 && (results.at(-1)?.length ?? 0) > 0;
  return { hasEvents, isErased: erasures.length > 0 };
}

/** Statement that compares a room's row with the stored one. */
const recordChat = (db: Db, row: ChatRow, author: Author) =>
  recorded(
    db,
    {
      object: "chat",
      action: "changed",
      id: chats.id,
      changes: {
        state: difference(chats.state, row.state),
        assignee: difference(chats.assigneeId, row.assigneeId),
        name: changedFact(chats.userName, row.userName),
      },
      rows: sql`FROM ${chats} WHERE ${and(eq(chats.id, row.id), lt(chats.revision, row.revision))}`,
    },
    author,
  );

/** Deletes a chat's row, its import and the subscriptions to it. */
export async function deleteChatRecords(db: Db, id: string): Promise<void> {
  await db.batch([
    recorded(db, {
      object: "chat",
      action: "deleted",
      id: chats.id,
      changes: { state: removed(chats.state) },
      rows: sql`FROM ${chats} WHERE ${eq(chats.id, id)}`,
    }),
    db.delete(chats).where(eq(chats.id, id)),
    db.delete(chatImports).where(eq(chatImports.chatId, id)),
    db.delete(chatFirstAnswers).where(eq(chatFirstAnswers.chatId, id)),
    deleteChatSubscriptions(db, id),
  ]);
}

export async function findImportContent(db: Db, id: string): Promise<unknown> {
  const rows = await db
    .select({ content: chatImports.content })
    .from(chatImports)
    .where(eq(chatImports.chatId, id));
  return rows[0]?.content ?? null;
}

export async function findSettings(db: Db): Promise<SettingsRow | null> {
  const rows = await db.select().from(chatSettings).where(eq(chatSettings.one, 1));
  return rows[0] ?? null;
}

/**
 * Saves some of the settings.
 *
 * @param initial values of the other settings on the first save
 * @param version overwrites this version only, 0 for none; undefined overwrites any
 * @returns the stored row; null when another version is stored
 */
export async function saveSettings(
  db: Db,
  initial: ChatSettings,
  changes: Partial<Omit<SettingsRow, "one" | "version">>,
  version?: number,
): Promise<SettingsRow | null> {
  const isCurrent =
    version === undefined ? sql`true` : sql`coalesce(${chatSettings.version}, ${version}) = ${version}`;
  const [, rows] = await db.batch([
    recorded(db, {
      object: "chatSettings",
      action: "changed",
      id: "chat",
      changes: differences(chatSettings, { ...SETTINGS.audited, answererPicture: "fact" }, changes),
      rows: sql`FROM (SELECT 1) LEFT JOIN ${chatSettings} ON ${eq(chatSettings.one, 1)} WHERE ${isCurrent}`,
    }),
    db
      .insert(chatSettings)
      .values({ one: 1, ...initial, ...changes, version: 1 })
      .onConflictDoUpdate({
        target: chatSettings.one,
        set: { ...changes, version: sql`${chatSettings.version} + 1` },
        ...(version !== undefined && { setWhere: eq(chatSettings.version, version) }),
      })
      .returning(),
  ]);
  return rows[0] ?? null;
}

/** Recent answers whose median is displayed, and how many are needed for one. */
const MEASURED_ANSWERS = 50;
const MIN_ANSWERS = 3;

/**
 * Stores the first answer of a chat and measures the usual reply time anew.
 *
 * @param initial settings of a shop that has not saved any
 * @param answer times in epoch milliseconds
 */
export async function saveFirstAnswer(
  db: Db,
  initial: ChatSettings,
  answer: typeof chatFirstAnswers.$inferInsert,
): Promise<void> {
  const { askedAt, answeredAt } = chatFirstAnswers;
  await db.insert(chatFirstAnswers).values(answer).onConflictDoNothing();
  const recent = await db
    .select({ ms: sql<number>`${answeredAt} - ${askedAt}` })
    .from(chatFirstAnswers)
    .orderBy(desc(answeredAt))
    .limit(MEASURED_ANSWERS);
  if (recent.length < MIN_ANSWERS) return;
  const sorted = recent.map(({ ms }) => ms).sort((a, b) => a - b);
  const replySeconds = Math.ceil((sorted[Math.ceil(sorted.length / 2) - 1] ?? 0) / 1000);
  const replyMeasuredAt = Math.floor(answer.answeredAt / 1000);
  const measured = { replySeconds, replyMeasuredAt };
  await db
    .insert(chatSettings)
    .values({ one: 1, ...initial, ...measured, version: 0 })
    .onConflictDoUpdate({ target: chatSettings.one, set: measured });
}

/**
 * Finds sessions that have not expired, of active users.
 *
 * @param now epoch seconds
 */
export function findLiveSessions(db: Db, tokenHashes: string[], now: number) {
  return db
    .select({
      tokenHash: sessions.tokenHash,
      userId: sessions.userId,
      isAdmin: users.isAdmin,
      isManager: users.isManager,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        inArray(sessions.tokenHash, sql`(select value from json_each(${JSON.stringify(tokenHashes)}))`),
        gt(sessions.expiresAt, now),
        eq(users.isUser, true),
      ),
    );
}

/** Finds the addresses of active staff. */
export async function findStaffAddresses(db: Db): Promise<string[]> {
  const rows = await db.all<{ email: string }>(sql`SELECT email FROM users INDEXED BY users_staff
    WHERE ${sql.raw(IS_ACTIVE_STAFF)} ORDER BY created_at LIMIT 50`);
  return rows.map(({ email }) => email);
}
