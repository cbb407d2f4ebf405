/** Notification, as the service worker receives it (public/push-worker.js). */
export interface Notice {
  type: "message" | "read";
  /** Notifications with the same tag replace each other. */
  tag: string;
  title: string;
  body: string;
  /** Path that a click opens. */
  url: string;
}

/** Returns the tag of a chat's notifications. */
export const chatTag = (chatId: string) => `chat-${chatId}`;
