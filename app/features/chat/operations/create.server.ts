import { oncePerClient } from "~/db/client.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { randomToken, sha256 } from "~/session/tokens.server";
import { CONTINUED_SECONDS, MAX_ASKED_CHATS } from "../limits";
import { findVisitorId } from "../list.queries.server";
import type { ProductCard } from "../protocol";
import type { ChatCartLine, InitialMessage, NewChat } from "../rooms";
import { KeyInput } from "../schema";
import { rememberedName, visitorName } from "../visitor-name.server";
import {
  followSignIn,
  isContinued,
  latestBrowserChat,
  rememberChat,
  rememberVisit,
  visitorChats,
} from "./access.server";
import { storeFirst } from "./files.server";
import { loadAutoReplies } from "./rooms.server";

/** Rooms asked to continue, since a row in D1 can be behind its room, and rooms that a key opens. */
const ATTEMPTS = [1, 2, 3];
const MAX_ATTEMPTS = ATTEMPTS.length;

/** Limits how many chats begin from one address. */
export const startLimits = ({ env, address }: RequestContext) => [
  { limiter: env.LIMIT_CHAT_CREATE_ADDRESS, key: address },
];

/**
 * Begins what opening a chat reads whatever it is about, beside a read that comes first. Of a visitor with neither account
 * nor chat it is the only read.
 */
export function expectStart(context: RequestContext): void {
  void readAutoReplies(context);
  void readOwnChats(context);
  void readVisitorId(context);
}

const readAutoReplies = oncePerClient(({ env, db }: RequestContext) => loadAutoReplies(env, db));
const readOwnChats = oncePerClient((context: RequestContext) => visitorChats(context));
/** Finds the visitor of the browser's latest chat; null without one. */
const readVisitorId = oncePerClient(async (context: RequestContext) => {
  const previous = await latestBrowserChat(context);
  return previous && (await findVisitorId(context.db, previous));
});

export interface StartedChat {
  chatId: string;
  isNew: boolean;
}

export interface ChatStart {
  userName?: string;
  userEmail?: string;
  initialMessage?: string | undefined;
  isAnonymous?: boolean | undefined;
  /** Products beside the initial message; the first is what the chat is about. */
  cards?: ProductCard[];
  /** The product never was: only a start that is already stored is answered. */
  isCardUnknown?: boolean | undefined;
  /** Files of the initial message. */
  files?: File[];
  /** Key of the form, whose submissions start one chat. */
  key?: string | undefined;
  /** Hash of the whole request, for its key. */
  digest?: string | undefined;
  /** Refuses other content with a used key; a form that is filled anew starts another chat. */
  isKeyStrict?: boolean | undefined;
  lines: ChatCartLine[];
}

/** Completes a chat with the name and e-mail address of a signed-in customer. */
export async function withAccount(context: RequestContext, start: ChatStart) {
  const [user, { name: shopName }] = await Promise.all([context.caller.user(), shopSettings(context)]);
  const accountName = user ? `${user.firstName} ${user.lastName}` : "";
  const userEmail = start.userEmail || (user?.email ?? "");
  return {
    userName: visitorName(shopName, start.userName ?? "", accountName),
    userEmail,
    userId: user?.id ?? null,
    isAnonymous: userEmail === "" || (start.isAnonymous ?? false),
    initialMessage: firstMessage(start),
    productId: start.cards?.[0]?.productId,
    isCardUnknown: start.isCardUnknown,
    files: start.files ?? [],
    key: start.key,
    digest: start.digest,
    isKeyStrict: start.isKeyStrict,
    lines: start.lines,
  };
}

/** Composes the visitor's message; null for a chat that begins without one. */
function firstMessage({ initialMessage, cards = [], files = [] }: ChatStart): InitialMessage | null {
  if (initialMessage === undefined && files.length === 0) return null;
  return { message: initialMessage ?? "", cards };
}

type CompleteStart = Awaited<ReturnType<typeof withAccount>> & Pick<NewChat, "isGreeted" | "isShared">;

/**
 * Declares a start by a form that has nothing to fill in.
 *
 * @param compose composes its message and what it asks for; throws when there is nothing to ask about
 */
export const startByForm = (
  compose: (context: RequestContext) => Promise<Pick<ChatStart, "initialMessage" | "cards" | "lines">>,
) =>
  operation({
    access: "anyone",
    input: KeyInput,
    limits: startLimits,
    async run({ input: { key }, ...context }) {
      expectStart(context);
      return continueOrOpen(context, { ...(await compose(context)), key });
    },
  });

