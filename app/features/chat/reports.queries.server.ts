import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Business } from "~/features/ledger/enums";
import type { ChatReport } from "./limits";

/** Chats and documents of a report: instants are epoch seconds, days and months include both ends. */
export interface ReportSpan {
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

const DAY = 86_400;

/** Matches the chats that a figure counts. @param chats name of the table, or of what stands for it */
export function inReport({ kind, span, business }: ReportQuery, chats = sql.raw("chats")): SQL {
  const begun = sql`${chats}.created_at >= ${span.from} AND ${chats}.created_at < ${span.until}`;
  const own = business ? sql`AND d.business_type = ${business}` : sql``;
  const conditions: Record<ChatReport, SQL> = {
    begun,
    sold: sql`${begun} AND EXISTS (SELECT 1 FROM documents AS d WHERE d.chat_id = ${chats}.id AND d.kind = 'sale' ${own})`,
    answered: sql`${begun} AND EXISTS (SELECT 1 FROM chat_first_answers AS a WHERE a.chat_id = ${chats}.id)`,
    // Instants a day wider, for the index: SHOP_TIMEZONE may have changed since the documents' days were computed.
    paid: sql`${chats}.id IN (SELECT d.chat_id FROM documents AS d WHERE d.source = 'chat'
      AND d.created_at BETWEEN ${span.from - DAY} AND ${span.until + DAY}
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

/** Computes the figures of the chats of a period, by the conditions of their lists. @param today YYYY-MM-DD */
export async function findChatFigures(
  db: Db,
  span: ReportSpan,
  today: string,
  business: Business | null,
): Promise<ChatFigures> {
  const own = business ? sql`AND business_type = ${business}` : sql``;
  const [[sums], [days]] = await Promise.all([
    // One walk through the chats begun, in which each costs about three rows.
    db.all<ChatRows>(sql`SELECT count(*) AS begun, count(a.chat_id) AS answered,
        coalesce(sum(${inReport({ kind: "sold", span, business })}), 0) AS sold,
        json_group_array(a.answered_at - a.asked_at) FILTER (WHERE a.chat_id IS NOT NULL) AS answerTimes,
        (SELECT coalesce(sum(total_cents), 0) FROM document_sums WHERE period BETWEEN ${span.months.from} AND ${span.months.to}
          AND length(period) = 7 AND source = 'chat' ${own}) AS revenueCents
      FROM chats LEFT JOIN chat_first_answers AS a ON a.chat_id = chats.id
      WHERE ${inReport({ kind: "begun", span, business })}`),
    db.all<Pick<ChatFigures, "salesToday" | "fromChatsToday">>(sql`SELECT
        coalesce(sum(documents), 0) AS salesToday, coalesce(sum(iif(source = 'chat', documents, 0)), 0) AS fromChatsToday
      FROM document_sums WHERE period = ${today} AND kind = 'sale' ${own}`),
  ]);
  if (!sums || !days) throw new Error("A sum has one row");
  const { answerTimes, ...counts } = sums;
  const sorted = (JSON.parse(answerTimes) as number[]).sort((a, b) => a - b);
  const median = sorted[Math.ceil(sorted.length / 2) - 1];
  return { ...counts, ...days, answerSeconds: median === undefined ? null : Math.ceil(median / 1000) };
}

type ChatRows = Pick<ChatFigures, "begun" | "answered" | "sold" | "revenueCents"> & {
  /** JSON: milliseconds to the first answer of each answered chat. */
  answerTimes: string;
};
