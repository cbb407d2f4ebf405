import { z } from "zod";
import { recordFailure } from "~/features/incidents/operations.server";
import { AppError, fieldError } from "~/http/errors";
import { id } from "~/http/fields";
import { type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CurrentUser, hasRole } from "~/session/caller.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { sealed } from "~/session/sealed.server";
import { endStep, keepStep, readStep } from "~/session/steps.server";
import { newFactorSecret, newRecoveryCodes, recoveryHash, stepOfCode } from "../factor/codes.server";
import { deleteFactor, insertFactor, replaceCodes, resetFactorBy } from "../factor/queries.server";
import { FactorBeginForm, FactorChangeForm, FactorCodeForm } from "../factor/schema";
import { FACTOR_PURPOSE, requireCode } from "../factor/verify.server";
import { sendFactorNotice } from "../mail.server";
import { findUser } from "../queries.server";
import { noSuchUser, notAllowed } from "./account-edits.server";
import { passwordCheckLimit, requirePassword } from "./password.server";

type OwnContext<I> = OperationContext<"customer", I>;

/** Refuses customers, who are not offered a second factor. @throws AppError forbidden */
function requireRole(user: CurrentUser): void {
  if (!hasRole(user)) throw notAllowed();
}

const isOnAlready = () => new AppError("conflict", "Your second factor is on already.");
const isOff = () => new AppError("conflict", "Your second factor is off. Reload the page.");

/**
 * Begins to set up the caller's second factor: its secret is kept in their browser until a first code confirms it.
 *
 * @throws AppError invalid at `currentPassword`, conflict where it is on, rateLimited
 */
export const beginFactor = operation({
  access: "customer",
  forbidsKeys: true,
  input: FactorBeginForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ input, user, ...context }) {
    requireRole(user);
    if (user.hasFactor) throw isOnAlready();
    await requirePassword(context, input.currentPassword);
    await keepStep(context, "setUp", { userId: user.id, secret: newFactorSecret() });
  },
});

/** Forgets a secret that is not confirmed yet. */
export const cancelFactor = operation({
  access: "customer",
  forbidsKeys: true,
  input: z.object({}),
  async run({ user, ...context }) {
    requireRole(user);
    await endStep(context);
  },
});

/** Returns the secret that the caller is setting up; null for none. */
export async function pendingSecret(
  context: Parameters<typeof readStep>[0],
  { id: userId }: Pick<CurrentUser, "id">,
): Promise<string | null> {
  const step = await readStep(context, "setUp");
  return step?.userId === userId ? step.secret : null;
}

async function newCodes(userId: string) {
  const codes = newRecoveryCodes();
  return { codes, hashes: await Promise.all(codes.map((code) => recoveryHash(userId, code))) };
}

/**
 * Turns the caller's second factor on by its first code, and ends their other sessions.
 *
 * @returns recovery codes, which are shown this once
 * @throws AppError invalid at `code`, conflict where it is on or its set-up has ended, rateLimited
 */
export const confirmFactor = operation({
  access: "customer",
  forbidsKeys: true,
  input: FactorCodeForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run({ input, user, ...context }) {
    requireRole(user);
    const { db, env, now, caller } = context;
    const secret = await pendingSecret(context, user);
    if (secret === null) throw new AppError("conflict", "This took too long. Begin again.");
    const lastStep = stepOfCode(secret, input.code.replaceAll(" ", ""), now);
    if (lastStep === null)
      throw fieldError("invalid", "code", "This code is wrong. Check the clock of your phone.");
    const { codes, hashes } = await newCodes(user.id);
    const stored = await sealed(env.COOKIE_SECRET, FACTOR_PURPOSE, secret);
    const row = { userId: user.id, secret: stored, lastStep, createdAt: now };
    if (!(await insertFactor(db, row, hashes, await caller.tokenHash()))) throw isOnAlready();
    await endStep(context);
    await endLiveConnections(context, user.id);
    return codes;
  },
});

/** Proves that the caller has the password and the second factor. @throws AppError of both */
async function requireBoth({ input, user, ...context }: OwnContext<z.infer<typeof FactorChangeForm>>) {
  if (!user.hasFactor) throw isOff();
  await requirePassword(context, input.currentPassword);
  await requireCode(context, user, input.code);
}

/** Replaces the caller's recovery codes. @returns the new ones, which are shown this once */
export const renewCodes = operation({
  access: "customer",
  forbidsKeys: true,
  input: FactorChangeForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run(context) {
    await requireBoth(context);
    const { codes, hashes } = await newCodes(context.user.id);
    if (!(await replaceCodes(context.db, context.user.id, hashes))) throw isOff();
    return codes;
  },
});

/** Turns the caller's second factor off. Where the shop requires one, they owe it and set it up anew, as on a new phone. */
export const turnOffFactor = operation({
  access: "customer",
  forbidsKeys: true,
  input: FactorChangeForm,
  limits: (context) => [passwordCheckLimit(context)],
  async run(context) {
    await requireBoth(context);
    if (!(await deleteFactor(context.db, context.user.id))) throw isOff();
    tell(context, context.user, "turnedOff");
  },
});

/**
 * Resets a colleague's second factor and ends their sessions; a mail tells them.
 *
 * @throws AppError conflict for the own account and for one without a second factor, notFound
 */
export const resetFactor = operation({
  access: "admin",
  forbidsKeys: true,
  input: z.object({ id }),
  async run({ input, user, ...context }) {
    if (input.id === user.id)
      throw new AppError("conflict", "Turn your own second factor off under My Account.");
    const target = await findUser(context.db, input.id);
    if (!target) throw noSuchUser();
    if (!(await resetFactorBy(context.db, user.id, target.id)))
      throw new AppError("conflict", "This person has no second factor.");
    await endLiveConnections(context, target.id);
    tell(context, target, "reset");
  },
});

function tell(
  { env, waitUntil }: Pick<RequestContext, "env" | "waitUntil">,
  to: { email: string; firstName: string },
  change: "turnedOff" | "reset",
): void {
  const failure = { kind: "mail", place: "Notice of a second factor" } as const;
  waitUntil(sendFactorNotice(env, to, change).catch((error: unknown) => recordFailure(env, failure, error)));
}
