import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { emailKey } from "~/http/email-address";
import type { MailThread } from "~/http/mail.server";
import type { RequestContext } from "~/http/request-context.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { linkKey, randomToken, replyTokens, sha256 } from "~/session/tokens.server";
import {
  type AddressedChat,
  findConversations,
  findLatestChat,
  openThread,
  renewThread,
  type TokenHolder,
} from "../mails.queries.server";

/** Reader of a conversation's mails: the visitor by their address, a member of staff by their account and its address. */
export interface MailReader {
  email: string;
  /** Account of the member of staff; none for the visitor. */
  userId?: string;
}

type ThreadSettings = Pick<ShopSettings, "url" | "mailDomain">;

/** Seconds for which a mail's link turns the mails of its conversation off. */
const STOP_SECONDS = 365 * DAY_SECONDS;

/**
 * Prepares a mail of a conversation to one reader.
 *
 * @returns null when the reader has turned the mails of this conversation off
 */
export async function mailThread(
  env: Env,
  settings: ThreadSettings,
  chatId: string,
  reader: MailReader,
): Promise<MailThread | null> {
  const { db } = openDb(env.DB);
  const thread = await currentThread(env, db, chatId, reader);
  return thread.stoppedAt === null ? threadOf(env, settings, thread) : null;
}

async function threadOf(
  env: Env,
  settings: ThreadSettings,
  { id, token }: { id: string; token: string },
): Promise<MailThread> {
  const { mailDomain } = settings;
  return {
    id,
    replyTo: mailDomain ? `chat+${token}@${mailDomain}` : null,
    stopUrl: await stopUrl(env, settings, id),
  };
}

/**
 * Prepares a mail about a document, which comes also to a visitor who has turned the mails of the conversation off.
 *
 * @param of document's chat and customer
 * @returns thread of the document's conversation, else of its customer's last one; undefined where the address is nobody's in it,
 *   who must not write as the visitor
 */
export async function documentThread(
  { env, db }: Pick<RequestContext, "env" | "db">,
  settings: ThreadSettings,
  of: Parameters<typeof findConversations>[1],
  email: string,
): Promise<MailThread | undefined> {
  const chat = (await findConversations(db, of)).find((each) => isOfVisitor(each, emailKey(email)));
  return chat && threadOf(env, settings, await currentThread(env, db, chat.id, { email }));
}

/**
 * Prepares a mail to an account that belongs to no conversation: its owner replies where they wrote last.
 *
 * @returns undefined without a conversation, and for an address that the account has left
 */
export async function accountThread(
  { env, db }: Pick<RequestContext, "env" | "db">,
  settings: ThreadSettings,
  userId: string,
  email: string,
): Promise<MailThread | undefined> {
  const chatId = await findLatestChat(db, userId, emailKey(email));
  return chatId === null
    ? undefined
    : threadOf(env, settings, await currentThread(env, db, chatId, { email }));
}

/** Detects an address of a chat's visitor. @param key of the address */
const isOfVisitor = ({ address, customerAddress }: AddressedChat, key: string): boolean =>
  key !== "" && [address, customerAddress].some((each) => emailKey(each) === key);

/** Finds or adds a thread. Without the secret that its token was derived from, it gets a new id and token. */
async function currentThread(env: Env, db: Db, chatId: string, { email, ...reader }: MailReader) {
  const userId = reader.userId ?? null;
  const party = userId ?? (await sha256(emailKey(email)));
  const fresh = await newThread(env, { userId, address: email });
  const { id, tokenHash } = fresh;
  const row = await openThread(db, { id, tokenHash, chatId, userId, party, createdAt: epochSeconds() });
  for (const token of await threadTokens(env, { id: row.id, userId, address: email }))
    if (row.tokenHash === (await sha256(token))) return { ...row, token };
  await renewThread(db, row.id, { id, tokenHash });
  return { ...row, ...fresh };
}

/** Owner of a token. */
type Party = Pick<TokenHolder, "id" | "userId" | "address">;

/**
 * Derives the tokens of a thread. Those of staff end with the address of the account: their thread is that of the account,
 * while a visitor's is that of an address.
 */
export const threadTokens = (env: Env, { id, userId, address }: Party): Promise<string[]> =>
  replyTokens(env.COOKIE_SECRET, userId === null ? id : `${id}\0${emailKey(address)}`);

async function newThread(env: Env, party: Omit<Party, "id">) {
  const id = randomToken();
  const [token = ""] = await threadTokens(env, { id, ...party });
  return { id, token, tokenHash: await sha256(token) };
}

/** Builds the link that turns the mails of a conversation off. */
async function stopUrl(env: Env, { url }: Pick<ShopSettings, "url">, threadId: string): Promise<string> {
  const key = await linkKey(env.COOKIE_SECRET, "mails", threadId, epochSeconds() + STOP_SECONDS);
  return `${url}/unsubscribe?${new URLSearchParams({ id: threadId, key })}`;
}
