import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { z } from "zod";
import { attachVisitChats, dropAccountChats, endLiveConnections } from "~/features/chat/operations/access.server";
import { mergeFavourites } from "~/features/favourites/store.server";
import { AppError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { type Operation, operation } from "~/http/operation.server";
import { localPath } from "~/http/redirects.server";
import type { RequestContext } from "~/http/request-context.server";
import { endedSessionCookie } from "~/session/cookies.server";
import { deleteSession, findSessionUser } from "~/session/queries.server";
import { sha256, startSession } from "~/session/tokens.server";
import { DUMMY_HASH, verifyPassword } from "../passwords.server";
import { findUserByEmail } from "../queries.server";
import { SignInInput } from "../schema";
import { type UserView, userView } from "../user-view.server";

/**
 * Signs in with e-mail and password. An unknown address takes as long as a wrong password, and only the right password
 * reveals that an account is deactivated.
 *
 * @throws AppError wrongCredentials (401), deactivated (403), rateLimited (429)
 */
export const signIn = operation({
  access: "anyone",
  input: SignInInput,
  hidesCost: true,
  limits: ({ env, input, address }) => [
    { limiter: env.LIMIT_LOGIN_ADDRESS, key: address },
    { limiter: env.LIMIT_LOGIN_ACCOUNT, key: emailKey(input.email) },
  ],
  async run(context) {
    const { db, input } = context;
    const user = await findUserByEmail(db, emailKey(input.email));
    const matches = await verifyPassword(input.password, user?.passwordHash ?? DUMMY_HASH);
    if (!user || !matches) throw new AppError("wrongCredentials", "Invalid email or password");
    if (!user.isUser)
      throw new AppError("deactivated", "This account has been deactivated. Please contact us.");
    await endFormerSession(context);
    const token = await startSession(context, user, input.rememberMe ?? false);
    await attachVisitChats(context, user);
    await mergeFavourites(context, user.id);
    return { token, user: userView(user) };
  },
});

/** Ends the browser's former session on a new sign-in: its cookie is replaced, so nobody could sign out of it. */
export async function endFormerSession(context: RequestContext): Promise<void> {
  const { cookies, db, now } = context;
  if (!cookies.session) return;
  const tokenHash = await sha256(cookies.session);
  const former = await findSessionUser(db, tokenHash, now);
  await deleteSession(db, tokenHash);
  await endLiveConnections(context, former?.id);
}

/**
 * Returns the page after sign-in: for staff the page that required it, else the back office; for others the shop.
 *
 * @param redirectTo from the form; only a local path is followed
 */
export function landingPage(user: Pick<UserView, "isAdmin" | "isManager">, redirectTo: unknown): string {
  return user.isAdmin || user.isManager ? localPath(redirectTo, "/admin") : "/";
}

/** Signs out: revokes the request's cookie and bearer tokens and removes the account's chats from the browser. */
export const signOut = operation({
  access: "anyone",
  input: z.object({}),
  hidesCost: true,
  async run({ user, ...context }) {
    const { db, caller, cookies, headers, secure } = context;
    const byCookie = cookies.session ? await sha256(cookies.session) : null;
    const hashes = new Set([await caller.tokenHash(), byCookie]);
    await Promise.all([...hashes].map((hash) => hash && deleteSession(db, hash)));
    await endLiveConnections(context, user?.id);
    headers.append("Set-Cookie", await endedSessionCookie(secure));
    await dropAccountChats(context, user?.id ?? null);
    return { message: "You are signed out." };
  },
});

export const me = operation({
  access: "customer",
  input: z.object({}),
  hidesCost: true,
  run: async ({ user }) => userView(user),
});

/**
 * Wraps the sign-in operation for the page, where remix-auth reads the form.
 *
 * @param request of the page, with an unread body
 * @returns an operation for formAction
 */
export function formAuthenticator<O>(signIn: Operation<O>, request: Request): Operation<O> {
  const copy = request.clone() as Request;
  return {
    ...signIn,
    execute(context) {
      const strategy = new FormStrategy<O>(({ form }) => signIn.execute(context, Object.fromEntries(form)));
      return new Authenticator<O>().use(strategy).authenticate("form", copy);
    },
  };
}
