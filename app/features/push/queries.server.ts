import { and, desc, eq, gt, inArray, isNull, lt, lte, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { IS_OWING } from "~/db/factors";
import {
  IS_ACTIVE_STAFF,
  pushKeys,
  pushPreferences,
  pushSubscriptions,
  restockRequests,
  sessions,
  users,
} from "~/db/schema";
import { ADMIN_NEWS, INITIAL_PREFERENCES, type News, type Preferences, switchName, type Way } from "./schema";

type SubscriptionRow = typeof pushSubscriptions.$inferInsert;

/** Browser that a notification is sent to. */
export interface PushTarget {
  id: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  /** VAPID key of the subscription; "" when it is unknown. */
  publicKey: string;
  /** False leaves out the message's text and the visitor's name. */
  hasPreview: boolean;
}

/** Bounds the rows read for one notification. */
const MAX_TARGETS = 200;

const { id, endpoint, p256dh, auth, publicKey } = pushSubscriptions;

/** Condition of subscriptions that notifications signed with a VAPID key can reach. */
const isReachable = (vapidKey: string) => inArray(publicKey, [vapidKey, ""]);

/**
 * Stores a subscription, or renews the stored one of its browser, and removes the owner's oldest ones.
 *
 * @param userId member of staff; null for a visitor, whose chat is the owner
 * @param max number of subscriptions that the owner keeps
 */
export async function saveSubscription(
  db: Db,
  row: SubscriptionRow,
  userId: string | null,
  max: number,
): Promise<void> {
  const { endpoint: _, chatId: __, ...changes } = row;
  const save = db
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: [pushSubscriptions.endpoint, pushSubscriptions.chatId], set: changes });
  const isOwners =
    userId === null
      ? undefined
      : inArray(
          pushSubscriptions.tokenHash,
          db.select({ hash: sessions.tokenHash }).from(sessions).where(eq(sessions.userId, userId)),
        );
  const oldest = db
    .select({ id })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.chatId, row.chatId ?? ""), isOwners))
    .orderBy(desc(pushSubscriptions.createdAt), desc(id))
    .limit(MAX_TARGETS)
    .offset(max);
  await db.batch([save, db.delete(pushSubscriptions).where(inArray(id, oldest))]);
}

/** Deletes a browser's subscriptions, those to what is back in stock among them. */
export async function deleteEndpoint(db: Db, address: string): Promise<void> {
  await db.batch([
    db.delete(pushSubscriptions).where(eq(endpoint, address)),
    db.delete(restockRequests).where(eq(restockRequests.party, address)),
  ]);
}

export async function deleteSubscriptions(db: Db, ids: number[]): Promise<void> {
  await db.delete(pushSubscriptions).where(inArray(id, ids));
}

/** Statement that deletes the subscriptions to a chat. */
export function deleteChatSubscriptions(db: Db, chatId: string) {
  return db.delete(pushSubscriptions).where(eq(pushSubscriptions.chatId, chatId));
}

/** Statement that deletes the subscriptions that anonymous visitors made to chats, and to those of a query. */
export const deleteAnonymousSubscriptions = (db: Db, chatIds: string[], moreChats: SQLWrapper) =>
  db
    .delete(pushSubscriptions)
    .where(
      and(
        isNull(pushSubscriptions.tokenHash),
        or(inArray(pushSubscriptions.chatId, chatIds), inArray(pushSubscriptions.chatId, moreChats)),
      ),
    );

/** Deletes visitors' subscriptions that were not renewed since a time, in epoch seconds. */
export async function deleteOldSubscriptions(db: Db, before: number): Promise<void> {
  await db
    .delete(pushSubscriptions)
    // The literal matches the condition of the index.
    .where(and(sql`${pushSubscriptions.chatId} <> ''`, lte(pushSubscriptions.createdAt, before)));
}

/** Deletes the subscriptions that were made with another VAPID key, which no notification reaches any more. */
export async function deleteUnreachable(db: Db, vapidKey: string): Promise<void> {
  // Two ranges of the index; "" is unknown.
  await db.batch([
    db.delete(pushSubscriptions).where(and(gt(publicKey, ""), lt(publicKey, vapidKey))),
    db.delete(pushSubscriptions).where(gt(publicKey, vapidKey)),
  ]);
}

/** Condition that a member of staff wants news, or has not said and gets them. */
const wants = (news: News, way: Way): SQL => {
  const name = switchName(news, way);
  return sql`ifnull(${pushPreferences[name]}, ${sql.raw(String(Number(INITIAL_PREFERENCES[name])))}) = 1`;
};

/** Condition that a member of staff may read news: who owes a second factor is told only of failures of the shop. */
const mayRead = (news: News): SQL =>
  ADMIN_NEWS.includes(news) ? sql`users.is_admin = 1` : sql.raw(`NOT ${IS_OWING}`);

/** Most people who are mailed about one thing. */
const MAX_MAILED = 50;

