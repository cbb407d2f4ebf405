import { z } from "zod";
import type { Author } from "~/db/audit";
import { openDb } from "~/db/client.server";
import { isRestoring, requireNoRestore } from "~/db/restores.server";
import { searchForm } from "~/db/text";
import { localDay } from "~/domain/days";
import { epochSeconds } from "~/domain/durations";
import { isManagerAccount } from "~/features/accounts/queries.server";
import { findMailedStaff } from "~/features/push/queries.server";
import { adminRoom } from "~/http/shop-objects.server";
import { shopSettings, shopVars } from "~/http/shop-settings.server";
import { isStaff } from "~/session/caller.server";
import { placeValues } from "../place-values.server";
import { MessageCard } from "../protocol";
import {
  deleteChatRecords,
  findImportContent,
  findLiveSessions,
  findSettings,
  type StaffAddress,
  saveFirstAnswer,
} from "../queries.server";
import { findResponses } from "../responses.queries.server";
import type { AutoReplies, ConnectionIdentity, ImportedChat } from "../rooms";
import { type ChatRowUpdate, upsertChatRows } from "../rows.queries.server";
import { INITIAL_SETTINGS, setOnline, settingsAt } from "./settings.server";

/** Functions that chat rooms call. They have no request context, so each opens D1 itself. */
const roomDb = (env: Env) => openDb(env.DB).db;

/** Reads what a room needs to post its automatic replies. @throws Error RESTORING */
export async function loadAutoReplies(env: Env, db = roomDb(env)): Promise<AutoReplies> {
  // The client sends them in one round trip.
  const [settings, responses, shop] = await Promise.all([
    findSettings(db),
    findResponses(db),
    shopSettings({ db, env }),
    requireNoRestore(db),
  ]);
  return {
    settings: settingsAt(settings, shop, epochSeconds()),
    responses: responses.filter(({ isActive }) => isActive),
    pickup: shop.pickup,
    place: placeValues(shop, epochSeconds()),
    shopName: shop.name,
  };
}

export { refusedByRestore } from "~/db/restores.server";

/** Tests for a restore under way. */
export const isRestoreUnderWay = (env: Env) => isRestoring(roomDb(env));

/** State of a chat as its room knows it. */
export type RoomUpdate = Omit<ChatRowUpdate, "row"> & { row: Omit<ChatRowUpdate["row"], "month"> };

/** Returns the searched text of a chat's row, also as it is compared. */
export const searchedText = (text: string): Pick<RoomUpdate, "text" | "searchText"> => ({
  text,
  searchText: searchForm(text),
});

/** Outcome of a chat's update. */
export interface SavedUpdate {
  /** The deletion of the chat's account has begun. */
  isErased: boolean;
  /** Address of the row; null for one that was not written. */
  userEmail: string | null;
}

/** Updates or adds the row of a chat in the list of chats. @param author of a change that is to be recorded */
export async function saveChatRow(
  env: Env,
  update: RoomUpdate,
  author: Author | null = null,
): Promise<SavedUpdate> {
  const [saved] = await saveRows(env, [update], { author });
  return { isErased: saved?.isErased ?? false, userEmail: saved?.userEmail ?? null };
}

/**
 * Updates the rows of chats in the list of chats, in one transaction.
 *
 * @returns the outcome of each; null for a row that was not written, since a newer one is there or none: that of a chat that was
 *   deleted meanwhile must not come back
 */
export async function updateChatRows(env: Env, updates: RoomUpdate[]): Promise<(SavedUpdate | null)[]> {
  const saved = await saveRows(env, updates, { onlyListed: true });
  return saved.map((each) => (each.userEmail === null ? null : each));
}

async function saveRows(env: Env, updates: RoomUpdate[], options: Parameters<typeof upsertChatRows>[2]) {
  const monthOf = (seconds: number) => localDay(seconds, shopVars(env).timezone).slice(0, 7);
  const rows = updates.map((update) => ({
    ...update,
    row: { ...update.row, month: monthOf(update.row.createdAt) },
  }));
  const { hasEvents, erasedUsers, written } = await upsertChatRows(roomDb(env), rows, options);
  if (hasEvents) await adminRoom(env).deliverWebhooks();
  return updates.map(({ row: { id, userId } }) => ({
    userEmail: written.get(id) ?? null,
    isErased: userId !== null && erasedUsers.has(userId),
  }));
}

/** Measures the usual reply time anew. @param answer times in epoch milliseconds */
export function recordFirstAnswer(
  env: Env,
  answer: { chatId: string; askedAt: number; answeredAt: number },
): Promise<void> {
  return saveFirstAnswer(roomDb(env), INITIAL_SETTINGS, answer);
}

/** Deletes a chat from the list. @param author who deleted it; null for the system */
export function deleteChatRow(env: Env, chatId: string, author: Author | null): Promise<void> {
  const db = roomDb(env);
  if (author) db.author = author;
  return deleteChatRecords(db, chatId);
}

const Imported = z.object({
  chat: z.object({
    id: z.string(),
    userName: z.string(),
    userEmail: z.string(),
    userId: z.string().nullable(),
    isAnonymous: z.boolean(),
    lines: z.array(
      z.object({ productId: z.string(), name: z.string(), quantity: z.number(), priceCents: z.number() }),
    ),
  }),
  messages: z
    .array(
      z.object({
        id: z.string(),
        message: z.string(),
        isFromAdmin: z.boolean(),
        cards: z.array(MessageCard).optional(),
        senderName: z.string(),
        at: z.number(),
      }),
    )
    .min(1),
  unread: z.number(),
});

/** Finds the chat that an empty room imports (docs/decisions/0009-live-chat.md). @throws Error RESTORING */
export async function findChatImport(env: Env, chatId: string): Promise<ImportedChat | null> {
  const db = roomDb(env);
  const [content] = await Promise.all([findImportContent(db, chatId), requireNoRestore(db)]);
  return content === null ? null : Imported.parse(content);
}

/**
 * Finds sessions that have ended: signed out, expired, deactivated, or no longer staff.
 *
 * @returns token hashes of the identities whose connections must close
 */
export async function endedSessions(env: Env, identities: ConnectionIdentity[]): Promise<Set<string>> {
  const hashes = identities.flatMap(({ tokenHash }) => tokenHash ?? []);
  const { db } = openDb(env.DB);
  const alive = new Map(
    (await findLiveSessions(db, [...new Set(hashes)], epochSeconds())).map((row) => [row.tokenHash, row]),
  );
  const ended = identities.filter(({ tokenHash, role, userId }) => {
    const session = tokenHash === null ? undefined : alive.get(tokenHash);
    if (!session || session.userId !== userId) return true;
    return role === "staff" && !isStaff(session);
  });
  return new Set(ended.flatMap(({ tokenHash }) => tokenHash ?? []));
}

/**
 * Saves isOnline for the live event `chat-status-change`.
 *
 * @returns false, with nothing saved, unless the connection is an admin's or manager's
 */
export async function setOnlineFromRoom(
  env: Env,
  { role, userId }: ConnectionIdentity,
  isOnline: boolean,
): Promise<boolean> {
  const db = roomDb(env);
  if (role !== "staff" || !userId || !(await isManagerAccount(db, userId))) return false;
  db.author = { kind: "staff", userId, sourceId: null };
  await setOnline(env, db, isOnline);
  return true;
}

/** Finds the staff who want mails of messages that wait. */
export function staffAddresses(env: Env): Promise<StaffAddress[]> {
  return findMailedStaff(roomDb(env), "message");
}
