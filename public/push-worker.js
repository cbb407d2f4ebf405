// Service worker that displays notifications (docs/decisions/0024-push.md): of visitors with the scope /chat, and as
// part of admin-worker.js. It handles no requests and stores nothing.

// The shop sends nothing while a page in the foreground displays the chat; browsers demand a notification for each push.
const show = ({ tag, title, body, url }) =>
  self.registration.showNotification(title, { tag, body, data: { url }, icon: "/icon-192.png", renotify: true });

/** Notifications of staff's chats that stay apart; more of them become one that counts the chats. */
const MAX_CHATS = 4;
const STAFF = "/admin/chat?chat=";

/** Displays a message: its own notification, or one for all chats when several wait already. */
async function announce(notice) {
  const others = (await self.registration.getNotifications()).filter(({ tag }) => tag !== notice.tag);
  const group = others.find(({ tag }) => tag === "chats");
  const chats = others.filter(({ data }) => data.url.startsWith(STAFF));
  if (!notice.url.startsWith(STAFF) || (!group && chats.length < MAX_CHATS)) return show(notice);
  const tags = [...new Set([...(group?.data.tags ?? []), ...chats.map(({ tag }) => tag), notice.tag])];
  await showGroup(tags);
  for (const chat of await self.registration.getNotifications()) if (chat.tag !== "chats") chat.close();
}

const showGroup = (tags) =>
  self.registration.showNotification(`${tags.length} chats with new messages`, {
    tag: "chats",
    data: { url: "/admin/chat?filter=unanswered", tags },
    icon: "/icon-192.png",
  });

/** Removes the notification of a chat that was read, also from the one that counts it. */
async function clear({ tag }) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
  const [group] = await self.registration.getNotifications({ tag: "chats" });
  const tags = group?.data.tags.filter((other) => other !== tag) ?? [];
  if (tags.length > 1) await showGroup(tags);
  else group?.close();
}

let last = Promise.resolve();

// One after the other: of several at once none would see the others' notifications.
self.addEventListener("push", (event) => {
  const notice = event.data.json();
  const handle = () => (notice.type === "read" ? clear(notice) : announce(notice));
  last = last.then(handle, handle);
  event.waitUntil(last);
});

/** Opens the chat: in the page that displays it, else in a console that is open, else in a new window. */
async function open(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isAt = (page, path) => page.url === new URL(path, self.location.origin).href;
  const same = pages.find((page) => isAt(page, url));
  if (same) return same.focus();
  const chatConsole = url.startsWith("/admin/chat") && pages.find((page) => new URL(page.url).pathname === "/admin/chat");
  if (!chatConsole) return self.clients.openWindow(url);
  await chatConsole.focus();
  // A page of another scope cannot be navigated.
  return chatConsole.navigate(url).catch(() => self.clients.openWindow(url));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
