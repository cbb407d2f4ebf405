import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/db/durations";
import { findUser } from "~/features/accounts/queries.server";
import { endLiveConnections } from "~/features/chat/operations/access.server";
import { deleteChatRow } from "~/features/chat/operations/rooms.server";
import { deliverMail } from "~/features/health/mail.server";
import { recordFailure } from "~/features/health/operations.server";
import { AppError } from "~/http/errors";
import { escapeHtml, mailLayout, salutation } from "~/http/mail.server";
import type { RequestContext } from "~/http/request-context.server";
import { type ShopSettings, shopSettings } from "~/http/shop-settings.server";
import { isLinkKey, linkKey, sha256 } from "~/session/tokens.server";
import { formatDate } from "~/ui/format";
import {
  closeAccount,
  countChatsLeft,
  type DueErasure,
  eraseRows,
  findDueErasures,
  findMailTraces,
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
  type Erasure,
  findErasure,
  findPlanned,
  findUnmailed,
  markMailed,
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
 * @throws AppError conflict for the last admin; notFound for a person who is gone
 */
export async function planDeletion(
  context: Pick<RequestContext, "db" | "env" | "now" | "waitUntil">,
  subject: Subject,
  requestedBy: "owner" | "staff",
): Promise<Erasure> {
  const { db, env, now, waitUntil } = context;
  const id = crypto.randomUUID();
  const plan = { ...subject, id, requestedBy, now, dueAt: now + ERASURE_SECONDS };
  const { erasure, isGone } = await planErasure(db, plan);
  if (!erasure && isGone) throw new AppError("notFound", "Nothing is stored about this person any more.");
  if (!erasure)
    throw new AppError(
      "conflict",
      "This is the last admin account. Make somebody else an admin first; the shop needs one.",
    );
  if (erasure.id === id) waitUntil(mailOrRecord(env, erasure));
  return erasure;
}

/** Cancels a planned deletion. @throws AppError notFound for a deletion that was cancelled or has begun */
export async function cancelDeletion(db: Db, erasure: Erasure | undefined, now: number): Promise<string> {
  if (!erasure || !(await cancelPlanned(db, erasure.id, now)))
    throw new AppError("notFound", "No deletion is planned any more.");
  return erasure.id;
}

/** Finds the planned deletion of a mailed link; undefined for an invalid or used one. */
export async function findByLink(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  link: string,
): Promise<Erasure | undefined> {
  const [id = "", key = ""] = link.split("~");
  return (await isLinkKey(env.COOKIE_SECRET, "erasure", id, key, now)) ? findErasure(db, id) : undefined;
}

/** Planned deletion as the account page shows it. */
export interface PlannedView {
  /** Day in the shop's time zone. */
  date: string;
}

/** Reads the planned deletion of an account, or that of a mailed link; null without one. */
export async function readPlanned(
  context: Pick<RequestContext, "db" | "env" | "now" | "settings">,
  from: { userId: string | undefined; link: string | null },
): Promise<PlannedView | null> {
  const erasure =
    from.link !== null
      ? await findByLink(context, from.link)
      : from.userId && (await findPlanned(context.db, accountOf(from.userId)));
  return erasure ? { date: formatDate(erasure.dueAt, context.settings.timezone) } : null;
}

/** Mails the confirmations that could not be sent before. Runs nightly. */
export async function mailPlanned(env: Env): Promise<number> {
  const { db } = openDb(env.DB);
  const waiting = await findUnmailed(db, epochSeconds());
  for (const erasure of waiting) await mailOrRecord(env, erasure);
  return waiting.length;
}

async function mailOrRecord(env: Env, erasure: Erasure): Promise<void> {
  const failure = { kind: "mail", place: "Confirmation of a deletion" } as const;
  await mailConfirmation(env, erasure).catch((error: unknown) => recordFailure(env, failure, error));
}

async function mailConfirmation(env: Env, { id, userId, requestedBy, dueAt }: Erasure): Promise<void> {
  const { db } = openDb(env.DB);
  const user = userId && (await findUser(db, userId));
  if (!user) return;
  const settings = shopSettings(env);
  const key = await linkKey(env.COOKIE_SECRET, "erasure", id, dueAt);
  const link = `${settings.url}/account?${new URLSearchParams({ keep: `${id}~${key}` })}`;
  const date = formatDate(dueAt, settings.timezone);
  await deliverMail(env, confirmation(settings, user, { date, link, requestedBy }));
  await markMailed(db, id, epochSeconds());
}

function confirmation(
  { name, supportEmail, ...rest }: ShopSettings,
  user: { email: string; firstName: string },
  { date, link, requestedBy }: { date: string; link: string; requestedBy: Erasure["requestedBy"] },
) {
  const subject = `Your ${name} account will be deleted on ${date}`;
  const by = requestedBy === "owner" ? "as you asked under My Account" : "as you asked our team";
  const lines = [
    salutation(user.firstName),
    `your account at ${name} will be deleted on ${date}, ${by}: your details, chats with their files, favourites and notifications. Receipts and credit notes stay for the tax office, without your name.`,
    "Until then you can change your mind, and download your data under My Account.",
  ];
  const paragraphs = lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
  return {
    to: user.email,
    subject,
    text: `${lines.join("\n\n")}\n\nKeep my account: ${link}\n\n${name}\n${supportEmail}\n`,
    html: mailLayout(
      { name, supportEmail, ...rest },
      subject,
      paragraphs,
      { label: "Keep my account", href: link },
      "<p>If it wasn’t you, keep the account and change your password.</p>",
    ),
  };
}

/** Seconds for which the hashes of deleted addresses stay. */
const TRACE_SECONDS = 30 * DAY_SECONDS;

/**
 * Deletes the personal data whose seven days are over. Runs nightly. Each step may be repeated: a run that breaks off is
 * continued by the next one.
 *
 * @param now epoch milliseconds
 * @returns number of deletions
 * @throws Error when some could not be completed, after the others
 */
export async function eraseDue(env: Env, now = Date.now()): Promise<number> {
  const { db } = openDb(env.DB);
  const seconds = Math.floor(now / 1000);
  await forgetAddresses(db, seconds - TRACE_SECONDS);
  const done: string[] = [];
  const failures: unknown[] = [];
  for (const erasure of await findDueErasures(db, seconds)) {
    await erase(env, db, erasure, seconds).then(
      () => done.push(erasure.id),
      (error: unknown) => failures.push(error),
    );
  }
  if (done.length > 0) {
    await rewriteIndexes(db);
    await markErased(db, done, seconds);
  }
  if (failures.length > 0) throw new Error(`${failures.length} not completed: ${failures[0]}`);
  return done.length;
}

/** Passes in which a deletion finds what was added meanwhile. */
const MAX_PASSES = 10;

async function erase(env: Env, db: Db, erasure: DueErasure, now: number): Promise<void> {
  const { userId } = erasure;
  if (userId) {
    if (!(await closeAccount(db, userId, now))) throw new Error("The account is the last admin.");
    await endLiveConnections({ env }, userId);
  }
  let erased = 0;
  let due = erasure;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const traces = await collectTraces(db, due);
    const ids = traces.chats.length + traces.customers.length;
    // Ids are only added: as many as before are the same, which are erased.
    if (pass > 1 && ids === erased) return;
    await eraseChats(env, db, traces.chats);
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

/** Deletes chats with messages and files. @throws Error while a room has not finished */
async function eraseChats(env: Env, db: Db, ids: string[]): Promise<void> {
  for (const id of ids) {
    // A chat without a room, which time travel of D1 may have brought back, is a row alone.
    if (!(await env.CHAT_ROOM.getByName(id).remove(db.author))) await deleteChatRow(env, id, null);
  }
  const left = await countChatsLeft(db, ids);
  if (left > 0) throw new Error(`${left} chats are still being deleted.`);
}

/** Lists what finds the mails of deleted persons in the folder of a local shop. */
export function erasedMails(env: Env): Promise<MailTrace[]> {
  return findMailTraces(openDb(env.DB).db);
}
