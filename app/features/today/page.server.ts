import { formatDay, formatWholeDay } from "~/domain/day-text";
import { localDay } from "~/domain/days";
import { unitName } from "~/domain/unit-name";
import { waitingTime } from "~/features/console/time-format";
import { stockOf } from "~/features/inventory/list-params";
import { holdView, personView, quoteView } from "~/features/sales/holds-and-quotes/page.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { formatRecentDate } from "~/ui/format";
import { countText, type countWaiting, readWaiting } from "./waiting.server";

export type TodayPage = ResultOf<typeof readTodayScreen>;
type Waiting = Awaited<ReturnType<typeof readWaiting>>;
type Rows<K extends keyof Waiting> = NonNullable<Waiting[K]>;

/** Reads the page of what waits. */
export const readTodayScreen = operation({
  access: "staff",
  input: PageInput,
  async run(context) {
    const read = await readWaiting(context);
    const { counts, chats, holds, quotes, jobs, levels, scarce, problems } = read;
    const { now, settings, user } = context;
    const day = localDay(now, settings.timezone);
    return {
      heading: { title: "Today", text: formatWholeDay(day) },
      counts: counts && countTexts(counts),
      chats: chats?.map((chat) => chatView(chat, context)) ?? [],
      holds: holds?.map((hold) => endingHoldView(hold, context)) ?? [],
      quotes: quotes?.map((quote) => quoteView(quote, context)) ?? [],
      jobs: jobs?.map((quote) => jobView(quote, day, context)) ?? [],
      stock: scarce?.map((unit) => scarceView(unit, day, context)) ?? [],
      levels: levels && { out: levels.out.units, low: levels.low.units },
      /** Null for who may not see Health, and where it could not be read. */
      problems: user.isAdmin && problems ? problems.map(({ message }) => message) : null,
      isAdmin: user.isAdmin,
      failure: Object.values(read).includes(null)
        ? "Some of what waits could not be read. Please try again."
        : null,
    };
  },
});

const countTexts = ({
  conversations,
  open,
  holds,
  quotes,
  jobs,
}: Awaited<ReturnType<typeof countWaiting>>) => ({
  chats: conversations.toLocaleString("en"),
  open: open.toLocaleString("en"),
  holds: countText(holds),
  quotes: countText(quotes),
  jobs: countText(jobs),
});

function chatView(chat: Rows<"chats">[number], { now, settings, user }: StaffContext) {
  const { id, userName, createdAt, lastMessage, unreadCount, waitingSince, assigneeId, assignee } = chat;
  const person = { chatId: id, customerId: null, customerName: null, userName, began: createdAt };
  const { name, chatUrl } = personView(person, settings.timezone);
  return {
    id,
    name,
    to: chatUrl ?? "",
    text: lastMessage,
    unread: unreadCount,
    waits: waitingTime(waitingSince / 1000, now),
    whose: assigneeId === user.id ? "yours" : assignee ? `${assignee}’s` : "nobody’s",
  };
}

function endingHoldView(hold: Rows<"holds">[number], context: StaffContext) {
  return {
    ...holdView(hold, context),
    worthCents: hold.worthCents,
    left: hold.until > context.now ? waitingTime(context.now, hold.until) : null,
  };
}

function jobView(quote: Rows<"jobs">[number], day: string, context: StaffContext) {
  const { readyBy } = quote;
  const due = readyBy === "" ? "" : readyBy < day ? "late" : readyBy === day ? "today" : "later";
  return {
    ...quoteView(quote, context),
    due,
    ready: readyBy ? formatDay(readyBy).replace(` ${day.slice(0, 4)}`, "") : "",
  };
}

function scarceView(unit: Rows<"scarce">[number], day: string, { settings }: StaffContext) {
  const { unitId, productId, name, values, stock } = unit;
  return {
    id: unitId,
    name: unitName(name, values),
    to: stockOf({ unitId, productId, name }),
    stock,
    text: scarceText(unit, day, settings.timezone),
    // Idempotency key of the form: repeating its POST adds the pieces once.
    change: crypto.randomUUID() as string,
  };
}

function scarceText({ stock, change }: Rows<"scarce">[number], day: string, timezone: string): string {
  if (!change) return "Never had any";
  const since = formatRecentDate(change.at, timezone, day);
  if (stock === 0) return `Since ${since}`;
  const isSold = change.reason === "sale" && change.quantity < 0;
  return isSold ? `${-change.quantity} sold on ${since}` : `Changed on ${since}`;
}
