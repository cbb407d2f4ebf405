import { and, desc, eq, gt, sql } from "drizzle-orm";
import { added, difference, INSERTED, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { quotes } from "~/db/schema";

export type StoredQuote = typeof quotes.$inferSelect;

export async function findQuote(db: Db, id: string): Promise<StoredQuote | undefined> {
  const [row] = await db.select().from(quotes).where(eq(quotes.id, id)).limit(1);
  return row;
}

/** Finds the latest quotes of a chat, newest first. */
export function findChatQuotes(db: Db, chatId: string, limit: number): Promise<StoredQuote[]> {
  return db
    .select()
    .from(quotes)
    .where(eq(quotes.chatId, chatId))
    .orderBy(desc(quotes.createdAt))
    .limit(limit);
}

/** Stores a quote unless its id is taken. */
export async function insertQuote(
  db: Db,
  quote: typeof quotes.$inferInsert,
): Promise<StoredQuote | undefined> {
  const [[row]] = await db.batch([
    db.insert(quotes).values(quote).onConflictDoNothing().returning(),
    recorded(db, {
      object: "quote",
      action: "sent",
      id: quote.id,
      changes: {
        totalCents: added(quote.totalCents),
        validUntil: added(quote.validUntil),
        chat: added(quote.chatId),
      },
      rows: sql`WHERE ${INSERTED}`,
    }),
  ]);
  return row;
}

/**
 * Decides a quote that is open.
 *
 * @param now epoch seconds; a quote that has expired can only be withdrawn
 * @returns undefined when it is not open any more
 */
export async function decideQuote(
  db: Db,
  id: string,
  state: "accepted" | "declined" | "withdrawn",
  now: number,
): Promise<StoredQuote | undefined> {
  const isOpen = and(eq(quotes.id, id), eq(quotes.state, "sent"));
  const where = state === "withdrawn" ? isOpen : and(isOpen, gt(quotes.validUntil, now));
  const [, [row]] = await db.batch([
    recorded(db, {
      object: "quote",
      action: state,
      id: quotes.id,
      changes: { state: difference(quotes.state, state) },
      rows: sql`FROM ${quotes} WHERE ${where}`,
    }),
    db.update(quotes).set({ state }).where(where).returning(),
  ]);
  return row;
}
