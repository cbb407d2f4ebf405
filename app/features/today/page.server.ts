import { formatWeekday } from "~/domain/day-text";
import { localDay } from "~/domain/days";
import { type Business, businessName } from "~/domain/enums";
import { hoursText } from "~/domain/hours";
import { unitName } from "~/domain/unit-name";
import { waitingTime } from "~/features/console/time-format";
import { stockOf } from "~/features/inventory/list-params";
import { holdView, personView, quoteView, visitorOf } from "~/features/sales/holds-and-quotes/page.server";
import { readFirstRun } from "~/features/settings/first-run/page.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { isManaging } from "~/session/caller.server";
import { formatDateTime, formatRecentDate } from "~/ui/format";
import { readWaiting } from "./waiting.server";

export type TodayPage = ResultOf<typeof readTodayScreen>;
type Waiting = Awaited<ReturnType<typeof readWaiting>>;
type Rows<K extends keyof Waiting> = NonNullable<Waiting[K]>;
type RowOf<K extends "holds" | "quotes" | "jobs" | "pickUps"> = Rows<K>["rows"][number];

/** Reads the page of what waits. */
export const readTodayScreen = operation({
  access: "staff",
  input: PageInput,
  async run(context) {
    const [read, firstRun] = await Promise.all([
      readWaiting(context),
      readFirstRun.execute(context, context.input),
    ]);
    const { chatCounts, chats, holds, quotes, jobs, pickUps, levels, night } = read;
    const { now, settings, user } = context;
    const unanswered = chatCounts?.unanswered ?? chats?.length ?? 0;
    const more = unanswered - (chats?.length ?? 0);
    return {
      heading: { title: "Today", text: dayText(now, settings) },
      firstRun,
      counts: {
        chats: unanswered.toLocaleString("en"),
        moreChats: more > 0 ? more.toLocaleString("en") : null,
        open: chatCounts?.open.toLocaleString("en") ?? null,
        ...{ holds: holds?.count ?? "", quotes: quotes?.count ?? "" },
        ...{ jobs: jobs?.count ?? "", pickUps: pickUps?.count ?? "" },
      },
      ...rowsOf(read, context),
      levels: levels && { out: levels.out.units, low: levels.low.units },
      /** Null for who may not see Health, and where it could not be read. */
      problems: user.isAdmin && night ? night.problems.map(({ message }) => message) : null,
      hasRun: night?.hasRun ?? false,
      isAdmin: user.isAdmin,
      hasDashboard: isManaging(user),
      failure: Object.values(read).includes(null)
        ? "Some of what waits could not be read. Please try again."
        : null,
    };
  },
});

/** Says which day it is, and how long the shop is open: `Saturday 21st November 2026, open until 18:00`. */
function dayText(now: number, settings: StaffContext["settings"]): string {
  const { text } = hoursText(now, settings);
  const hours = text.charAt(0).toLowerCase() + text.slice(1).replace(" today", "");
  return `${formatWeekday(localDay(now, settings.timezone))}, ${hours}`;
}

/** Builds the rows of each kind. */
function rowsOf(read: Waiting, context: StaffContext) {
  const { chats, holds, quotes, jobs, pickUps, scarce, drawers } = read;
  const day = localDay(context.now, context.settings.timezone);
  return {
    chats: chats?.map((chat) => chatView(chat, context)) ?? [],
    holds: holds?.rows.map((hold) => endingHoldView(hold, context)) ?? [],
    quotes: quotes?.rows.map((quote) => quoteView(quote, context)) ?? [],
    jobs: jobs?.rows.map((quote) => jobView(quote, day, context)) ?? [],
    pickUps: pickUps?.rows.map((quote) => quoteView(quote, context)) ?? [],
    stock: scarce?.map((unit) => scarceView(unit, day, context)) ?? [],
    drawers: drawers?.map((drawer) => drawerView(drawer, context)) ?? [],
  };
}

function drawerView(
  { businessType, openedAt, expectedCents }: Rows<"drawers">[number],
  { settings }: StaffContext,
) {
  return {
    business: businessType,
    name: businessName(businessType as Business, settings.businesses),
    since: formatDateTime(openedAt, settings.timezone),
    expectedCents,
  };
}

function chatView(chat: Rows<"chats">[number], { now, settings, user }: StaffContext) {
  const { id, userName, createdAt, lastMessage, unreadCount, waitingSince, assigneeId, assignee } = chat;
  const { name, chatUrl } = personView(visitorOf({ id, userName, createdAt }), settings.timezone);
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

function endingHoldView(hold: RowOf<"holds">, context: StaffContext) {
  return {
    ...holdView(hold, context),
    worthCents: hold.worthCents,
    left: hold.until > context.now ? waitingTime(context.now, hold.until) : null,
  };
}

function jobView(quote: RowOf<"jobs">, day: string, context: StaffContext) {
  const { readyBy } = quote;
  const due = readyBy === "" ? "" : readyBy < day ? "late" : readyBy === day ? "today" : "later";
  return {
    ...quoteView(quote, context),
    due,
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
