import { MessageAnswer } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { deleteUserSessions } from "~/session/queries.server";
import { User } from "../answers";
import { hashPassword, verifyPassword } from "../passwords.server";
import { updateUser } from "../queries.server";
import { voidResetLinks } from "../resets.queries.server";
import { ChangePasswordForm, ChangePasswordInput } from "../schema";
import { userView } from "../user-view.server";

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  email?: string | undefined;
}
type PasswordChangeContext = OperationContext<"customer", PasswordChange>;

/** Rate limit of checks of the current password, as for sign-in: the session may be stolen. */
export const passwordCheckLimit = ({ env, user }: Pick<PasswordChangeContext, "env" | "user">) => ({
  limiter: env.LIMIT_LOGIN_ACCOUNT,
  key: `change:${user.id}`,
});
const limits = (context: PasswordChangeContext) => [passwordCheckLimit(context)];

/**
 * Changes the caller's password, ends their other sessions and voids their reset links.
 *
 * @throws AppError invalid (400) at `currentPassword` or `email`, rateLimited (429), conflict (409) when the account has
 *   just changed
 */
export const changePassword = operation({
  route: "PUT user/change-password",
  summary: "Change the caller's password",
  answer: MessageAnswer.extend({ user: User.optional() }),
  access: "customer",
  forbidsKeys: true,
  input: ChangePasswordInput,
  limits,
  run: changeOwnPassword,
});

/** Changes the password from the page's form, which requires a confirmation. */
export const changePasswordByForm = operation({
  access: "customer",
  input: ChangePasswordForm,
  limits,
  run: changeOwnPassword,
});

/**
 * Checks the password of the signed-in caller, which was read with their session.
 *
 * @returns its stored hash
 * @throws AppError invalid (400) at `currentPassword`
 */
export async function requirePassword(
  { caller }: Pick<RequestContext, "caller">,
  password: string,
): Promise<string> {
  const passwordHash = await caller.passwordHash();
  if (passwordHash !== null && (await verifyPassword(password, passwordHash))) return passwordHash;
  throw fieldError("invalid", "currentPassword", "Current password is incorrect");
}

async function changeOwnPassword({ input, user, ...context }: PasswordChangeContext) {
  const { db, caller, now } = context;
  if (input.email !== undefined && emailKey(input.email) !== emailKey(user.email))
    throw fieldError("invalid", "email", "This is not your email address");
  const passwordHash = await requirePassword(context, input.currentPassword);
  const tokenHash = await caller.tokenHash();
  const changed = await updateUser(
    db,
    { actor: user, target: { ...user, passwordHash } },
    { passwordHash: await hashPassword(input.newPassword), updatedAt: now },
    (id) => [deleteUserSessions(db, id, tokenHash), voidResetLinks(db, id, now)],
  );
  if (!changed) throw new AppError("conflict", "Your account has just changed. Please try again.");
  await endLiveConnections(context, user.id);
  return { message: "Password changed successfully!", user: userView(changed.user) };
}
