import { localDay } from "~/domain/days";
import type { Business } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import { fullName } from "~/session/caller.server";
import { formatDateTime } from "~/ui/format";
import { expectedCents } from "./drawer";
import {
  closeDrawer,
  type DrawerOfDay,
  findDrawer,
  findDrawerById,
  insertDrawer,
  reopenDrawer,
} from "./queries.server";
import {
  CountInput,
  type Counting,
  Drawer,
  DrawerInput,
  type Opening,
  OpeningInput,
  type Reopening,
  ReopeningInput,
} from "./schema";

/** Converts a drawer to the format of the API. */
function viewOf(drawer: DrawerOfDay) {
  const expected = expectedCents(drawer);
  const { countedCents: counted } = drawer;
  return {
    id: drawer.id,
    businessType: drawer.businessType as Business,
    day: drawer.day,
    float: drawer.floatCents / 100,
    expected: expected / 100,
    counted: counted === null ? null : counted / 100,
    difference: counted === null ? null : (counted - expected) / 100,
    reason: drawer.reason,
    payments: drawer.sums.map(({ mode, amountCents, count }) => ({ mode, amount: amountCents / 100, count })),
    cashExpenses: drawer.cashExpensesCents / 100,
    openedBy: drawer.openedBy,
    openedAt: timestamp(drawer.openedAt),
    closedBy: drawer.closedBy || null,
    closedAt: drawer.closedAt === null ? null : timestamp(drawer.closedAt),
  };
}

/** GET drawer: reads the open drawer of a business, else that of today. @throws AppError notFound without one */
export const getDrawer = operation({
  route: "GET drawer",
  summary: "Read the cash drawer of a business",
  answer: Drawer,
  errors: [404],
  access: "staff",
  input: DrawerInput,
  async run({ input: { businessType }, db, now, settings }) {
    const drawer = await findDrawer(db, businessType, localDay(now, settings.timezone));
    if (!drawer) throw new AppError("notFound", "No drawer was opened today");
    return viewOf(drawer);
  },
});

/**
 * POST drawer: opens the drawer of a business with a float. A request that is sent again with its id opens it once.
 *
 * @throws AppError conflict while a drawer of the business is open, and when that of today is closed
 */
export const openDrawer = operation({
  route: "POST drawer",
  summary: "Open the cash drawer of a business",
  answer: Drawer,
  errors: [409],
  access: "staff",
  status: 201,
  input: OpeningInput,
  run: async ({ input, ...context }) => viewOf(await storeOpening(context, input)),
});

export async function storeOpening(context: StaffContext, input: Opening): Promise<DrawerOfDay> {
  const { db, now, settings, user } = context;
  const { id = crypto.randomUUID(), businessType, float: floatCents } = input;
  const day = localDay(now, settings.timezone);
  const opening = { id, businessType, day, floatCents, openedBy: fullName(user), openedAt: now };
  const stored = await insertDrawer(db, opening);
  if (stored) return repeatedAnswer(stored, { businessType, floatCents }, "Another drawer has this id.");
  throw new AppError("conflict", await refusal(context, businessType, day));
}

/** Says why a drawer can't be opened. */
async function refusal({ db, settings }: StaffContext, business: Business, day: string): Promise<string> {
  const drawer = await findDrawer(db, business, day);
  if (!drawer) return "Somebody else has changed the drawer meanwhile. Please try again.";
  const { closedAt, closedBy, openedAt, openedBy } = drawer;
  if (closedAt !== null)
    return `The drawer of today was closed by ${closedBy}, ${formatDateTime(closedAt, settings.timezone)}.`;
  return `The drawer is open since ${formatDateTime(openedAt, settings.timezone)}, by ${openedBy}. Close it first.`;
}

/**
 * POST drawer/close: closes the open drawer of a business by what was counted. A request that names the drawer is done once.
 *
 * @throws AppError notFound when none is open; invalid for a difference without a reason; conflict when it is another drawer
 * than the author has seen, or was closed by another count
 */
export const closeDrawerByCount = operation({
  route: "POST drawer/close",
  summary: "Close the cash drawer of a business",
  answer: Drawer,
  errors: [404, 409],
  access: "staff",
  input: CountInput,
  run: async ({ input, ...context }) => viewOf(await storeCount(context, input)),
});

export async function storeCount(context: StaffContext, input: Counting): Promise<DrawerOfDay> {
  const { db, now, settings, user } = context;
  const { businessType: business, counted: countedCents, id = null, reason } = input;
  const count = { business, id, countedCents, expectedCents: input.expected ?? null, reason };
  const closed = await closeDrawer(db, { ...count, by: fullName(user), at: now });
  if (closed) return closed;
  const named = id === null ? undefined : await findDrawerById(db, id);
  const last = named ?? (await findDrawer(db, business, localDay(now, settings.timezone)));
  if (!last) throw new AppError("notFound", "No drawer is open");
  if (last.closedAt === null) throw openRefusal(last, input);
  return repeatedAnswer(named, { countedCents, reason }, closedText(last, settings.timezone));
}

/** Says by whom and when a drawer was closed. */
const closedText = ({ closedBy, closedAt }: DrawerOfDay, timezone: string): string =>
  `The drawer was closed by ${closedBy}, ${formatDateTime(closedAt ?? 0, timezone)}.`;

/** Says why an open drawer was not closed. */
function openRefusal(drawer: DrawerOfDay, { id, expected, counted, reason }: Counting): AppError {
  if (id !== undefined && id !== drawer.id) return new AppError("conflict", "Another drawer is open by now.");
  const cents = expectedCents(drawer);
  if (reason === "" && counted !== cents && (expected ?? cents) === cents)
    return fieldError("invalid", "reason", `Say why it differs by ${dollars(counted - cents)}`);
  const seen = expected === undefined ? "" : `, not ${dollars(expected)}`;
  return new AppError("conflict", `${dollars(cents)} is expected by now${seen}. Nothing was closed.`);
}

/**
 * POST drawer/reopen: opens the drawer of today again that was closed too early or by a wrong count, which the audit log
 * keeps. A request that is sent again finds it open, or closed anew, which it leaves as it is.
 *
 * @throws AppError notFound; conflict for a drawer of another day, for another closing than the author has seen, and while
 * the business has another open one
 */
export const reopenDrawerOfToday = operation({
  route: "POST drawer/reopen",
  summary: "Open today's closed cash drawer again",
  answer: Drawer,
  errors: [404, 409],
  access: "manager",
  input: ReopeningInput,
  run: async ({ input, ...context }) => viewOf(await storeReopening(context, input)),
});

export async function storeReopening(context: StaffContext, input: Reopening): Promise<DrawerOfDay> {
  const { db, now, settings } = context;
  const { businessType: business, id, closedAt = null, reason } = input;
  const day = localDay(now, settings.timezone);
  const reopened = await reopenDrawer(db, { id, business, day, closedAt, reason });
  if (reopened) return reopened;
  const drawer = await findDrawerById(db, id);
  if (drawer?.businessType !== business) throw new AppError("notFound", "No such drawer");
  if (drawer.closedAt === null) return drawer;
  if (drawer.day !== day) throw new AppError("conflict", "Only the drawer of today can be opened again.");
  if (closedAt !== null && closedAt !== drawer.closedAt)
    throw new AppError("conflict", closedText(drawer, settings.timezone));
  throw new AppError("conflict", "Another drawer is open by now.");
}
