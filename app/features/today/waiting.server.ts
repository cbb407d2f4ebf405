import { type Db, oncePerClient } from "~/db/client.server";
import { instantAt, localDay } from "~/domain/days";
import { endOfDay } from "~/domain/hours";
import { countWaitingChats, findWaitingChats } from "~/features/chat/list.queries.server";
import { findOpenDrawers } from "~/features/drawer/queries.server";
import { readNightState } from "~/features/health/problems.server";
import { findScarceUnits } from "~/features/inventory/movements.queries.server";
import { countLevels } from "~/features/inventory/queries.server";
import {
  countWaitingSales,
  findEndingHolds,
  findJobs,
  findOpenQuotes,
  findPickUps,
  type Span,
} from "~/features/sales/queries/hold-quote-list.server";
import type { StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";

/** Rows of each kind that are listed. */
const MAX_ROWS = 4;
/** Holds, quotes and jobs that the navigation counts, together: each page of the back office reads them. */
const MAX_COUNTED = 10;

type Clock = Pick<StaffContext, "now" | "settings">;

/** Returns the day of the shop, with the night until which it is open, as a span of epoch seconds. */
function today({ now, settings }: Clock): Span {
  const day = localDay(now, settings.timezone);
  return { from: instantAt(`${day}T00:00:00`, settings.timezone), until: endOfDay(day, settings) };
}

/** Counts of the chats, which the page and its navigation share. */
const readChatCounts = oncePerClient(({ db }: { db: Db }) => countWaitingChats(db));

/** Number of things that wait, for the navigation. */
export interface WaitingCount {
  count: number;
  /** There are more than were counted. */
  isMore: boolean;
}

/**
 * Counts what waits: the chats all, the others up to a limit. Stock is left out: it would count the same pieces on every
 * day.
 */
export async function countWaiting(context: Pick<StaffContext, "db"> & Clock): Promise<WaitingCount> {
  const [{ unanswered }, others] = await Promise.all([
    readChatCounts(context),
    countWaitingSales(context.db, today(context), MAX_COUNTED + 1),
  ]);
  return { count: unanswered + Math.min(others, MAX_COUNTED), isMore: others > MAX_COUNTED };
}

/** First rows of a kind. */
interface Listed<Row> {
  rows: Row[];
  /** Number in words: of more than are listed at least these. */
  count: string;
}

/** Lists the first rows of a read, whose last one tells that there are others; null where it could not be read. */
async function listed<Row>(reading: Promise<Row[]>): Promise<Listed<Row> | null> {
  const read = await resultOrNull(reading);
  if (!read) return null;
  const rows = read.slice(0, MAX_ROWS);
  return { rows, count: read.length > MAX_ROWS ? `${MAX_ROWS}+` : String(rows.length) };
}
/** Rows of a kind that are read. */
const READ = MAX_ROWS + 1;

/** Night of who may not see Health. */
const NOT_SHOWN = { problems: [], hasRun: false };

/** Reads what waits, in one round trip; what could not be read is null. */
export async function readWaiting(context: StaffContext) {
  const { db, now, user } = context;
  const [chatCounts, chats, holds, quotes, jobs, pickUps, levels, scarce, drawers, night] = await Promise.all(
    [
      resultOrNull(readChatCounts(context)),
      resultOrNull(findWaitingChats(db, MAX_ROWS)),
      listed(findEndingHolds(db, today(context), READ)),
      listed(findOpenQuotes(db, READ)),
      listed(findJobs(db, READ)),
      listed(findPickUps(db, READ)),
      resultOrNull(countLevels(db, null, null)),
      resultOrNull(findScarceUnits(db, MAX_ROWS)),
      resultOrNull(findOpenDrawers(db)),
      user.isAdmin ? resultOrNull(readNightState(db, now)) : NOT_SHOWN,
    ],
  );
  return { chatCounts, chats, holds, quotes, jobs, pickUps, levels, scarce, drawers, night };
}
