import { signingSecrets } from "./cookies.server";

/** Key of a mailed link: expiry (base 36) and signature. */
const LINK_KEY = /^([0-9a-z]{1,10})\.([\w-]{43})$/;

/** Kinds of mailed links; a key of one kind opens none of the other. */
type LinkKind = "chat" | "receipt" | "erasure" | "data";

/**
 * Creates the key of a mailed link, which opens one thing for a while.
 *
 * @param secret COOKIE_SECRET
 * @param expires epoch seconds
 */
export async function linkKey(secret: string, kind: LinkKind, id: string, expires: number): Promise<string> {
  const [signing = ""] = signingSecrets(secret);
  return `${expires.toString(36)}.${await signature(signing, kind, id, expires)}`;
}

/** Verifies the key of a mailed link. @param now epoch seconds */
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
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(`${kind}-link:${secret}`),
    algorithm,
    false,
    ["sign"],
  );
  const bytes = await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}:${expires}`));
  return Buffer.from(bytes).toString("base64url");
}

/** Compares digests, which takes the same time for any input. */
async function isEqual(one: string, other: string): Promise<boolean> {
  const digest = async (text: string) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [a, b] = await Promise.all([digest(one), digest(other)]);
  return a.every((byte, i) => byte === b[i]);
}
