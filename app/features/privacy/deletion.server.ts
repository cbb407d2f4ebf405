import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { dollars } from "~/domain/money";
import { findUser } from "~/features/accounts/queries.server";
import { deleteChatRow } from "~/features/chat/operations/rooms.server";
import { deliverMail } from "~/features/incidents/mail.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { AppError } from "~/http/errors";
import { composeMail, type Mail, salutation } from "~/http/mail.server";
import { NextStep } from "~/http/nightly-job.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { isLinkKey, linkKey, sha256 } from "~/session/tokens.server";
import { formatDate } from "~/ui/format";
import {
  beginErasure,
  type DueErasure,
  eraseRows,
  findChatsLeft,
  findDueErasures,
  findMailTraces,
  findOpenDeposit,
  findTraces,
  forgetAddresses,
  type MailTrace,
  markErased,
  rewriteIndexes,
  saveTraces,
  type Traces,
} from "./erase.queries.server";
import {
  cancelPlanned,
  type DueAfter,
  type Erasure,
  findErasure,
  findPlanned,
  findUnmailed,
  markMailed,
  type PersonReference,
  planErasure,
  type Subject,
} from "./queries.server";
import { ERASURE_DAYS } from "./schema";

const ERASURE_SECONDS = ERASURE_DAYS * DAY_SECONDS;

/** Returns the subject of an account. */
export const accountOf = (userId: string): Subject => ({ userId, customerId: null, chatId: null });

/**
 * Plans a deletion in seven days. A repeated request finds the first one.
 *
 * @param asked customer or chat by which staff named the subject
 * @returns undefined when the person is gone, or another by now
 * @throws AppError conflict for the last admin
 */
export async function planDeletion(
  context: Pick<RequestContext, "db" | "env" | "now" | "waitUntil">,
  subject: Subject,
  requestedBy: "owner" | "staff",
  asked?: PersonReference,
): Promise<Erasure | undefined> {
  const { db, env, now, waitUntil } = context;
  const id = crypto.randomUUID();
  const plan = { ...subject, id, requestedBy, now, dueAt: now + ERASURE_SECONDS };
  const { erasure, isGone } = await planErasure(db, plan, asked);
  if (isGone) return undefined;
  if (!erasure)
    throw new AppError(
      "conflict",
      "This is the last admin account. Make somebody else an admin first; the shop needs one.",
    );
  if (erasure.id === id) waitUntil(settingsForTask(env).then((shop) => mailOrRecord(env, shop, erasure)));
  return erasure;
}

/**
 * Cancels a planned deletion.
 *
 * @param plan id, or the person
 * @throws AppError notFound for a deletion that was cancelled or has begun
 */
export async function cancelDeletion(db: Db, plan: string | Subject): Promise<string> {
  const cancelled = await cancelPlanned(db, plan);
  if (!cancelled) throw new AppError("notFound", "No deletion is planned any more.");
  return cancelled;
}

/** Returns the id of the deletion that a mailed link names; null for an invalid link. */
export async function planOfLink(
  { env, now }: Pick<RequestContext, "env" | "now">,
  link: string,
): Promise<string | null> {
  const [id = "", key = ""] = link.split("~");
  return (await isLinkKey(env.COOKIE_SECRET, "erasure", id, key, now)) ? id : null;
}

/** Planned deletion as the account page shows it. */
export interface PlannedView {
  /** Day in the shop's time zone. */
  date: string;
  /** Begun by the night, it can't be cancelled any more. */
  hasBegun: boolean;
}

/** Reads the planned deletion of an account; null without one. */
export async function readPlanned(
  context: PlanContext,
  userId: string | undefined,
): Promise<PlannedView | null> {
  return userId ? plannedView(context, await findPlanned(context.db, accountOf(userId))) : null;
}

/** Reads the planned deletion of a mailed link. @returns null when it was cancelled or is done; undefined for an invalid link */
export async function readPlannedByLink(
  context: PlanContext & Pick<RequestContext, "env" | "now">,
  link: string,
): Promise<PlannedView | null | undefined> {
  const id = await planOfLink(context, link);
  return id === null ? undefined : plannedView(context, await findErasure(context.db, id));
}

type PlanContext = Pick<RequestContext, "db" | "settings">;

