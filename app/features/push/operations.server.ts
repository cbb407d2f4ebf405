import { buildPushPayload } from "@block65/webcrypto-web-push";
import { z } from "zod";
import { openDb } from "~/db/client.server";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { MessageAnswer } from "~/http/answers";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { settingsForTask } from "~/http/shop-settings.server";
import { pushKeys, readPushKeys } from "./keys.server";
import type { Notice } from "./notice";
import {
  deleteEndpoint,
  deleteOldSubscriptions,
  deleteSubscriptions,
  deleteUnreachable,
  findPreferences,
  findPushState,
  findStaffTargets,
  findVisitorTargets,
  type PushTarget,
  savePreferences as storePreferences,
} from "./queries.server";
import {
  ADMIN_NEWS,
  NEWS_NAMES,
  type News,
  Preferences,
  PreferencesForm,
  PreferencesInput,
  switchName,
  UnsubscribeInput,
} from "./schema";

/** Lifetime of a visitor's subscription since it was last renewed, as long as the cookie of their chats. */
const VISITOR_SECONDS = 90 * DAY_SECONDS;
/** Limits of the requests with which a browser subscribes and unsubscribes. */
export const SUBSCRIPTION_LIMITS = {
  /** Browsers send some 500 bytes. */
  maxBytes: 4096,
  limits: ({ env, address }: RequestContext) => [{ limiter: env.LIMIT_PUSH_ADDRESS, key: address }],
};

/** Deletes a browser's subscriptions. Its endpoint is a secret that only the browser and the shop know. */
export const unsubscribe = operation({
  route: "DELETE push",
  summary: "Stop notifications",
  answer: MessageAnswer,
  access: "anyone",
  input: UnsubscribeInput,
  ...SUBSCRIPTION_LIMITS,
  async run({ db, input }) {
    await deleteEndpoint(db, input.endpoint);
    return { message: "Notifications are off" };
  },
});

/** Reads the key with which browsers subscribe. */
export const readPublicKey = operation({
  access: "anyone",
  input: z.object({}),
  run: async (context) => ({ publicKey: (await pushKeys(context)).publicKey }),
});

/** Reads the caller's notification settings. */
export const readPushSettings = operation({
  access: "staff",
  input: z.object({}),
  async run({ db, env, caller, user }) {
    const { publicKey } = await pushKeys({ env, db });
    const state = await findPushState(db, user.id, (await caller.tokenHash()) ?? "", publicKey);
    const news = NEWS_NAMES.filter((one) => user.isAdmin || !ADMIN_NEWS.includes(one));
    return { publicKey, news, ...state };
  },
});

/** Reads the news that the caller wants, by notifications and by mail. */
export const readPreferences = operation({
  route: "GET push/preferences",
  summary: "Read your notification settings",
  answer: Preferences,
  access: "staff",
  input: z.object({}),
  run: ({ db, user }) => findPreferences(db, user.id),
});

/** Changes the news that the caller wants, by notifications and by mail. */
export const updatePreferences = operation({
  route: "PATCH push/preferences",
  summary: "Change your notification settings",
  answer: Preferences,
  access: "staff",
  input: PreferencesInput,
  run: ({ db, user, input }) => storePreferences(db, user.id, defined(input)),
});

/** Leaves out what is undefined. */
const defined = (changes: z.infer<typeof PreferencesInput>) =>
  Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as Partial<Preferences>;

/** Saves the caller's own notification settings. */
export const savePushPreferences = operation({
  access: "staff",
  input: PreferencesForm,
  run({ db, user, input }) {
    // Their form has no switches of what admins alone are told.
    const own = Object.entries(input).filter(([name]) => user.isAdmin || !isAdminSwitch(name));
    return storePreferences(db, user.id, Object.fromEntries(own));
  },
});

const isAdminSwitch = (name: string) =>
  ADMIN_NEWS.some((news) => [switchName(news, "Push"), switchName(news, "Mail")].some((one) => one === name));

