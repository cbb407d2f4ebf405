import { z } from "zod";
import { openDb } from "~/db/client.server";
import { sendMail } from "~/http/mail.server";
import { shopSettings } from "~/http/shop-settings.server";
import { answerMail, waitingMail } from "../mail.server";
import {
  type ChatRow,
  findImport,
  findLiveSessions,
  findResponses,
  findSettings,
  findStaffAddresses,
  projectChat,
  removeChat,
} from "../queries.server";
import type { Answers, ImportedChat, Seat } from "../rooms";
import { chatLink } from "./links.server";
import { setOnline, settingsView } from "./settings.server";

/** What rooms ask of the rest of the shop. They have no request: each call opens its own way to D1. */
const dbOf = (env: Env) => openDb(env.DB, null).db;
const seconds = () => Math.floor(Date.now() / 1000);

/** What the shop says by itself just now. */
export async function answersOf(env: Env): Promise<Answers> {
  const db = dbOf(env);
  const [settings, responses] = await Promise.all([findSettings(db), findResponses(db)]);
  return { settings: settingsView(settings), responses: responses.filter(({ isActive }) => isActive) };
}

/** Writes a room's row into the list of chats. */
export function saveChatRow(env: Env, row: ChatRow): Promise<void> {
  return projectChat(dbOf(env), row);
}

/** Takes a chat out of the list for good. */
export function forgetChat(env: Env, chatId: string): Promise<void> {
  return removeChat(dbOf(env), chatId);
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
        senderName: z.string(),
        at: z.number(),
      }),
    )
    .min(1),
  unread: z.number(),
});

/**
 * What waits for an empty room to be filled with (docs/decisions/0009-live-chat.md).
 *
 * @returns null when nothing does
 */
export async function importOf(env: Env, chatId: string): Promise<ImportedChat | null> {
  const content = await findImport(dbOf(env), chatId);
  return content === null ? null : Imported.parse(content);
}

/**
 * Which of these connections' sessions have ended: signed out, expired, deactivated, or no longer staff.
 *
 * @param seats of connections that a session opened
 * @returns the token hashes of those that must close
 */
export async function endedSessions(env: Env, seats: Seat[]): Promise<Set<string>> {
  const hashes = seats.flatMap(({ tokenHash }) => tokenHash ?? []);
  // A replica may still hold a session that has just ended.
  const { db } = openDb(env.DB, "first-primary");
  const alive = new Map(
    (await findLiveSessions(db, [...new Set(hashes)], seconds())).map((row) => [row.tokenHash, row]),
  );
  const ended = seats.filter(({ tokenHash, role, userId }) => {
    const session = tokenHash === null ? undefined : alive.get(tokenHash);
    if (!session || session.userId !== userId) return true;
    return role === "staff" && !session.isAdmin && !session.isManager;
  });
  return new Set(ended.flatMap(({ tokenHash }) => tokenHash ?? []));
}

/** Saves isOnline as the live event `chat-status-change` asks; the room has checked that staff asks. */
export function setOnlineFromRoom(env: Env, isOnline: boolean): Promise<void> {
  return setOnline(env, dbOf(env), isOnline);
}

/** Addresses of everybody who may answer in the console. */
export function staffAddresses(env: Env): Promise<string[]> {
  return findStaffAddresses(dbOf(env));
}

/** Tells one of the staff that a visitor waits. */
export function mailStaff(
  env: Env,
  to: string,
  chat: { id: string; userName: string; lastMessage: string },
): Promise<void> {
  const settings = shopSettings(env);
  const link = `${settings.url}/admin/chat?chat=${encodeURIComponent(chat.id)}`;
  return sendMail(env.MAIL, settings, waitingMail(settings, to, chat, link));
}

/** Brings answers to a visitor who is gone. */
export async function mailVisitor(
  env: Env,
  chat: { id: string; userName: string; userEmail: string },
  answers: string[],
): Promise<void> {
  const settings = shopSettings(env);
  const link = await chatLink(settings.url, env.COOKIE_SECRET, chat.id, seconds());
  await sendMail(env.MAIL, settings, answerMail(settings, chat, answers, link));
}