function plannedView({ settings }: PlanContext, erasure: Erasure | undefined): PlannedView | null {
  if (!erasure) return null;
  const { dueAt, begunAt } = erasure;
  return { date: formatDate(dueAt, settings.timezone), hasBegun: begunAt !== null };
}

/** Mails of one step of the night. */
export const STEP_MAILS = 50;
const FIRST: DueAfter = { dueAt: 0, id: "" };
/** Cursor of the step that follows a deletion. */
const behind = ({ dueAt, id }: DueAfter) => ({ dueAt, id });

/** Mails the confirmations that could not be sent before. Runs nightly, some in each step. */
export async function mailPlanned(env: Env, cursor?: string, limit = STEP_MAILS): Promise<number | NextStep> {
  const { db } = openDb(env.DB);
  const after = cursor ? (JSON.parse(cursor) as DueAfter) : FIRST;
  const waiting = await findUnmailed(db, epochSeconds(), after, limit);
  const settings = await settingsForTask(env);
  for (const erasure of waiting) await mailOrRecord(env, settings, erasure);
  const last = waiting.at(-1);
  if (!last || waiting.length < limit) return waiting.length;
  return new NextStep(JSON.stringify(behind(last)), waiting.length);
}

async function mailOrRecord(env: Env, settings: ShopSettings, erasure: Erasure): Promise<void> {
  const failure = { kind: "mail", place: "Confirmation of a deletion" } as const;
  await mailConfirmation(env, settings, erasure).catch((error: unknown) =>
    recordFailure(env, failure, error),
  );
}

async function mailConfirmation(
  env: Env,
  settings: ShopSettings,
  { id, userId, requestedBy, dueAt }: Erasure,
): Promise<void> {
  const { db } = openDb(env.DB);
  const user = userId && (await findUser(db, userId));
  if (!user) return;
  const key = await linkKey(env.COOKIE_SECRET, "erasure", id, dueAt);
  const link = `${settings.url}/account?${new URLSearchParams({ keep: `${id}~${key}` })}`;
  const date = formatDate(dueAt, settings.timezone);
  await deliverMail(env, settings, confirmation(settings, user, { date, link, requestedBy }));
  await markMailed(db, id, epochSeconds());
}

function confirmation(
  settings: ShopSettings,
  user: { email: string; firstName: string },
  { date, link, requestedBy }: { date: string; link: string; requestedBy: Erasure["requestedBy"] },
): Mail {
  const { name } = settings;
  const by = requestedBy === "owner" ? "as you asked under My Account" : "as you asked our team";
  return composeMail(settings, {
    to: user.email,
    subject: `Your ${name} account will be deleted on ${date}`,
    before: [
      salutation(user.firstName),
      `your account at ${name} will be deleted on ${date}, ${by}: your details, chats with their files, favourites and notifications. Receipts and credit notes stay for the tax office, without your name.`,
      "Until then you can change your mind, and download your data under My Account.",
    ],
    button: { label: "Keep my account", href: link },
    after: ["If it wasn't you, keep the account and change your password."],
  });
}

/** Seconds for which the hashes of deleted addresses stay. */
const TRACE_SECONDS = 30 * DAY_SECONDS;

/** People of one step, about 50 queries each, and chats, one call of a room each. */
export const STEP_LIMITS = { people: 6, chats: 60 };

/** Progress of a night's deletions. */
interface Progress {
  after: DueAfter;
  /** Deletions that could not be completed, and the first reason. */
  failed: number;
  reason: string;
}

/**
 * Deletes the personal data whose seven days are over. Runs nightly, some people in each step, and of one person some
 * chats. Each step may be repeated: a run that breaks off is continued by the next one.
 *
 * @param now epoch milliseconds
 * @returns number of deletions, or the next step
 * @throws Error when some could not be completed, after the others
 */
export async function eraseDue(
  env: Env,
  now = Date.now(),
  cursor?: string,
  limits = STEP_LIMITS,
): Promise<number | NextStep> {
  const { db } = openDb(env.DB);
  const seconds = Math.floor(now / 1000);
  await forgetAddresses(db, seconds - TRACE_SECONDS);
  const progress: Progress = cursor ? JSON.parse(cursor) : { after: FIRST, failed: 0, reason: "" };
  const due = await findDueErasures(db, seconds, progress.after, limits.people);
  const done: string[] = [];
  const left = { chats: limits.chats };
  for (const erasure of due) {
    const isDone = await erase(env, db, erasure, { now: seconds, left }).catch((error: unknown) => {
      progress.reason ||= String(error);
      progress.failed++;
    });
    if (isDone === false) return endStep(db, done, seconds, progress);
    if (isDone) done.push(erasure.id);
    progress.after = behind(erasure);
  }
  const step = await endStep(db, done, seconds, progress);
  if (due.length === limits.people) return step;
  if (progress.failed > 0) throw new Error(`${progress.failed} not completed: ${progress.reason}`);
  return done.length;
}

