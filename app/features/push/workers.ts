import { chatTag } from "./notice";

/** Service workers. That of visitors controls no page of the shop but those below /chat, and handles no requests. */
export const WORKERS = {
  staff: { script: "/admin-worker.js", scope: "/admin" },
  visitor: { script: "/push-worker.js", scope: "/chat" },
};
export type Side = keyof typeof WORKERS;

export const hasWorkers = () => "serviceWorker" in navigator;

/** Finds the service worker of a side in this browser; undefined before it was registered. */
export const registrationOf = async (side: Side) =>
  hasWorkers() ? navigator.serviceWorker.getRegistration(WORKERS[side].scope) : undefined;

/** Closes a chat's notification on this device, where the browser allows it. Never rejects. */
export async function closeNotification(side: Side, chatId: string): Promise<void> {
  try {
    const registration = await registrationOf(side);
    const displayed = (await registration?.getNotifications({ tag: chatTag(chatId) })) ?? [];
    for (const notification of displayed) notification.close();
  } catch {
    // Some browsers, and private windows of others, have no list of notifications.
  }
}
