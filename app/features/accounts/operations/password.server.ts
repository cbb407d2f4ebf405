import { type Db, openDb } from "~/db/client.server";
import { dropAccountChats, endLiveConnections } from "~/features/chat/operations.server";
import { AppError, fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/current-user";
import { deleteSessionsOf } from "~/session/queries.server";
import { randomToken, sha256 } from "~/session/token.server";
import { sendResetMail } from "../mail.server";
import { hashPassword, verifyPassword } from "../passwords.server";
import {
  findReset,
  findUser,
  findUserByEmail,
  insertReset,
  type ResetLink,
  redeemReset,
  type UserRow,
  updateUser,
  voidResetsOf,
} from "../queries.server";
import {
  ChangePasswordForm,
  ChangePasswordInput,
  ForgotPasswordInput,
  isResetToken,
  isStaffPassword,
  ResetPasswordInput,
  STAFF_PASSWORD_MESSAGE,
} from "../schema";
import { userView } from "../user-view.server";

/** Seconds that a reset link is good for (contract). */
const LINK_SECONDS = 3600;

/**
 * Sends a reset link. The answer is the same, and as fast, whether or not the address has an account: all
 * that depends on it happens after the answer.
 *
 * @throws AppError rateLimited (429)
 */
export const forgotPassword = operation({
  access: "anyone",
  input: ForgotPasswordInput,
  hidesCost: true,
  limits: ({ env, input, address }) => [
    { limiter: env.LIMIT_FORGOT_ADDRESS, key: address },
    { limiter: env.LIMIT_FORGOT_ACCOUNT, key: emailKey(input.email) },
  ],
  async run(context) {
    context.waitUntil(sendLink(context, context.input.email).catch((error) => console.error(error)));
    return { message: "Password reset email sent! Check your inbox." };
  },
});

/** Milliseconds after which the answer is on its way and the work for a known address can't slow it. */
const AFTER_THE_ANSWER = 50;

/** Its own way to D1: what it costs must show neither in Server-Timing nor by a bookmark cookie. */
async function sendLink({ env, settings, now }: RequestContext, address: string): Promise<void> {
  await scheduler.wait(AFTER_THE_ANSWER);
  const { db } = openDb(env.DB, null);
  const user = await findUserByEmail(db, emailKey(address));
  if (!user?.isUser) return;
  const token = randomToken();
  const link = { tokenHash: await sha256(token), userId: user.id, expiresAt: now + LINK_SECONDS };
  if (!(await insertReset(db, link, user.emailKey))) return;
  await sendResetMail(env.MAIL, settings, user, `${settings.url}/resetPassword?token=${token}`);
}

/**
 * Sets a new password by a reset link; every session of the user ends, and this browser forgets their chats.
 *
 * @throws AppError invalid (400): the link is used, expired or unknown, or the password is too weak for staff
 */
export const resetPassword = operation({
  access: "anyone",
  input: ResetPasswordInput,
  hidesCost: true,
  async run({ input, ...context }) {
    const { db, now } = context;
    const tokenHash = await sha256(input.token);
    const link = await findReset(db, tokenHash);
    const refusal = refusalOf(link, now);
    if (!link || refusal) throw new AppError("invalid", refusal ?? UNKNOWN_LINK);
    if (link.isStaff && !isStaffPassword(input.password))
      throw fieldError("invalid", "password", STAFF_PASSWORD_MESSAGE);
    const redeemed = await redeemReset(
      db,
      { tokenHash, userId: link.userId },
      await hashPassword(input.password),
      now,
    );
    if (!redeemed) throw new AppError("invalid", USED_LINK);
    await endLiveConnections(context, link.userId);
    await dropAccountChats(context, link.userId);
    return { message: "Password changed successfully!" };
  },
});

const UNKNOWN_LINK = "This reset link is not valid. Please request a new one.";
const USED_LINK = "This reset link has already been used. Please request a new one.";
const EXPIRED_LINK = "This reset link has expired. Please request a new one.";

function refusalOf(link: ResetLink | null, now: number): string | null {
  if (!link?.isActive) return UNKNOWN_LINK;
  if (link.usedAt !== null) return USED_LINK;
  return link.expiresAt <= now ? EXPIRED_LINK : null;
}

/**
 * Whether a reset link is still good, for the page that it opens.
 *
 * @param token from the link
 * @returns null when it is; else what is wrong with it
 */
export async function resetLinkError({ db, now }: RequestContext, token: string): Promise<string | null> {
  return refusalOf(isResetToken(token) ? await findReset(db, await sha256(token)) : null, now);
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  email?: string | undefined;
}
type SignedIn = RequestContext & { user: Pick<CurrentUser, "id" | "email">; input: PasswordChange };

/** Guessing the current password with a stolen session is limited like signing in. */
export const guessLimit = ({ env, user }: Pick<SignedIn, "env" | "user">) => ({
  limiter: env.LIMIT_LOGIN_ACCOUNT,
  key: `change:${user.id}`,
});
const limits = (context: SignedIn) => [guessLimit(context)];

/**
 * Changes the caller's password; their other sessions and any reset links end.
 *
 * @throws AppError invalid (400) at `currentPassword` or `email`, rateLimited (429)
 */
export const changePassword = operation({
  access: "customer",
  input: ChangePasswordInput,
  limits,
  run: changeOwnPassword,
});

/** The same from the page, which asks for the new password twice. */
export const changePasswordByForm = operation({
  access: "customer",
  input: ChangePasswordForm,
  limits,
  run: changeOwnPassword,
});

/**
 * Checks the password of somebody who is signed in.
 *
 * @returns their row
 * @throws AppError invalid (400) at `currentPassword`
 */
export async function requirePassword(db: Db, userId: string, password: string): Promise<UserRow> {
  const row = await findUser(db, userId);
  if (row && (await verifyPassword(password, row.passwordHash))) return row;
  throw fieldError("invalid", "currentPassword", "Current password is incorrect");
}

async function changeOwnPassword({ input, user, ...context }: SignedIn) {
  const { db, caller, now } = context;
  if (input.email !== undefined && emailKey(input.email) !== emailKey(user.email))
    throw fieldError("invalid", "email", "This is not your email address");
  const row = await requirePassword(db, user.id, input.currentPassword);
  const tokenHash = await caller.tokenHash();
  const changed = await updateUser(
    db,
    { actor: row, read: row },
    { passwordHash: await hashPassword(input.newPassword), updatedAt: now },
    (id) => [deleteSessionsOf(db, id, tokenHash), voidResetsOf(db, id, now)],
  );
  if (!changed) throw new AppError("conflict", "Your account has just changed. Please try again.");
  await endLiveConnections(context, user.id);
  return { message: "Password changed successfully!", user: userView(changed) };
}
