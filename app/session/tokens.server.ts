import { DAY_SECONDS } from "~/domain/durations";
import type { RequestContext } from "~/http/request-context.server";
import { REMEMBERED_SECONDS, sessionCookie, signingSecrets } from "./cookies.server";
import { insertSession } from "./queries.server";

/** Generates an access token: 192 random bits, base64url, 32 characters. */
export function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString("base64url");
}

/** Hashes a token for storage. @returns SHA-256, 64 hex digits */
export async function sha256(text: string): Promise<string> {
  return Buffer.from(await digest(text)).toString("hex");
}

const digest = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Lifetime of a session whose cookie ends with the browser, seconds. */
const BROWSER_SESSION_SECONDS = 7 * DAY_SECONDS;

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

/** Key of a signed link: expiry (base 36) and signature. */
const LINK_KEY = /^([0-9a-z]{1,10})\.([\w-]{43})$/;

/** Kinds of signed links; a key of one kind opens nothing of another. */
type LinkKind = "chat" | "receipt" | "erasure" | "data" | "mails" | "restock";

/**
 * Creates the key of a signed link, which opens one thing for a while.
 *
 * @param secret COOKIE_SECRET
 * @param expires epoch seconds
 */
export async function linkKey(secret: string, kind: LinkKind, id: string, expires: number): Promise<string> {
  const [signing = ""] = signingSecrets(secret);
  return `${expires.toString(36)}.${await signature(signing, kind, id, expires)}`;
}

/** Verifies the key of a signed link. @param now epoch seconds */
export async function isLinkKey(
  secret: string,
  kind: LinkKind,
  id: string,
  key: string,
  now: number,
): Promise<boolean> {
  const [, expires = "", signed = ""] = LINK_KEY.exec(key) ?? [];
  const until = Number.parseInt(expires, 36) || 0;
  const matches = signingSecrets(secret).map(async (each) =>
    isEqual(signed, await signature(each, kind, id, until)),
  );
  return (await Promise.all(matches)).includes(true) && until > now;
}

async function signature(secret: string, kind: LinkKind, id: string, expires: number): Promise<string> {
  return (await hmac(`${kind}-link:${secret}`, `${id}:${expires}`)).toString("base64url");
}

/** Computes the HMAC-SHA-256 of a text. */
async function hmac(secret: string, text: string): Promise<Buffer> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return Buffer.from(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/**
 * Derives the token by which replies to a thread of mails are recognised; it can be put in each of its mails without being stored.
 *
 * @param secret COOKIE_SECRET
 * @param threadId random
 * @returns by each secret, the signing one first: 160 bits as 40 hex digits, since mail servers may ignore the case
 */
export async function replyTokens(secret: string, threadId: string): Promise<string[]> {
  const derived = signingSecrets(secret, "mail-reply:").map((each) => hmac(each, threadId));
  return (await Promise.all(derived)).map((bytes) => bytes.toString("hex").slice(0, 40));
}

/** Compares digests, which takes the same time for any input. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(one), digest(other)]);
  return a.every((byte, i) => byte === b[i]);
}
