import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { DAY_SECONDS } from "~/domain/durations";
import { BUSINESSES, type Business } from "~/domain/enums";
import type { ChatReport } from "./limits";

/** Period of a report: instants are epoch seconds, days and months include both ends. */
export interface ReportSpan {
  /** As sums of chats name it: `2026-11`, `2026-q4` or `2026`. */
  name: string;
  from: number;
  until: number;
  days: { from: string; to: string };
  months: { from: string; to: string };
}

/** Chats that a figure of the dashboard counts. */
export interface ReportQuery {
  kind: ChatReport;
  span: ReportSpan;
  /** Of sales and revenue; a chat itself belongs to no business. Null for both. */
  business: Business | null;
}

/** Matches the chats that a figure counts. @param chats name of the table, or of what stands for it */
export function inReport({ kind, span, business }: ReportQuery, chats = sql.raw("chats")): SQL {
  const begun = sql`${chats}.month BETWEEN ${span.months.from} AND ${span.months.to}`;
  const own = business ? sql`AND d.business_type = ${business}` : sql``;
  const conditions: Record<ChatReport, SQL> = {
    begun,
    sold: sql`${begun} AND EXISTS (SELECT 1 FROM documents AS d WHERE d.chat_id = ${chats}.id AND d.kind = 'sale' ${own})`,
    answered: sql`${begun} AND EXISTS (SELECT 1 FROM chat_first_answers AS a WHERE a.chat_id = ${chats}.id)`,
    // Instants a day wider, for the index: SHOP_TIMEZONE may have changed since the documents' days were computed.
    paid: sql`${chats}.id IN (SELECT d.chat_id FROM documents AS d WHERE d.source = 'chat'
      AND d.created_at BETWEEN ${span.from - DAY_SECONDS} AND ${span.until + DAY_SECONDS}
      AND d.day BETWEEN ${span.days.from} AND ${span.days.to} ${own})`,
  };
  return conditions[kind];
}

/** Figures of the chats of a period. */
export interface ChatFigures {
  /** Chats begun in the period. */
  begun: number;
  /** Of these, chats with a recorded sale. */
  sold: number;
  /** Of these, chats that a person has answered. */
  answered: number;
  /** Median of the seconds to these first answers; null without any. */
  answerSeconds: number | null;
  /** Documents from chats issued in the period, credit notes included, in cents. */
  revenueCents: number;
  /** Sales recorded today, and those of them from chats. */
  salesToday: number;
  fromChatsToday: number;
}

/** Reads the figures of the chats of a period, which triggers keep. @param today YYYY-MM-DD */
export async function findChatFigures(
  db: Db,
  span: ReportSpan,
  today: string,
  business: Business | null,
): Promise<ChatFigures> {
  const own = business ? sql`AND business_type = ${business}` : sql``;
  const total = (name: string) =>
    sql`coalesce((SELECT total FROM chat_sums WHERE period = ${span.name} AND name = ${name}), 0)`;
  const cents = (business ? [business] : BUSINESSES).map((name) => total(`cents:${name}`));
  const [[sums], [days]] = await Promise.all([
    db.all<Omit<ChatFigures, DayFigure>>(sql`SELECT ${total("begun")} AS begun,
        ${total(business ? `sold:${business}` : "sold")} AS sold, ${sql.join(cents, sql` + `)} AS revenueCents,
        coalesce(answers, 0) AS answered, (ms + 999) / 1000 AS answerSeconds
      FROM (SELECT 1) LEFT JOIN chat_medians ON period = ${span.name}`),
    db.all<Pick<ChatFigures, DayFigure>>(sql`SELECT
        coalesce(sum(documents), 0) AS salesToday, coalesce(sum(iif(source = 'chat', documents, 0)), 0) AS fromChatsToday
      FROM document_sums WHERE period = ${today} AND kind = 'sale' ${own}`),
  ]);
  if (!sums || !days) throw new Error("A sum has one row");
  return { ...sums, ...days };
}

type DayFigure = "salesToday" | "fromChatsToday";
