import { openDb } from "~/db/client.server";
import { HOUR_SECONDS } from "~/domain/durations";
import { notifyOfEndedKeys, sendResetMail } from "~/features/accounts/mail.server";
import { hashPassword } from "~/features/accounts/passwords.server";
import { findUserByEmail } from "~/features/accounts/queries.server";
import {
  findReset,
  insertReset,
  type ResetLink,
  resetPasswordByLink,
} from "~/features/accounts/resets.queries.server";
import {
  ForgotPasswordInput,
  isResetToken,
  isStaffPassword,
  ResetPasswordInput,
  STAFF_PASSWORD_MESSAGE,
} from "~/features/accounts/schema";
import { dropAccountChats } from "~/features/chat/operations/access.server";
import { recordFailure } from "~/features/incidents/operations.server";
import { MessageAnswer } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { randomToken, sha256 } from "~/session/tokens.server";

/** Lifetime of a reset link, seconds (docs/product.md, 4.1). */
const LINK_SECONDS = HOUR_SECONDS;

/**
 * Sends a reset link. The response is the same and as fast for every address, because everything that depends on the
 * account happens after it.
 *
 * @throws AppError rateLimited (429)
 */
export const forgotPassword = operation({
  route: "POST auth/forgot-password",
  summary: "Mail a link that resets the password",
  answer: MessageAnswer,
  access: "anyone",
  input: ForgotPasswordInput,
  hidesCost: true,
  limits: ({ env, input, address }) => [
    { limiter: env.LIMIT_FORGOT_ADDRESS, key: address },
    { limiter: env.LIMIT_FORGOT_ACCOUNT, key: emailKey(input.email) },
  ],
  async run(context) {
    const failure = { kind: "mail", place: "Link to reset a password" } as const;
    context.waitUntil(
      sendResetLink(context, context.input.email).catch((error) =>
        recordFailure(context.env, failure, error),
      ),
    );
    return { message: "Password reset email sent! Check your inbox." };
  },
});

/** Delay in ms after which the response has left, so that work for a known address cannot slow it down. */
const RESPONSE_HEAD_START_MS = 50;

/** Sends the mail over a D1 client of its own: neither Server-Timing nor a bookmark cookie may reveal the account. */
async function sendResetLink({ env, settings, now }: RequestContext, email: string): Promise<void> {
  await scheduler.wait(RESPONSE_HEAD_START_MS);
  const { db } = openDb(env.DB);
  const user = await findUserByEmail(db, emailKey(email));
  if (!user?.isUser) return;
  const token = randomToken();
  const link = { tokenHash: await sha256(token), userId: user.id, expiresAt: now + LINK_SECONDS };
  if (!(await insertReset(db, link, user.emailKey))) return;
  await sendResetMail(env, user, `${settings.url}/resetPassword?token=${token}`);
}

/**
 * Sets a new password by a reset link, ends every session and API key of the user and removes their chats from the
 * browser.
 *
 * @throws AppError invalid (400) for a used, expired or unknown link and for a weak password of staff
 */
export const resetPassword = operation({
  route: "POST auth/reset-password",
  summary: "Set a password with a mailed link",
  answer: MessageAnswer,
  access: "anyone",
  input: ResetPasswordInput,
  hidesCost: true,
  async run({ input, ...context }) {
    const { db, now } = context;
    const tokenHash = await sha256(input.token);
    const link = await findReset(db, tokenHash);
    if (!link) throw new AppError("invalid", UNKNOWN_LINK);
    const error = linkError(link, now);
    if (error) throw new AppError("invalid", error);
    if (link.isStaff && !isStaffPassword(input.password))
      throw fieldError("invalid", "password", STAFF_PASSWORD_MESSAGE);
    const redeemed = await resetPasswordByLink(
      db,
      { ...link, tokenHash },
      await hashPassword(input.password),
      now,
    );
    if (!redeemed) throw new AppError("invalid", USED_LINK);
    notifyOfEndedKeys(context, redeemed.user, redeemed.endedKeys, "reset");
    await endLiveConnections(context, link.userId);
    await dropAccountChats(context, link.userId);
    return { message: "Password changed successfully!" };
  },
});

const UNKNOWN_LINK = "This reset link is not valid. Please request a new one.";
const USED_LINK = "This reset link has already been used. Please request a new one.";
const EXPIRED_LINK = "This reset link has expired. Please request a new one.";

function linkError(link: ResetLink | null, now: number): string | null {
  if (!link?.isActive) return UNKNOWN_LINK;
  if (link.usedAt !== null) return USED_LINK;
  return link.expiresAt <= now ? EXPIRED_LINK : null;
}

/**
 * Checks a reset link for the page that it opens.
 *
 * @param token from the link
 * @returns error message; null for a valid link
 */
export async function resetLinkError({ db, now }: RequestContext, token: string): Promise<string | null> {
  return linkError(isResetToken(token) ? await findReset(db, await sha256(token)) : null, now);
}