async function endStep(db: Db, done: string[], now: number, progress: Progress): Promise<NextStep> {
  if (done.length > 0) {
    await rewriteIndexes(db);
    await markErased(db, done, now);
  }
  return new NextStep(JSON.stringify(progress), done.length);
}

/** Says that a deletion waits for a deposit. */
const openDepositText = ({ title, cents }: { title: string; cents: number }): string =>
  `A deposit of ${dollars(cents)} on the quote “${title}” is not settled: record its sale, or withdraw it.`;

/** Passes in which a deletion finds what was added meanwhile. */
const MAX_PASSES = 10;

/**
 * Deletes a person's data.
 *
 * @returns false when the step's chats are used up before the end; undefined for a deletion that was cancelled just now
 * @throws Error for the last admin, whose deletion can still be cancelled
 */
async function erase(
  env: Env,
  db: Db,
  erasure: DueErasure,
  { now, left }: { now: number; left: { chats: number } },
): Promise<boolean | undefined> {
  const deposit = await findOpenDeposit(db, erasure);
  if (deposit) throw new Error(openDepositText(deposit));
  const begun = await beginErasure(db, erasure, now);
  if (begun === "cancelled") return undefined;
  if (begun === "lastAdmin") throw new Error("The account is the last admin.");
  if (erasure.userId) await endLiveConnections({ env }, erasure.userId);
  let erased = 0;
  let due = erasure;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const traces = await collectTraces(db, due);
    const ids = traces.chats.length + traces.customers.length;
    // Ids are only added: as many as before are the same, which are erased.
    if (pass > 1 && ids === erased) return true;
    if (!(await eraseChats(env, db, traces.chats, left))) return false;
    await eraseRows(db, erasure, traces);
    erased = ids;
    due = { ...erasure, ...asJson(traces) };
  }
  throw new Error("Chats or customers are still being added.");
}

/** Stores what identifies the person elsewhere, before it is deleted. @returns it with what earlier attempts found */
async function collectTraces(db: Db, erasure: DueErasure): Promise<Traces> {
  const { chats, customers, emails } = await findTraces(db, erasure);
  const hashes = await Promise.all(emails.map((email) => sha256(email.toLowerCase())));
  const joined = (stored: string, found: string[]) => [
    ...new Set([...(JSON.parse(stored) as string[]), ...found]),
  ];
  const traces = {
    chats: joined(erasure.chats, chats),
    customers: joined(erasure.customers, customers),
    addresses: joined(erasure.addresses, hashes),
  };
  await saveTraces(db, erasure.id, traces);
  return traces;
}

const asJson = ({ chats, customers, addresses }: Traces) => ({
  chats: JSON.stringify(chats),
  customers: JSON.stringify(customers),
  addresses: JSON.stringify(addresses),
});

/**
 * Deletes chats with messages and files.
 *
 * @param left chats that the step may still delete
 * @returns false when there are more than these
 * @throws Error while a room has not finished
 */
async function eraseChats(env: Env, db: Db, ids: string[], left: { chats: number }): Promise<boolean> {
  const listed = await findChatsLeft(db, ids);
  const chosen = listed.slice(0, left.chats);
  left.chats -= chosen.length;
  for (const id of chosen) {
    // A chat without a room, which time travel of D1 may have brought back, is a row alone.
    if (!(await env.CHAT_ROOM.getByName(id).remove(db.author))) await deleteChatRow(env, id, null);
  }
  // The rooms have deleted the rows with clients of their own, which this one's bookmark is older than.
  const unfinished = await findChatsLeft(openDb(env.DB).db, chosen);
  if (unfinished.length > 0) throw new Error(`${unfinished.length} chats are still being deleted.`);
  return chosen.length === listed.length;
}

/** Lists what finds the mails of deleted persons in the folder of a local shop. */
export function erasedMails(env: Env): Promise<MailTrace[]> {
  return findMailTraces(openDb(env.DB).db);
}
