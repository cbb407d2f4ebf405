import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { differences, recorded, removed } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { OWES_FACTOR } from "~/db/factors";
import {
  type AccountRef,
  chatFirstAnswers,
  chatImports,
  chatSettings,
  chats,
  sessions,
  users,
} from "~/db/schema";
import { deleteChatSubscriptions } from "~/features/push/queries.server";
import { SETTINGS } from "./records";
import type { ChatSettings } from "./rooms";

export type ChatRow = typeof chats.$inferSelect;
export type SettingsRow = typeof chatSettings.$inferSelect;

const latestFirst = [desc(chats.lastMessageAt), desc(chats.id)];

export async function isChatOfUser(db: Db, id: string, account: AccountRef): Promise<boolean> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.id, id), eq(chats.userId, account)));
  return rows.length > 0;
}

/** Selects the ids of the user's own chats among these. */
export const chatsOfUser = (db: Db, userId: string, ids: string[]) =>
  db
    .select({ id: chats.id })
    .from(chats)
    .where(and(inArray(chats.id, ids), eq(chats.userId, userId)));

/** Finds the chat that a customer used last. */
export async function findLatestChatOfUser(db: Db, account: AccountRef): Promise<string | null> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(eq(chats.userId, account))
    .orderBy(...latestFirst)
    .limit(1);
  return rows[0]?.id ?? null;
}

/** Id of a chat's customer: linked by staff, or that of the account which wrote. */
export const customerOfChat = (chatId: SQL | string): SQL =>
  sql`coalesce((SELECT customer_id FROM chat_customers WHERE chat_id = ${chatId}),
    (SELECT u.id FROM chats JOIN customers AS u ON u.user_id = chats.user_id WHERE chats.id = ${chatId}))`;

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
      isSeller: users.isSeller,
      owesFactor: OWES_FACTOR,
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

/** Member of staff who gets mails. */
export interface StaffAddress {
  id: string;
  email: string;
}