/** Continues the visitor's latest open chat; if all are closed, old or deleted, requests at one time open a new one. */
export async function continueOrOpen(context: RequestContext, start: ChatStart): Promise<StartedChat> {
  const [chat, chats] = await Promise.all([withAccount(context, start), readOwnChats(context)]);
  const { key, isKeyStrict, files, userId: _, ...continued } = chat;
  const open = chats.filter((row) => isContinued(row, context.now)).map(({ id }) => id);
  const keyed =
    isKeyStrict && key
      ? await findKeyedStart(context.env, key, open)
      : { candidates: open, messageId: undefined };
  const since = (context.now - CONTINUED_SECONDS) * 1000;
  for (const id of keyed.candidates.slice(0, MAX_ATTEMPTS)) {
    const isContinued = await storeFirst(
      context,
      id,
      continued.initialMessage,
      files,
      async (initialMessage) =>
        context.env.CHAT_ROOM.getByName(id).continue({
          ...continued,
          initialMessage,
          since,
          messageId: keyed.messageId,
        }),
    );
    if (isContinued === "otherStart") throw otherStart();
    if (!isContinued) continue;
    await remember(context, id);
    return { chatId: id, isNew: false };
  }
  const earlier = chats.map(({ userName }) => userName);
  const userName = rememberedName((await shopSettings(context)).name, chat.userName, earlier);
  const roomKey = key ?? (chats[0] && `after:${chats[0].id}:${Math.floor(context.now / 60)}`);
  return openNew(context, {
    ...chat,
    userName,
    key: roomKey,
    isShared: key === undefined,
    isGreeted: true,
  });
}

const otherStart = () => new AppError("conflict", "Another conversation was started with this key.");

/**
 * Finds the chats in which a start with a key may have been stored: none where the key opened a chat, whose room compares
 * it, else those of the visitor, the one with the message first.
 *
 * @param open the visitor's open chats
 * @returns also the id of the start's message in a chat that it continues
 */
async function findKeyedStart(env: Env, key: string, open: string[]) {
  const messageId = `start-${await chatIdOf(env, `${key}:message`)}`;
  const opened = await Promise.all(ATTEMPTS.map((attempt) => chatIdOf(env, `${key}:${attempt}`)));
  if (open.some((id) => opened.includes(id))) return { messageId, candidates: [] };
  const asked = open.slice(0, MAX_ASKED_CHATS);
  const isKnown = await Promise.all(asked.map((id) => env.CHAT_ROOM.getByName(id).hasStart(messageId)));
  const known = asked.filter((_, at) => isKnown[at]);
  return { messageId, candidates: [...known, ...asked.filter((id) => !known.includes(id))] };
}

/** Opens the room in one call, so that a chat is created completely or not at all. */
export async function openNew(
  context: RequestContext,
  start: CompleteStart,
  attempt = 1,
): Promise<StartedChat> {
  const { env } = context;
  const { initialMessage, files, key, isKeyStrict, ...chat } = start;
  const chatId = key && attempt <= MAX_ATTEMPTS ? await chatIdOf(env, `${key}:${attempt}`) : randomToken();
  const previous = await latestBrowserChat(context);
  const [autoReplies, visitorId] = await Promise.all([readAutoReplies(context), readVisitorId(context)]);
  const opened = { ...chat, id: chatId, visitorId: visitorId ?? chatId };
  const isOpen = await storeFirst(context, chatId, initialMessage, files, async (first) =>
    env.CHAT_ROOM.getByName(chatId).open(opened, first, autoReplies),
  );
  if (isOpen === "otherStart" && isKeyStrict) throw otherStart();
  // The form of this page has started a chat before, which is closed or about something else.
  if (isOpen !== true) return openNew(context, start, attempt + 1);
  if (previous && chat.userId === null) await followSignIn(context, chatId, previous);
  await remember(context, chatId);
  return { chatId, isNew: true };
}

/** Derives the id of the chat that requests with a key open; only the visitor knows the key. */
const chatIdOf = async ({ COOKIE_SECRET }: Env, key: string) =>
  (await sha256(`chat:${COOKIE_SECRET}:${key}`)).slice(0, 32);

async function remember(context: RequestContext, chatId: string): Promise<void> {
  await rememberChat(context, chatId);
  await rememberVisit(context, chatId);
}