/** Functions that chat rooms and the nightly run call. They have no request context, so each opens D1 itself. */
const roomDb = (env: Env) => openDb(env.DB).db;
/** Finds the browsers that staff have subscribed, or the visitor of a chat. */
export async function pushTargets(
  env: Env,
  side: "staff" | "visitor",
  chatId: string,
): Promise<PushTarget[]> {
  const keys = await readPushKeys(env);
  if (!keys) return [];
  const db = roomDb(env);
  return side === "staff"
    ? findStaffTargets(db, "message", keys.publicKey, epochSeconds())
    : findVisitorTargets(db, chatId, keys.publicKey, epochSeconds());
}

/**
 * Notifies the browsers of one member of staff, or of all, who want the news by push, and deletes subscriptions that have ended.
 *
 * @param userId null for all
 * @param noticeOf with or without the names of others, as the member of staff has chosen
 * @returns the number of browsers that were notified; failures are left out
 */
export async function notifyStaff(
  env: Env,
  news: News,
  userId: string | null,
  noticeOf: (hasPreview: boolean) => Notice,
): Promise<number> {
  const keys = await readPushKeys(env);
  if (!keys) return 0;
  const targets = await findStaffTargets(
    roomDb(env),
    news,
    keys.publicKey,
    epochSeconds(),
    userId ?? undefined,
  );
  const results = await Promise.allSettled(
    targets.map((target) => deliver(env, target, noticeOf(target.hasPreview))),
  );
  const isEnded = (_: unknown, i: number) => {
    const result = results[i];
    return result?.status === "fulfilled" && !result.value;
  };
  await removeTargets(
    env,
    targets.filter(isEnded).map(({ id }) => id),
  );
  return results.filter((result) => result.status === "fulfilled" && result.value).length;
}

export async function removeTargets(env: Env, ids: number[]): Promise<void> {
  if (ids.length > 0) await deleteSubscriptions(roomDb(env), ids);
}

/** Removes visitors' subscriptions that have not been renewed, and those of former VAPID keys. Runs nightly. */
export async function purgeSubscriptions(env: Env): Promise<void> {
  const db = roomDb(env);
  const keys = await readPushKeys(env);
  await deleteOldSubscriptions(db, epochSeconds() - VISITOR_SECONDS);
  if (keys) await deleteUnreachable(db, keys.publicKey);
}

/** Time that a push service keeps a notification for a browser that is offline, seconds. */
const TTL_SECONDS = DAY_SECONDS;
const TIMEOUT_MS = 10_000;
/** Statuses of a push service for a subscription that has ended (RFC 8030, 7.3). */
const GONE = [404, 410];
/** Statuses for a subscription of another VAPID key (RFC 8292, 4.2). */
const FOREIGN_KEY = [401, 403];
/** Largest number of characters in a topic (RFC 8030, 5.4). */
const TOPIC_LENGTH = 32;

/** Detects Apple's push service, which ends subscriptions that receive a push without displaying a notification. */
export const mustDisplay = ({ endpoint }: PushTarget) => /\.push\.apple\.com$/.test(new URL(endpoint).host);

/**
 * Sends a notification, encrypted for the browser (RFC 8291). At the push service it replaces an undelivered one with
 * the same tag.
 *
 * @param ttl time that the push service keeps it for a browser that is offline, seconds
 * @returns false when the subscription has ended, or was made with a former key of the shop
 * @throws Error without keys, on network failure and for any other status
 */
export async function deliver(
  env: Env,
  target: PushTarget,
  notice: Notice,
  ttl = TTL_SECONDS,
): Promise<boolean> {
  const keys = await readPushKeys(env);
  if (!keys) throw new Error("The keys of notifications are missing.");
  if (target.publicKey !== "" && target.publicKey !== keys.publicKey) return false;
  const { supportEmail } = await settingsForTask(env);
  const { endpoint, p256dh, auth } = target;
  const { headers, body } = await buildPushPayload(
    {
      data: { ...notice },
      options: {
        ttl,
        urgency: notice.type === "message" ? "high" : "normal",
        topic: await topicOf(notice.tag),
      },
    },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    { ...keys, subject: `mailto:${supportEmail}` },
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
  if (target.publicKey === "" && FOREIGN_KEY.includes(response.status)) return false;
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
