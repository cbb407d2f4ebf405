import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Business } from "~/features/ledger/enums";

/** Chats of a period and the sales that they became. */
export interface ChatFigures {
  begun: number;
  /** Of these, chats with a recorded sale. */
  becameSales: number;
  /** Documents from chats issued in the period, credit notes included, in cents. */
  revenueCents: number;
}

/** Counts the chats of a period. @param period instants (epoch seconds) of chats, days and months of documents */
export async function findChatFigures(
  db: Db,
  { from, until, months }: { from: number; until: number; months: { from: string; to: string } },
  business: Business | null,
): Promise<ChatFigures> {
  const own = business ? sql`AND business_type = ${business}` : sql``;
  const [row] = await db.all<ChatFigures>(sql`SELECT count(*) AS begun,
      coalesce(sum(EXISTS (SELECT 1 FROM documents WHERE chat_id = chats.id AND kind = 'sale' ${own})), 0) AS becameSales,
      (SELECT coalesce(sum(total_cents), 0) FROM document_sums
        WHERE period BETWEEN ${months.from} AND ${months.to} AND length(period) = 7 AND source = 'chat' ${own}) AS revenueCents
    FROM chats WHERE created_at >= ${from} AND created_at < ${until}`);
  return row ?? { begun: 0, becameSales: 0, revenueCents: 0 };
}
