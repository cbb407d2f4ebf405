import { and, asc, desc, eq, gt, inArray, or, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import {
  chatFirstAnswers,
  chatImports,
  chatSettings,
  chats,
  predefinedResponses,
  sessions,
  users,
} from "~/db/schema";
import { deleteChatSubscriptions } from "~/features/push/queries.server";
import type { ChatSettings } from "./rooms";

export type ChatRow = typeof chats.$inferSelect;
export type ResponseRow = typeof predefinedResponses.$inferSelect;
export type SettingsRow = typeof chatSettings.$inferSelect;

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

export async function isChatOfUser(db: Db, id: string, userId: string): Promise<boolean> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, id), eq(chats.userId, userId)));
  return rows.length > 0;
}

/** @returns the ids of the customer's own chats among these */
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

/** Deletes a chat's row, its import and the subscriptions to it. */
export async function deleteChatRecords(db: Db, id: string): Promise<void> {
  await db.batch([
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

/** Finds the predefined responses in the order they were added. */
export function findResponses(db: Db): Promise<ResponseRow[]> {
  return db
    .select()
    .from(predefinedResponses)
    .orderBy(asc(predefinedResponses.createdAt), asc(predefinedResponses.id));
}

export async function insertResponse(db: Db, row: ResponseRow): Promise<void> {
  await db.insert(predefinedResponses).values(row);
}

export async function findResponse(db: Db, id: string): Promise<ResponseRow | null> {
  const rows = await db.select().from(predefinedResponses).where(eq(predefinedResponses.id, id));
  return rows[0] ?? null;
}

/** Matches a response by its id and, if it was read before, by the values read. */
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
 * @param seen overwrites these values only; null overwrites any
 * @returns the changed row; null when none matched
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
 * @param seen deletes it with these values only; null with any
 * @returns whether a row was deleted
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

export async function findStaffAddresses(db: Db): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.isUser, true), or(eq(users.isAdmin, true), eq(users.isManager, true))))
    .orderBy(users.createdAt)
    .limit(50);
  return rows.map(({ email }) => email);
}
