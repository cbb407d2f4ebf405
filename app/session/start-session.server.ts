import type { RequestContext } from "~/http/request-context.server";
import { REMEMBERED_SECONDS, sessionCookie } from "./cookies.server";
import { insertSession } from "./queries.server";
import { randomToken, sha256 } from "./token.server";

/** Seconds that a session lives whose cookie ends with the browser. */
const BROWSER_SESSION_SECONDS = 7 * 24 * 3600;

/**
 * Draws a session and puts its cookie on the answer.
 *
 * @param remembered "Remember me": the cookie is kept 30 days
 * @returns the opaque token, for callers who send it as a bearer, and the statement that stores its hash
 */
export async function newSession(context: RequestContext, userId: string, remembered: boolean) {
  const token = randomToken();
  const insert = insertSession(context.db, {
    tokenHash: await sha256(token),
    userId,
    createdAt: context.now,
    expiresAt: context.now + (remembered ? REMEMBERED_SECONDS : BROWSER_SESSION_SECONDS),
  });
  context.headers.append("Set-Cookie", await sessionCookie(token, remembered, context.secure));
  return { token, insert };
}

/**
 * Signs a user in: a new session, stored.
 *
 * @returns the opaque token
 */
export async function startSession(
  context: RequestContext,
  userId: string,
  remembered: boolean,
): Promise<string> {
  const { token, insert } = await newSession(context, userId, remembered);
  await insert;
  return token;
}
