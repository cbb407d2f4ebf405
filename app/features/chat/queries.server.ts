import { and, asc, count, desc, eq, gt, inArray, or, sql, sum } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { chatImports, chatSettings, chats, predefinedResponses, sessions, users } from "~/db/schema";

export type ChatRow = typeof chats.$inferSelect;
export type ResponseRow = typeof predefinedResponses.$inferSelect;
export type SettingsRow = typeof chatSettings.$inferSelect;

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

/** Chats, latest first, and how many there are. */
export async function findChats(db: Db, { limit, offset }: { limit?: number | undefined; offset: number }) {
  const [rows, [all]] = await Promise.all([
    db
      .select()
      .from(chats)
      .orderBy(...latestFirst)
      .limit(limit ?? Number.MAX_SAFE_INTEGER)
      .offset(offset),
    db.select({ total: count() }).from(chats),
  ]);
  return { rows, total: all?.total ?? 0 };
}

/** How far back unread messages are counted: a badge must not cost a look at every chat there ever was. */
const COUNTED_CHATS = 100;

/** Unread messages in the latest chats. */
export async function countUnread(db: Db): Promise<number> {
  const latest = db
    .select({ unreadCount: chats.unreadCount })
    .from(chats)
    .orderBy(...latestFirst)
    .limit(COUNTED_CHATS)
    .as("latest");
  const rows = await db.select({ unread: sum(latest.unreadCount) }).from(latest);
  return Number(rows[0]?.unread ?? 0);
}

/** Whether a signed-in customer began a chat. */
export async function isChatOf(db: Db, id: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, id), eq(chats.userId, userId)));
  return rows.length > 0;
}

/** Which of these chats a customer has. */
export async function findChatsOf(db: Db, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(inArray(chats.id, ids), eq(chats.userId, userId)));
  return rows.map(({ id }) => id);
}

/** The chat that a signed-in customer used last. */
export async function findLatestChatOf(db: Db, userId: string): Promise<string | null> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(eq(chats.userId, userId))
    .orderBy(...latestFirst)
    .limit(1);
  return rows[0]?.id ?? null;
}

/** Writes a room's row, unless a newer state of it stands there already. */
export async function projectChat(db: Db, row: ChatRow): Promise<void> {
  const { lastMessage, lastMessageAt, unreadCount, revision, userId } = row;
  await db
    .insert(chats)
    .values(row)
    .onConflictDoUpdate({
      target: chats.id,
      set: { lastMessage, lastMessageAt, unreadCount, revision, userId },
      setWhere: sql`${chats.revision} < excluded.revision`,
    });
}

/** Takes a chat out of the list, and what its room might be filled with. */
export async function removeChat(db: Db, id: string): Promise<void> {
  await db.batch([
    db.delete(chats).where(eq(chats.id, id)),
    db.delete(chatImports).where(eq(chatImports.chatId, id)),
  ]);
}

/** What waits for a room to be filled with. */
export async function findImport(db: Db, id: string): Promise<unknown> {
  const rows = await db
    .select({ content: chatImports.content })
    .from(chatImports)
    .where(eq(chatImports.chatId, id));
  return rows[0]?.content ?? null;
}

/** Every predefined response, in the order they were added. */
export function findResponses(db: Db): Promise<ResponseRow[]> {
  return db
    .select()
    .from(predefinedResponses)
    .orderBy(asc(predefinedResponses.createdAt), asc(predefinedResponses.id));
}

export async function insertResponse(db: Db, row: ResponseRow): Promise<void> {
  await db.insert(predefinedResponses).values(row);
}

/** One predefined response, or null. */
export async function findResponse(db: Db, id: string): Promise<ResponseRow | null> {
  const rows = await db.select().from(predefinedResponses).where(eq(predefinedResponses.id, id));
  return rows[0] ?? null;
}

/** Matches a response by its id and, where it was read before, only as it was then. */
function unchanged(id: string, seen: ResponseRow | null) {
  const { trigger, response, category, isActive } = predefinedResponses;
  return and(
    eq(predefinedResponses.id, id),
    seen ? eq(trigger, seen.trigger) : undefined,
    seen ? eq(response, seen.response) : undefined,
    seen ? eq(category, seen.category) : undefined,
    seen ? eq(isActive, seen.isActive) : undefined,
  );
}

/**
 * Changes a response.
 *
 * @param seen only overwrites this state; null overwrites any
 * @returns the row as it is now; null when there is none, or none in that state
 */
export async function updateResponseRow(
  db: Db,
  id: string,
  changes: Partial<ResponseRow>,
  seen: ResponseRow | null,
): Promise<ResponseRow | null> {
  const rows = await db.update(predefinedResponses).set(changes).where(unchanged(id, seen)).returning();
  return rows[0] ?? null;
}

/**
 * Deletes a response.
 *
 * @param seen only deletes it in this state; null deletes it in any
 * @returns whether there was one
 */
export async function removeResponse(db: Db, id: string, seen: ResponseRow | null): Promise<boolean> {
  const rows = await db
    .delete(predefinedResponses)
    .where(unchanged(id, seen))
    .returning({ id: predefinedResponses.id });
  return rows.length > 0;
}

export async function findSettings(db: Db): Promise<SettingsRow | null> {
  const rows = await db.select().from(chatSettings).where(eq(chatSettings.one, 1));
  return rows[0] ?? null;
}

/**
 * Saves what is given of the settings.
 *
 * @param initial what the rest is while nothing was ever saved
 * @param version only overwrites this version, 0 being none at all; undefined overwrites any
 * @returns the row as it is now; null when another version is stored
 */
export async function saveSettings(
  db: Db,
  initial: Omit<SettingsRow, "one" | "version">,
  changes: Partial<Omit<SettingsRow, "one" | "version">>,
  version?: number,
): Promise<SettingsRow | null> {
  const rows = await db
    .insert(chatSettings)
    .values({ one: 1, ...initial, ...changes, version: 1 })
    .onConflictDoUpdate({
      target: chatSettings.one,
      set: { ...changes, version: sql`${chatSettings.version} + 1` },
      ...(version !== undefined && { setWhere: eq(chatSettings.version, version) }),
    })
    .returning();
  return rows[0] ?? null;
}

/**
 * Which sessions still open something.
 *
 * @param tokenHashes of the sessions asked about
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

/** Addresses of everybody who may answer in the console. */
export async function findStaffAddresses(db: Db): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.isUser, true), or(eq(users.isAdmin, true), eq(users.isManager, true))))
    .orderBy(users.createdAt)
    .limit(50);
  return rows.map(({ email }) => email);
}
