import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { IS_OWING } from "~/db/factors";
import { chatMails, IS_ACTIVE_STAFF, type MailOutcome, mailThreads, receivedMails } from "~/db/schema";
import { DAY_SECONDS } from "~/domain/durations";
import { customerOfChat } from "./queries.server";

type ThreadRow = typeof mailThreads.$inferSelect;

/** Finds the thread of a chat with one person, or adds it. */
export async function openThread(db: Db, thread: Omit<ThreadRow, "stoppedAt">): Promise<ThreadRow> {
  const [row] = await db
    .insert(mailThreads)
    .values(thread)
    // Changes nothing, but returns the row.
    .onConflictDoUpdate({ target: [mailThreads.chatId, mailThreads.party], set: { chatId: thread.chatId } })
    .returning();
  if (!row) throw new Error("The thread was not stored.");
  return row;
}

/** Gives a thread another id and token, after which replies to earlier mails are unknown. */
export async function renewThread(db: Db, id: string, renewed: Pick<ThreadRow, "id" | "tokenHash">) {
  await db.update(mailThreads).set(renewed).where(eq(mailThreads.id, id));
}

/** Person whom a token identifies. */
export interface TokenHolder extends Pick<ThreadRow, "id" | "chatId" | "userId" | "party"> {
  /** Address to which the mails go: that of the account of staff or the visitor, else the one that the visitor gave. */
  address: string;
  /** Address of the customer whom staff know the visitor as; "" for none. */
  customerAddress: string;
  /** First name of the member of staff. */
  firstName: string | null;
  /** The account of the visitor or the member of staff may not write any more, or not before it has a second factor. */
  isLocked: boolean;
  /** The deletion of the personal data has begun. */
  isErased: boolean;
}

/** E-mail address of a chat's customer; "" without one. */
const customerAddress = (chatId: SQL): SQL =>
  sql`coalesce((SELECT email FROM customers WHERE id = ${customerOfChat(chatId)}), '')`;

/** Finds the person of a token, in one round trip. */
export async function findTokenHolder(db: Db, tokenHash: string): Promise<TokenHolder | null> {
  const rows = await db.all<TokenHolder>(sql`SELECT t.id, t.chat_id AS chatId, t.user_id AS userId, t.party,
      iif(t.user_id IS NULL, coalesce(owner.email, chats.user_email), staff.email) AS address, staff.first_name AS firstName,
      ${customerAddress(sql`t.chat_id`)} AS customerAddress,
      CASE WHEN t.user_id IS NULL THEN coalesce(owner.is_user, 1) = 0
        ELSE NOT EXISTS (SELECT 1 FROM users WHERE id = t.user_id AND ${sql.raw(IS_ACTIVE_STAFF)}
          AND NOT ${sql.raw(IS_OWING)}) END AS isLocked,
      EXISTS (SELECT 1 FROM erasure_subjects AS s JOIN erasures AS e ON e.id = s.erasure_id
        WHERE ((s.kind = 'chat' AND s.subject_id = t.chat_id) OR (s.kind = 'user' AND s.subject_id = chats.user_id))
          AND e.begun_at IS NOT NULL AND e.done_at IS NULL) AS isErased
    FROM mail_threads AS t JOIN chats ON chats.id = t.chat_id
      LEFT JOIN users AS owner ON owner.id = chats.user_id LEFT JOIN users AS staff ON staff.id = t.user_id
    WHERE t.token_hash = ${tokenHash}`);
  return rows[0] ?? null;
}

/** Conversation with the addresses of its visitor: the one that mails go to, and the one that staff know; "" for none. */
export type AddressedChat = Pick<TokenHolder, "address" | "customerAddress"> & { id: string };

/** Finds the conversation of a document and those in which its customer wrote last: linked by staff, and of the account. */
export function findConversations(
  db: Db,
  { chatId, customerId }: { chatId: string | null; customerId: string | null },
): Promise<AddressedChat[]> {
  return db.all<AddressedChat>(sql`SELECT chats.id, coalesce(owner.email, chats.user_email) AS address,
      ${customerAddress(sql`chats.id`)} AS customerAddress
    FROM (SELECT ${chatId} AS id, 1 AS place
      UNION ALL SELECT (SELECT chat_id FROM chat_customers WHERE customer_id = ${customerId} ORDER BY active_at DESC LIMIT 1), 2
      UNION ALL SELECT (SELECT c.id FROM customers AS u JOIN chats AS c ON c.user_id = u.user_id WHERE u.id = ${customerId}
        ORDER BY c.last_message_at DESC LIMIT 1), 3) AS wanted
    JOIN chats ON chats.id = wanted.id LEFT JOIN users AS owner ON owner.id = chats.user_id
    ORDER BY wanted.place`);
}

