import { openDb } from "~/db/client.server";
import type { IncomingMessage } from "~/features/chat/rooms";
import { sendMail } from "~/http/mail.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { findDocument } from "./documents.queries.server";
import {
  addToOutbox,
  findDue,
  findNextDue,
  markDelivered,
  type NewEntry,
  type OutboxEntry,
  postpone,
  purgeOutbox,
} from "./outbox.queries.server";
import { receiptLink } from "./receipt/access.server";
import { receiptMail } from "./receipt/mail.server";

type Stored = Pick<RequestContext, "env" | "db">;

/**
 * Stores an entry and delivers it at once; what fails is repeated by the alarm of the admin room.
 *
 * @returns the entry as it was stored, which a repeated request finds again
 */
export async function deliver({ env, db }: Stored, entry: NewEntry): Promise<OutboxEntry> {
  const stored = await addToOutbox(db, entry);
  // Stored: a failure here only delays it until the next delivery or the nightly run.
  await deliverFromRoom(env).catch((error: unknown) => console.warn("The outbox was not reached:", error));
  return stored;
}

/** Delivers what is due; one object for the whole shop delivers, so that nothing is sent twice at the same time. */
export async function deliverFromRoom(env: Env): Promise<void> {
  await env.ADMIN_ROOM.getByName("admin").deliverSales();
}

const MAX_ENTRIES = 50;
const DAY = 86_400;
const RETRY_SECONDS = 60;
const MAX_RETRY_SECONDS = 3600;
/** Attempts in about two days. */
const MAX_ATTEMPTS = 54;

/**
 * Delivers the due mails and cards; each failure is repeated later, at last every hour.
 *
 * @returns when the next one is due, epoch milliseconds; null when none waits
 */
export async function deliverDue(env: Env): Promise<number | null> {
  const { db } = openDb(env.DB, "first-primary");
  const now = Math.floor(Date.now() / 1000);
  for (const entry of await findDue(db, now, MAX_ENTRIES)) {
    try {
      await (entry.kind === "mail" ? mail({ env, db }, entry, now) : post(env, entry));
      await markDelivered(db, entry.id, now);
    } catch (error) {
      console.warn(`A ${entry.kind} of a sale could not be delivered:`, error);
      await postpone(db, entry.id, nextAttempt(entry, now));
    }
  }
  const next = await findNextDue(db);
  return next === null || next === Number.MAX_SAFE_INTEGER ? null : next * 1000;
}

function nextAttempt({ attempts }: OutboxEntry, now: number): number | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  return now + Math.min(MAX_RETRY_SECONDS, RETRY_SECONDS * 2 ** Math.min(attempts, 10));
}

async function mail({ env, db }: Stored, { documentId, recipient }: OutboxEntry, now: number): Promise<void> {
  const document = documentId ? await findDocument(db, documentId) : undefined;
  if (!document) return;
  const settings = shopSettings(env);
  const link = await receiptLink({ env, settings, now }, document.id);
  await sendMail(env.MAIL, settings, receiptMail(settings, recipient, document, link));
}

async function post(env: Env, { recipient, content }: OutboxEntry): Promise<void> {
  // A chat that was deleted meanwhile has no card.
  await env.CHAT_ROOM.getByName(recipient).post(JSON.parse(content ?? "") as IncomingMessage);
}

/** Delivers what waits although its alarm was lost, and deletes old cards. Runs nightly. */
export async function sweepOutbox(env: Env): Promise<void> {
  await purgeOutbox(openDb(env.DB, "first-primary").db, Math.floor(Date.now() / 1000) - DAY * 7);
  await deliverFromRoom(env);
}
