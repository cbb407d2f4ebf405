// Service worker that displays notifications (docs/decisions/0024-push.md): of visitors with the scope /chat, and as
// part of admin-worker.js. It handles no requests and stores nothing.

// The shop sends nothing while a page in the foreground displays the chat; browsers demand a notification for each push.
const show = ({ tag, title, body, url }) =>
  self.registration.showNotification(title, { tag, body, data: { url }, icon: "/icon-192.png", renotify: true });

async function clear({ tag }) {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close();
}

self.addEventListener("push", (event) => {
  const notice = event.data.json();
  event.waitUntil(notice.type === "read" ? clear(notice) : show(notice));
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
