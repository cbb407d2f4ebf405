import { type Db, openDb } from "~/db/client.server";
import { DAY_SECONDS } from "~/db/durations";
import { deleteChatRow } from "~/features/chat/operations/rooms.server";
import { endLiveConnections } from "~/features/chat/operations/access.server";
import { sha256 } from "~/session/tokens.server";
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
  const { db } = openDb(env.DB, "first-primary");
  const seconds = Math.floor(now / 1000);
  await forgetAddresses(db, seconds - TRACE_SECONDS);
  const done: string[] = [];
  const failures: unknown[] = [];
  for (const erasure of await findDueErasures(db, seconds)) {
    await erase(env, db, erasure).then(
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

async function erase(env: Env, db: Db, erasure: DueErasure): Promise<void> {
  const { userId } = erasure;
  if (userId) {
    if (!(await closeAccount(db, userId))) throw new Error("The account is the last admin.");
    await endLiveConnections({ env }, userId);
  }
  const traces = await collectTraces(db, erasure);
  await eraseChats(env, db, traces.chats);
  await eraseRows(db, erasure, traces);
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
  return findMailTraces(openDb(env.DB, "first-primary").db);
}
