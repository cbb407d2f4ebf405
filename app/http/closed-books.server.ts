import { formatDay } from "~/domain/day-text";
import { localTimeAt } from "~/domain/days";
import { type Business, businessName } from "~/domain/enums";
import { AppError } from "./errors";
import type { RequestContext } from "./request-context.server";
import { type ShopSettings, shopSettings } from "./shop-settings.server";

/** Message of the triggers in migrations/0087_closed_months.sql: business, day, epoch seconds of the closing and its author. */
const CLOSED = /ledger: closed (EMPORIA|LASER) (\d{4}-\d\d-\d\d) (\d+) (.*?)(?:: SQLITE_CONSTRAINT|$)/;

/** Finds what a trigger said of a write that is dated in a closed month; null for another error. */
function refusalOf(error: unknown): RegExpExecArray | null {
  if (!(error instanceof Error)) return null;
  return CLOSED.exec(error.message) ?? refusalOf(error.cause);
}

/** Recognises a write that was refused because the books are closed up to its day. */
export const isRefusedByClosing = (error: unknown): boolean => refusalOf(error) !== null;

/** A closing as readers name it. */
interface NamedClosing {
  business: Business;
  /** YYYY-MM-DD. */
  until: string;
  by: string;
  /** Epoch seconds. */
  at: number;
}

/** Says up to which day a business is closed, by whom and when. */
export function describeClosing(
  { settings, now }: { settings: Pick<ShopSettings, "businesses" | "timezone">; now: number },
  { business, until, by, at }: NamedClosing,
): string {
  const { businesses, timezone } = settings;
  const [day = "", time = ""] = localTimeAt(at, timezone).split("T");
  const isToday = localTimeAt(now, timezone).startsWith(day);
  const when = isToday ? `today at ${time.slice(0, 5)}` : `on ${formatDay(day)}`;
  return `${businessName(business, businesses)} is closed up to ${formatDay(until)}, by ${by} ${when}`;
}

/** Creates the error of a write that is dated in a closed month, at the field of its date; null for another error. */
export async function closedError(
  context: Pick<RequestContext, "db" | "env" | "now">,
  error: unknown,
): Promise<AppError | null> {
  const [, business, until = "", at, by = ""] = refusalOf(error) ?? [];
  if (!business) return null;
  const closing = { business: business as Business, until, by, at: Number(at) };
  const settings = await shopSettings(context);
  const message = `${describeClosing({ ...context, settings }, closing)}. Nothing was stored.`;
  return new AppError("conflict", message, { details: [{ path: "createdAt", message }], isPublic: true });
}
