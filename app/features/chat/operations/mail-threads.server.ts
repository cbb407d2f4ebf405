import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { emailKey } from "~/http/email-address";
import type { MailThread } from "~/http/mail.server";
import type { ShopSettings } from "~/http/shop-settings.server";
import { linkKey, randomToken, replyTokens, sha256 } from "~/session/tokens.server";
import { openThread, renewThread } from "../mails.queries.server";

/** Reader of a conversation's mails: a member of staff by their account, the visitor by their address. */
export type MailReader = { userId: string } | { email: string };

/** Seconds for which a mail's link turns the mails of its conversation off. */
const STOP_SECONDS = 365 * DAY_SECONDS;

/**
 * Prepares a mail of a conversation to one reader.
 *
 * @returns null when the reader has turned the mails of this conversation off
 */
export async function mailThread(
  env: Env,
  settings: Pick<ShopSettings, "url" | "mailDomain">,
  chatId: string,
  reader: MailReader,
): Promise<MailThread | null> {
  const { db } = openDb(env.DB);
  const thread = await currentThread(env, db, chatId, reader);
  if (thread.stoppedAt !== null) return null;
  const { mailDomain } = settings;
  return {
    id: thread.id,
    replyTo: mailDomain ? `chat+${thread.token}@${mailDomain}` : null,
    stopUrl: await stopUrl(env, settings, thread.id),
  };
}

/** Finds or adds a thread. Without the secret that its token was derived from, it gets a new id and token. */
async function currentThread(env: Env, db: Db, chatId: string, reader: MailReader) {
  const fresh = await newThread(env);
  const userId = "userId" in reader ? reader.userId : null;
  const party = "userId" in reader ? reader.userId : await sha256(emailKey(reader.email));
  const { id, tokenHash } = fresh;
  const row = await openThread(db, { id, tokenHash, chatId, userId, party, createdAt: epochSeconds() });
  for (const token of await replyTokens(env.COOKIE_SECRET, row.id))
    if (row.tokenHash === (await sha256(token))) return { ...row, token };
  await renewThread(db, row.id, { id, tokenHash });
  return { ...row, ...fresh };
}

async function newThread(env: Env) {
  const id = randomToken();
  const [token = ""] = await replyTokens(env.COOKIE_SECRET, id);
  return { id, token, tokenHash: await sha256(token) };
}

/** Builds the link that turns the mails of a conversation off. */
async function stopUrl(env: Env, { url }: Pick<ShopSettings, "url">, threadId: string): Promise<string> {
  const key = await linkKey(env.COOKIE_SECRET, "mails", threadId, epochSeconds() + STOP_SECONDS);
  return `${url}/unsubscribe?${new URLSearchParams({ id: threadId, key })}`;
}
