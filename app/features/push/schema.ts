import { z } from "zod";
import { flag, id } from "~/http/fields";

/** Push services use some 200 characters. */
const MAX_ENDPOINT = 1024;

/** Names of local networks and of no public network (RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's `.internal`). */
const LOCAL_NAME =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid|example|onion)$/;
/** Labels with dots between them and a top-level domain that begins with a letter: no IP address. */
const PUBLIC_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** IP address within a name, which public resolvers translate to that address. */
const EMBEDDED_ADDRESS = /(?:^|[.-])\d{1,3}(?:[.-]\d{1,3}){3}(?=$|[.-])/;

/**
 * Tests for the URL of a public push service: https, a name of the public DNS, the default port, no credentials. Only
 * the normal spelling is accepted, as browsers report it: the URL parser would turn others into an IP address.
 */
export function isPublicEndpoint(text: string): boolean {
  if (text.length > MAX_ENDPOINT || !URL.canParse(text)) return false;
  const { href, protocol, username, password, port, hash, hostname } = new URL(text);
  const isPlain = href === text && protocol === "https:" && !username && !password && !port && !hash;
  return (
    isPlain && PUBLIC_NAME.test(hostname) && !LOCAL_NAME.test(hostname) && !EMBEDDED_ADDRESS.test(hostname)
  );
}

const endpoint = z
  .string({ error: "Must be text" })
  .max(MAX_ENDPOINT, `Must be at most ${MAX_ENDPOINT} characters`)
  .refine(isPublicEndpoint, "Must be the https URL of a public push service");

/** Base64url with optional padding. */
const key = (pattern: RegExp, rule: string) =>
  z
    .string({ error: "Must be text" })
    .max(100, rule)
    .transform((text) => text.replace(/=+$/, ""))
    .refine((text) => pattern.test(text), rule);

/** Input of a subscription, as `PushSubscription.toJSON()` returns it; `chatId` subscribes a visitor to their own chat. */
export const SubscriptionInput = z.object({
  endpoint,
  keys: z.object(
    {
      // An uncompressed point begins with 4, in base64 with B.
      p256dh: key(/^B[\w-]{86}$/, "Must be an uncompressed P-256 point of 65 bytes in base64url"),
      auth: key(/^[\w-]{21}[AQgw]$/, "Must be 16 bytes in base64url"),
    },
    { error: "Must be an object with p256dh and auth" },
  ),
  chatId: z.preprocess((value) => value ?? undefined, id.optional()),
});

export const UnsubscribeInput = z.object({ endpoint });

/** Form with the notification settings; browsers do not send an unticked box. */
export const PreferencesForm = z.object({ hasPreview: flag.default(false) });