/**
 * Finds the conversation in which an account wrote last; null without one, and where its address is another one or not proven: the
 * owner of an address that somebody has signed up with must not answer into that person's conversation.
 */
export async function findLatestChat(db: Db, userId: string, address: string): Promise<string | null> {
  const [row] = await db.all<{
    id: string;
  }>(sql`SELECT chats.id FROM users JOIN chats ON chats.user_id = users.id
    WHERE users.id = ${userId} AND users.email_key = ${address}
      AND EXISTS (SELECT 1 FROM proven_addresses AS p WHERE p.user_id = users.id AND p.email_key = ${address})
    ORDER BY chats.last_message_at DESC LIMIT 1`);
  return row?.id ?? null;
}

/** Turns the mails of a thread off or on. @param stoppedAt epoch seconds; null turns them on */
export async function stopThread(db: Db, id: string, stoppedAt: number | null): Promise<boolean> {
  const rows = await db
    .update(mailThreads)
    .set({ stoppedAt })
    .where(eq(mailThreads.id, id))
    .returning({ id: mailThreads.id });
  return rows.length > 0;
}

export async function findThread(db: Db, id: string): Promise<ThreadRow | null> {
  const rows = await db.select().from(mailThreads).where(eq(mailThreads.id, id));
  return rows[0] ?? null;
}

export type ChatMail = typeof chatMails.$inferSelect;

/** Mails of one side of a conversation within a time, in seconds. */
const MAX_MAILS = 30;
const MAIL_SECONDS = 600;
/** Mails of a conversation that are kept in full: the latest. */
const MAX_KEPT = 200;

/**
 * Stores a mail, unless it is stored already or too many came before it.
 *
 * @returns `gone` when the chat was deleted
 */
export async function keepMail(db: Db, mail: ChatMail): Promise<"kept" | "repeated" | "tooMany" | "gone"> {
  const { id, chatId, receivedAt } = mail;
  const kept = await db.all(sql`INSERT INTO chat_mails
      (id, chat_id, user_id, sender, subject, text, received_at)
    SELECT ${id}, id, ${mail.userId}, ${mail.sender}, ${mail.subject}, ${mail.text}, ${receivedAt} FROM chats
    WHERE id = ${chatId} AND (SELECT count(*) FROM chat_mails
      WHERE chat_id = chats.id AND user_id IS ${mail.userId} AND received_at > ${receivedAt - MAIL_SECONDS}) < ${MAX_MAILS}
    ON CONFLICT (id) DO NOTHING RETURNING id`);
  if (kept.length > 0) {
    await deleteOldest(db, chatId);
    return "kept";
  }
  const [found] = await db.all<{ isMail: number; isChat: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM chat_mails WHERE id = ${id}) AS isMail,
      EXISTS (SELECT 1 FROM chats WHERE id = ${chatId}) AS isChat`,
  );
  if (found?.isMail) return "repeated";
  return found?.isChat ? "tooMany" : "gone";
}

/** Deletes the oldest mails of a chat above the number that is kept; their messages stay. */
async function deleteOldest(db: Db, chatId: string): Promise<void> {
  await db.run(sql`DELETE FROM chat_mails WHERE id IN (
    SELECT id FROM chat_mails WHERE chat_id = ${chatId} ORDER BY received_at DESC, id LIMIT -1 OFFSET ${MAX_KEPT})`);
}

/** Deletes a mail whose message was not stored. */
export async function dropMail(db: Db, id: string): Promise<void> {
  await db.delete(chatMails).where(eq(chatMails.id, id));
}

/** Reads a mail of a chat in full, with the address of the chat's customer. */
export async function findMail(
  db: Db,
  chatId: string,
  id: string,
): Promise<(ChatMail & Pick<TokenHolder, "customerAddress">) | null> {
  const address = customerAddress(sql`${chatMails.chatId}`);
  const rows = await db
    .select({ ...getTableColumns(chatMails), customerAddress: sql<string>`${address}` })
    .from(chatMails)
    .where(and(eq(chatMails.id, id), eq(chatMails.chatId, chatId)));
  return rows[0] ?? null;
}

const WEEK_SECONDS = 7 * DAY_SECONDS;

/** Counts a received mail in its week. @param now epoch seconds */
export async function countReceivedMail(db: Db, outcome: MailOutcome, now: number): Promise<void> {
  await db
    .insert(receivedMails)
    .values({ week: now - (now % WEEK_SECONDS), outcome, mails: 1 })
    .onConflictDoUpdate({
      target: [receivedMails.week, receivedMails.outcome],
      set: { mails: sql`${receivedMails.mails} + 1` },
    });
}
