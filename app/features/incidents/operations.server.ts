import { openDb } from "~/db/client.server";
import { epochSeconds } from "~/domain/durations";
import { refusalOf } from "~/http/mail-refusals.server";
import { describeError } from "~/http/request-log.server";
import { addSlowRequest, countError, insertIncident, type SlowRequest } from "./queries.server";

export const recordDb = (env: Env) => openDb(env.DB).db;

/** Records a failed request. Never rejects. */
export async function recordError(
  env: Env,
  place: string,
  reference: string,
  message: string,
): Promise<void> {
  const db = recordDb(env);
  const at = epochSeconds();
  await Promise.all([
    insertIncident(db, { kind: "error", at, place, reference, message }),
    countError(db, at),
  ]).catch(notRecorded);
}

/** Logs and records that a mail, notification or picture was not delivered or processed. Never rejects. @param reference id of the chat */
export async function recordFailure(
  env: Env,
  failure: { kind: "mail" | "push" | "image"; place: string; reference?: string },
  error: unknown,
): Promise<void> {
  const { kind, place, reference = "" } = failure;
  const message = kind === "mail" ? refusalOf(error) : describeError(error);
  console.warn(JSON.stringify({ level: "warn", kind, place, reference, error: message }));
  await insertIncident(recordDb(env), { kind, at: epochSeconds(), place, reference, message }).catch(
    notRecorded,
  );
}

/** Records a slow request. Never rejects. */
export async function recordSlowRequest(env: Env, request: Omit<SlowRequest, "at">): Promise<void> {
  await addSlowRequest(recordDb(env), { ...request, at: epochSeconds() }).catch(notRecorded);
}

export const notRecorded = (error: unknown) =>
  console.warn(JSON.stringify({ level: "warn", kind: "record", error: describeError(error) }));
