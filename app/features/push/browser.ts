import { hasWorkers, registrationOf, type Side, WORKERS } from "./workers";

export const isPushSupported = () => hasWorkers() && "PushManager" in window && "Notification" in window;
export const isPushDenied = () => Notification.permission === "denied";

/** Registers a service worker. @throws Error where the browser has none or rejects it */
export function registerWorker(side: Side): Promise<ServiceWorkerRegistration> {
  const { script, scope } = WORKERS[side];
  return navigator.serviceWorker.register(script, { scope });
}

/** Returns this browser's subscription, null without one. */
export async function browserSubscription(side: Side): Promise<PushSubscription | null> {
  const registration = isPushSupported() ? await registrationOf(side) : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Tests that a subscription was made with a VAPID key; browsers that don't tell are trusted. */
export function isOfKey({ options }: PushSubscription, key: string): boolean {
  const own = options.applicationServerKey;
  if (!own) return true;
  return (
    btoa(String.fromCharCode(...new Uint8Array(own)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "") === key
  );
}

/** Reads the VAPID key that browsers subscribe with. */
export async function readPushKey(): Promise<string> {
  const response = await fetch("/push/key");
  return ((await response.json()) as { publicKey: string }).publicKey;
}

/**
 * Asks for the permission and subscribes this browser. Call it from a click, since browsers ask on no other occasion.
 *
 * @param key the shop's VAPID key
 * @param chatId the visitor's own chat
 * @returns false when the reader has not allowed it
 * @throws Error when the browser, its push service or the shop fails
 */
export async function turnOn(side: Side, key: string, chatId?: string): Promise<boolean> {
  const subscription = await subscribe(side, key);
  if (subscription) await saveSubscription(subscription, chatId);
  return subscription !== null;
}

/** Asks for the permission and subscribes this browser, at its push service alone. @returns null when the reader has not allowed it */
export async function subscribe(side: Side, key: string): Promise<PushSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const registration = await registerWorker(side);
  await activation(registration);
  return subscribeBrowser(registration, key);
}

/** Waits until the worker is active, before which browsers accept no subscription. */
function activation({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = active ?? installing ?? waiting;
  if (!worker || worker.state === "activated") return Promise.resolve();
  return new Promise((resolve) => {
    worker.addEventListener("statechange", () => worker.state === "activated" && resolve());
  });
}

/** Subscribes, anew if the stored subscription belongs to a former VAPID key. */
async function subscribeBrowser({ pushManager }: ServiceWorkerRegistration, key: string) {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const former = await pushManager.getSubscription();
    if (!former) throw error;
    await former.unsubscribe();
    return pushManager.subscribe(options);
  }
}

/** Sends a subscription to the shop, or renews it there. @throws Error when it is rejected */
export async function saveSubscription(subscription: PushSubscription, chatId?: string): Promise<void> {
  await send("POST", { ...subscription.toJSON(), chatId });
}

/** Ends this browser's subscription, here and at the shop. */
export async function turnOff(side: Side): Promise<void> {
  const subscription = await browserSubscription(side);
  if (!subscription) return;
  await send("DELETE", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/** Ends the subscription in this browser; at the shop it ends with the session. Never rejects. */
export async function unsubscribeBrowser(side: Side): Promise<void> {
  const subscription = await browserSubscription(side).catch(() => null);
  await subscription?.unsubscribe().catch(() => undefined);
}

async function send(method: "POST" | "DELETE", body: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/api/push", { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Notifications: ${response.status}`);
}
