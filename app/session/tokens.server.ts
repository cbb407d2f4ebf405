import { authorOf } from "~/db/audit";
import type { RequestContext } from "~/http/request-context.server";
import { REMEMBERED_SECONDS, sessionCookie } from "./cookies.server";
import { insertSession, recordSignIn } from "./queries.server";

/** Generates an access token: 192 random bits, base64url, 32 characters. */
export function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

/** Hashes a token for storage. @returns SHA-256, 64 hex digits */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(digest).toString("hex");
}

/** Lifetime of a session whose cookie ends with the browser, seconds. */
const BROWSER_SESSION_SECONDS = 7 * 24 * 3600;

/**
 * Prepares a session and sets its cookie on the response.
 *
 * @param remembered "Remember me": the cookie lasts 30 days
 * @returns the opaque token, for bearer callers, and the statement that stores its hash
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

/** Starts and stores a session; the audit log has those of staff. @returns the opaque token */
export async function startSession(
  context: RequestContext,
  user: { id: string; isAdmin: boolean; isManager: boolean },
  remembered: boolean,
): Promise<string> {
  const { token, insert } = await newSession(context, user.id, remembered);
  const author = authorOf(user);
  if (author.kind === "staff") await context.db.batch([insert, recordSignIn(context.db, author)]);
  else await insert;
  return token;
}
