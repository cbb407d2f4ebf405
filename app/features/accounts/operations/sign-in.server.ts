import { z } from "zod";
import { attachVisitChat, dropAccountChats, endLiveConnections } from "~/features/chat/operations.server";
import { AppError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { operation } from "~/http/operation.server";
import { localPath } from "~/http/redirects.server";
import type { RequestContext } from "~/http/request-context.server";
import { endedSessionCookie } from "~/session/cookies.server";
import { deleteSession, findSessionUser } from "~/session/queries.server";
import { startSession } from "~/session/start-session.server";
import { sha256 } from "~/session/token.server";
import { DUMMY_HASH, verifyPassword } from "../passwords.server";
import { findUserByEmail } from "../queries.server";
import { SignInInput } from "../schema";
import { type UserView, userView } from "../user-view.server";

/**
 * Signs in with e-mail and password. An unknown address takes as long as a wrong password, and that an
 * account was switched off is told only to who knows its password.
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
    const token = await startSession(context, user.id, input.rememberMe ?? false);
    await attachVisitChat(context, user.id);
    return { token, user: userView(user) };
  },
});

/** Ends the session that a browser still has when somebody signs in over it: nobody could sign out of it any more. */
export async function endFormerSession(context: RequestContext): Promise<void> {
  const { cookies, db, now } = context;
  if (!cookies.session) return;
  const tokenHash = await sha256(cookies.session);
  const former = await findSessionUser(db, tokenHash, now);
  await deleteSession(db, tokenHash);
  await endLiveConnections(context, former?.id);
}

/**
 * Where signing in leads (spec 4): staff back to where the guard sent them from, else to the back office;
 * others to the shop.
 *
 * @param asked from the form; only a local path is followed
 */
export function landingPage(user: Pick<UserView, "isAdmin" | "isManager">, asked: unknown): string {
  return user.isAdmin || user.isManager ? localPath(asked, "/admin") : "/";
}

/** Signs out: the tokens that the request came with are dead, by cookie and by bearer; the browser forgets their chats. */
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

/** Who is calling. */
export const me = operation({
  access: "customer",
  input: z.object({}),
  hidesCost: true,
  run: async ({ user }) => userView(user),
});