/** Finds the active staff who want news by mail, in the order of their accounts. */
export const findMailedStaff = (db: Db, news: News): Promise<{ id: string; email: string }[]> =>
  db.all(sql`SELECT users.id, users.email FROM users INDEXED BY users_team LEFT JOIN push_preferences ON push_preferences.user_id = users.id
    WHERE ${sql.raw(IS_ACTIVE_STAFF)} AND ${wants(news, "Mail")} AND ${mayRead(news)}
    ORDER BY users.created_at LIMIT ${MAX_MAILED}`);

/**
 * Finds the browsers of active staff whose session has not expired.
 *
 * @param news that is told to those who want it by push
 * @param now epoch seconds
 * @param userId member of staff; all without one
 */
export function findStaffTargets(
  db: Db,
  news: News,
  vapidKey: string,
  now: number,
  userId?: string,
): Promise<PushTarget[]> {
  return db
    .select({
      id,
      endpoint,
      p256dh,
      auth,
      publicKey,
      hasPreview: sql<boolean>`ifnull(${pushPreferences.hasPreview}, 1)`.mapWith(Boolean).as("preview"),
    })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.tokenHash, pushSubscriptions.tokenHash))
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(pushPreferences, eq(pushPreferences.userId, users.id))
    .where(
      and(
        eq(pushSubscriptions.chatId, ""),
        isReachable(vapidKey),
        gt(sessions.expiresAt, now),
        wants(news, "Push"),
        mayRead(news),
        userId === undefined ? undefined : eq(users.id, userId),
        eq(users.isUser, true),
        or(eq(users.isAdmin, true), eq(users.isManager, true), eq(users.isSeller, true)),
      ),
    )
    .limit(MAX_TARGETS);
}

/**
 * Finds the browsers of a chat's visitor; a session that has expired does not count.
 *
 * @param now epoch seconds
 */
export function findVisitorTargets(
  db: Db,
  chatId: string,
  vapidKey: string,
  now: number,
): Promise<PushTarget[]> {
  return db
    .select({
      id,
      endpoint,
      p256dh,
      auth,
      publicKey,
      hasPreview: sql<boolean>`1`.mapWith(Boolean).as("preview"),
    })
    .from(pushSubscriptions)
    .leftJoin(sessions, eq(sessions.tokenHash, pushSubscriptions.tokenHash))
    .where(
      and(
        eq(pushSubscriptions.chatId, chatId),
        isReachable(vapidKey),
        or(isNull(pushSubscriptions.tokenHash), gt(sessions.expiresAt, now)),
      ),
    )
    .limit(MAX_TARGETS);
}

/** Reads a member of staff's settings, and their session's subscription. */
export async function findPushState(db: Db, userId: string, tokenHash: string, vapidKey: string) {
  const [preferences, subscriptions] = await db.batch([
    db.select().from(pushPreferences).where(eq(pushPreferences.userId, userId)),
    db
      .select({ id })
      .from(pushSubscriptions)
      .where(
        and(
          eq(pushSubscriptions.tokenHash, tokenHash),
          eq(pushSubscriptions.chatId, ""),
          isReachable(vapidKey),
        ),
      )
      .limit(1),
  ]);
  return { preferences: preferencesOf(preferences[0]), isSubscribed: subscriptions.length > 0 };
}

/** Picks the settings of a row; those of somebody without one are the initial ones. */
function preferencesOf(row: typeof pushPreferences.$inferSelect | undefined): Preferences {
  const { userId: _, ...preferences } = row ?? { userId: "", ...INITIAL_PREFERENCES };
  return preferences;
}

/** Reads the notification settings of a member of staff. */
export async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  return preferencesOf(
    (await db.select().from(pushPreferences).where(eq(pushPreferences.userId, userId)))[0],
  );
}

/** Saves notification settings; those that are missing stay. @returns all of them */
export async function savePreferences(
  db: Db,
  userId: string,
  changes: Partial<Preferences>,
): Promise<Preferences> {
  const [row] = await db
    .insert(pushPreferences)
    .values({ userId, ...INITIAL_PREFERENCES, ...changes })
    .onConflictDoUpdate({ target: pushPreferences.userId, set: { userId, ...changes } })
    .returning();
  return preferencesOf(row);
}

/** Keys as they are stored: the private one encrypted. */
interface StoredKeys {
  publicKey: string;
  privateKey: string;
}

const STORED_KEYS = { publicKey: pushKeys.publicKey, privateKey: pushKeys.privateKey };

/** Finds the keys that the shop has made. */
export async function findPushKeys(db: Db): Promise<StoredKeys | undefined> {
  const [row] = await db.select(STORED_KEYS).from(pushKeys);
  return row;
}

/**
 * Stores new keys, unless others than the former ones were stored meanwhile.
 *
 * @param former public key of those that they replace; "" for none
 * @param now epoch seconds
 * @returns the keys that the shop has now
 */
export async function storePushKeys(
  db: Db,
  keys: StoredKeys,
  former: string,
  now: number,
): Promise<StoredKeys> {
  const row = { ...keys, createdAt: now };
  const insert = db
    .insert(pushKeys)
    .values(row)
    .onConflictDoUpdate({ target: pushKeys.one, set: row, setWhere: eq(pushKeys.publicKey, former) });
  const [, [stored]] = await db.batch([insert, db.select(STORED_KEYS).from(pushKeys)]);
  return stored ?? keys;
}
