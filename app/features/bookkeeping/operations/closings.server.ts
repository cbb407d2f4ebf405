import { z } from "zod";
import { addDays, localDay, monthAfter, monthBefore } from "~/domain/days";
import { BUSINESSES, type Business } from "~/domain/enums";
import { describeClosing } from "~/http/closed-books.server";
import { AppError, validationError } from "~/http/errors";
import { listWindow, timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { readList } from "~/http/streams.server";
import { fullName } from "~/session/caller.server";
import { formatDateTime } from "~/ui/format";
import {
  type ClosingRow,
  findActiveClosings,
  findClosing,
  findClosings,
  findRepeatedReopening,
  insertClosing,
  reopenClosing,
} from "../closings.queries.server";
import { type ClosedBooks, Closing, ClosingInput, ReopeningInput } from "../schema";

const viewOf = ({ closedAt, reopenedAt, reopenedBy, ...row }: ClosingRow) => ({
  ...row,
  businessType: row.businessType as Business,
  closedAt: timestamp(closedAt),
  reopenedBy: reopenedBy || null,
  reopenedAt: reopenedAt === null ? null : timestamp(reopenedAt),
});

/** GET closing: lists the closings, the newest first. */
export const listClosings = operation({
  route: "GET closing",
  summary: "List closings of the books",
  answer: z.array(Closing),
  isList: true,
  access: "admin",
  input: z.object(listWindow),
  run: ({ db, input }) =>
    readList(async (window) => {
      const { rows, total } = await findClosings(db, window);
      return { rows: rows.map(viewOf), total };
    }, input),
});

/**
 * POST closing: closes a business up to a day that has come. Nothing dated on or before it is added, changed, deleted, credited
 * or corrected until it is reopened.
 *
 * @throws AppError invalid for a day in the future; conflict for a business that is closed up to that day
 */
export const closeBooks = operation({
  route: "POST closing",
  summary: "Close a business's books up to a day",
  answer: Closing,
  errors: [409],
  access: "admin",
  status: 201,
  input: ClosingInput,
  async run({ input, ...context }) {
    const { db, now, settings, user } = context;
    const { id = crypto.randomUUID(), businessType, until, note } = input;
    if (until > localDay(now, settings.timezone))
      throw validationError([{ path: "until", message: "Choose a day that is not in the future" }]);
    const isNew = await insertClosing(db, {
      ...{ id, businessType, until, note },
      ...{ closedBy: fullName(user), closedAt: now },
    });
    const stored = await findClosing(db, id);
    if (stored && (isNew || stored.reopenedAt === null))
      return viewOf(repeatedAnswer(stored, { businessType, until, note }, "A closing with this id exists."));
    if (stored) throw new AppError("conflict", "This closing was reopened. Close the month anew.");
    throw new AppError("conflict", `${await describeClosed(context, businessType)}.`);
  },
});

export type ReportContext = Pick<StaffContext, "db" | "now" | "settings">;

/** Says up to which day a business is closed. */
async function describeClosed(context: StaffContext, business: Business): Promise<string> {
  const closing = (await findActiveClosings(context.db)).find(
    ({ businessType }) => businessType === business,
  );
  if (!closing) return "Somebody has reopened it at the same time. Please try again";
  const { until, closedBy: by, closedAt: at } = closing;
  return describeClosing(context, { business, until, by, at });
}

/**
 * DELETE closing: reopens what was closed last of a business. A request that names the closing is done once; one without an id
 * that is sent again by the same person, with the same reason, reopens nothing more until something is closed.
 *
 * @throws AppError notFound when nothing is closed; conflict when it is another closing than the author has seen
 */
export const reopenBooks = operation({
  route: "DELETE closing",
  summary: "Reopen what was closed last",
  answer: Closing,
  errors: [404, 409],
  access: "admin",
  input: ReopeningInput,
  async run({ input, ...context }) {
    const { db, now, user } = context;
    const { businessType: business, id = null, reason } = input;
    const reopening = { business, id, reason, by: fullName(user), at: now };
    const reopened = await reopenClosing(db, reopening);
    if (reopened) return viewOf(reopened);
    const stored = id === null ? await findRepeatedReopening(db, reopening) : await findClosing(db, id);
    if (stored?.reopenedAt && stored.businessType === business && stored.reason === reason)
      return viewOf(stored);
    const active = (await findActiveClosings(db)).some(({ businessType }) => businessType === business);
    if (!active) throw new AppError("notFound", "Nothing of it is closed");
    throw new AppError("conflict", "Somebody else has closed or reopened it meanwhile.");
  },
});

/** Reads up to which day each business is closed, and which month comes next. */
export async function readClosedBooks({ db, now, settings }: ReportContext): Promise<ClosedBooks[]> {
  const active = await findActiveClosings(db);
  const lastMonth = monthBefore(localDay(now, settings.timezone).slice(0, 7));
  return BUSINESSES.map((business) => {
    const closing = active.find(({ businessType }) => businessType === business);
    const month = closing ? addDays(closing.until, 1).slice(0, 7) : lastMonth;
    return {
      business,
      closing: closing
        ? {
            id: closing.id,
            until: closing.until,
            by: `${closing.closedBy}, ${formatDateTime(closing.closedAt, settings.timezone)}`,
          }
        : null,
      next: month <= lastMonth ? addDays(`${monthAfter(month)}-01`, -1) : null,
    };
  });
}
