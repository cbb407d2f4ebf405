import { type Author, authorOf } from "~/db/audit";
import { recordFailure } from "~/features/incidents/operations.server";
import { AppError, fieldError } from "~/http/errors";
import { enforce } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { opened, sealed } from "~/session/sealed.server";
import { sendFactorNotice } from "../mail.server";
import type { UserRow } from "../queries.server";
import { recoveryHash, stepOfCode, typedCode } from "./codes.server";
import {
  countAttempt,
  LOCK_SECONDS,
  MAX_FAILURES,
  recordLock,
  spendRecoveryCode,
  spendStep,
  uncountAttempt,
} from "./queries.server";

/** Separates secrets of authenticators from others that are sealed. */
export const FACTOR_PURPOSE = "second-factor";

/** Account that gives a code. */
type Giver = Pick<UserRow, "id" | "email" | "firstName" | "isAdmin" | "isManager" | "isSeller">;
type VerifyContext = Pick<RequestContext, "db" | "env" | "now" | "waitUntil">;

const wrongCode = () =>
  fieldError(
    "invalid",
    "code",
    "This code is wrong, was used already, or is too old. Wait for the next one.",
  );

const unreadable = () =>
  fieldError(
    "invalid",
    "code",
    "The shop can't check your authenticator any more. Use a recovery code, then turn the second factor off and on again.",
  );

/**
 * Uses a code of an account: of its authenticator, or one of its recovery codes. Each works once.
 *
 * @throws AppError invalid (400) at `code`; rateLimited (429) for too many attempts, and after 20 wrong codes in a row
 */
export async function requireCode(context: VerifyContext, user: Giver, text: string): Promise<void> {
  await enforce({ limiter: context.env.LIMIT_LOGIN_ACCOUNT, key: `factor:${user.id}` });
  const typed = typedCode(text);
  if (typed?.kind === "recovery") {
    const hash = await recoveryHash(user.id, typed.code);
    if (await spendRecoveryCode(context.db, user.id, hash, authorOf(user))) return;
    throw wrongCode();
  }
  // Other text is no guess, such as a password in the wrong field.
  if (!typed) throw wrongCode();
  await requireTimeCode(context, user, typed.code);
}

async function requireTimeCode(context: VerifyContext, user: Giver, code: string): Promise<void> {
  const { db, env, now } = context;
  const attempt = await countAttempt(db, user.id, now);
  if (!attempt) throw locked();
  const secret = await opened(env.COOKIE_SECRET, FACTOR_PURPOSE, attempt.secret);
  if (!secret) {
    await uncountAttempt(db, user.id, attempt.secret);
    throw unreadable();
  }
  const step = stepOfCode(secret.text, code, now);
  if (step !== null) {
    const resealed = secret.isFormer
      ? await sealed(env.COOKIE_SECRET, FACTOR_PURPOSE, secret.text)
      : attempt.secret;
    if (await spendStep(db, user.id, attempt.secret, step, resealed)) return;
  }
  if (attempt.failures >= MAX_FAILURES) await lock(context, user, authorOf(user));
  throw wrongCode();
}

const locked = () =>
  new AppError(
    "rateLimited",
    "Too many wrong codes. No code is taken for an hour; a recovery code works at once.",
    { headers: { "Retry-After": String(LOCK_SECONDS) } },
  );

/** Records and tells the person that somebody with their password guesses codes. */
async function lock({ db, env, waitUntil }: VerifyContext, user: Giver, author: Author): Promise<void> {
  await recordLock(db, user.id, author);
  const failure = { kind: "mail", place: "Notice of wrong codes" } as const;
  waitUntil(
    sendFactorNotice(env, user, "locked").catch((error: unknown) => recordFailure(env, failure, error)),
  );
}
