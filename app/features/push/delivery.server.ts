import { buildPushPayload } from "@block65/webcrypto-web-push";
import { shopSettings } from "~/http/shop-settings.server";
import type { Notice } from "./notice";
import type { PushTarget } from "./queries.server";

/** Time that a push service keeps a notification for a browser that is offline, seconds. */
const TTL_SECONDS = 24 * 3600;
const TIMEOUT_MS = 10_000;
/** Statuses of a push service for a subscription that has ended (RFC 8030, 7.3). */
const GONE = [404, 410];
/** Largest number of characters in a topic (RFC 8030, 5.4). */
const TOPIC_LENGTH = 32;

/** Reads the VAPID keys (RFC 8292). @returns null without them: no notifications are sent */
export function vapidKeys(env: Env) {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey } = env;
  if (!publicKey || !privateKey) return null;
  return { publicKey, privateKey, subject: `mailto:${shopSettings(env).supportEmail}` };
}

/** Detects Apple's push service, which ends subscriptions that receive a push without displaying a notification. */
export const mustDisplay = ({ endpoint }: PushTarget) => /\.push\.apple\.com$/.test(new URL(endpoint).host);

/**
 * Sends a notification, encrypted for the browser (RFC 8291). At the push service it replaces an undelivered one with
 * the same tag.
 *
 * @returns false when the subscription has ended
 * @throws Error without VAPID keys, on network failure and for any other status
 */
export async function deliver(env: Env, target: PushTarget, notice: Notice): Promise<boolean> {
  const keys = vapidKeys(env);
  if (!keys) throw new Error("The VAPID keys are missing.");
  const { endpoint, p256dh, auth } = target;
  const { headers, body } = await buildPushPayload(
    {
      data: { ...notice },
      options: {
        ttl: TTL_SECONDS,
        urgency: notice.type === "message" ? "high" : "normal",
        topic: await topicOf(notice.tag),
      },
    },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    keys,
  );
  const response = await fetch(serviceUrl(env, endpoint), {
    method: "POST",
    headers,
    body,
    // A push service has no reason to redirect to another host.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (GONE.includes(response.status)) return false;
  if (!response.ok)
    throw new Error(`The push service ${new URL(endpoint).host} answered ${response.status}.`);
  return true;
}

/** Returns the endpoint, in tests at the emulated push service. */
function serviceUrl(env: Env, endpoint: string): string {
  if (!env.PUSH_TEST_ORIGIN) return endpoint;
  const { pathname, search } = new URL(endpoint);
  return new URL(pathname + search, env.PUSH_TEST_ORIGIN).href;
}

/** Hashes a tag: push services must not learn the chat's id. */
async function topicOf(tag: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tag));
  return Buffer.from(digest).toString("base64url").slice(0, TOPIC_LENGTH);
}
