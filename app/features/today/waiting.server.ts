import { oncePerClient } from "~/db/client.server";
import { addDays, instantAt, localDay } from "~/domain/days";
import { countWaitingChats, findWaitingChats } from "~/features/chat/list.queries.server";
import { findProblems } from "~/features/health/problems.server";
import { findScarceUnits } from "~/features/inventory/movements.queries.server";
import { countLevels } from "~/features/inventory/queries.server";
import {
  countWaitingSales,
  findEndingHolds,
  findJobs,
  findOpenQuotes,
  type Span,
} from "~/features/sales/queries/hold-quote-list.server";
import type { StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";

/** Rows of each kind that are listed. */
export const MAX_ROWS = 5;
/** Holds, quotes and jobs that are counted, each. */
const MAX_COUNTED = 10;

type Clock = Pick<StaffContext, "now" | "settings">;

/** Returns the day of the shop as a span of epoch seconds. */
function today({ now, settings: { timezone } }: Clock): Span {
  const day = localDay(now, timezone);
  return {
    from: instantAt(`${day}T00:00:00`, timezone),
    until: instantAt(`${addDays(day, 1)}T00:00:00`, timezone),
  };
}

/** Counts what waits: the chats all, the others up to a limit. */
export const countWaiting = oncePerClient(async (context: Pick<StaffContext, "db"> & Clock) => {
  const [{ unanswered, open }, sales] = await Promise.all([
    countWaitingChats(context.db),
    countWaitingSales(context.db, today(context), MAX_COUNTED + 1),
  ]);
  return { conversations: unanswered, open, ...sales };
});

/** Number of things that wait, for the navigation. */
export interface WaitingCount {
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
}

/** Adds up what waits. Stock is left out: it would count the same pieces on every day. */
export function waitingCount({ conversations, holds, quotes, jobs }: WaitingCounts): WaitingCount {
  const counted = [holds, quotes, jobs].map((count) => Math.min(count, MAX_COUNTED));
  return {
    count: counted.reduce((sum, count) => sum + count, conversations),
    isMore: Math.max(holds, quotes, jobs) > MAX_COUNTED,
  };
}
type WaitingCounts = Awaited<ReturnType<typeof countWaiting>>;

/** Writes a number of holds, quotes or jobs, which are counted up to a limit. */
export const countText = (count: number): string => (count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count));

/** Problems of the night and of backups, which an admin has to know. */
const OF_THE_NIGHT = /^(?:night |backup |job: )/;

/** Reads what waits, in one round trip; what could not be read is null. */
export async function readWaiting(context: StaffContext) {
  const { db, now, user } = context;
  const [counts, chats, holds, quotes, jobs, levels, scarce, problems] = await Promise.all([
    resultOrNull(countWaiting(context)),
    resultOrNull(findWaitingChats(db, MAX_ROWS)),
    resultOrNull(findEndingHolds(db, today(context), MAX_ROWS)),
    resultOrNull(findOpenQuotes(db, MAX_ROWS)),
    resultOrNull(findJobs(db, MAX_ROWS)),
    resultOrNull(countLevels(db, null, null)),
    resultOrNull(findScarceUnits(db, MAX_ROWS)),
    user.isAdmin ? resultOrNull(findProblems(db, now)) : [],
  ]);
  const ofNight = problems?.filter(({ problem }) => OF_THE_NIGHT.test(problem)) ?? null;
  return { counts, chats, holds, quotes, jobs, levels, scarce, problems: ofNight };
}
