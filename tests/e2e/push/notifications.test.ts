import type { BrowserContext, Page } from "@playwright/test";
import { test as base, expect, waitForHydration } from "../../support/browser";
import { type PushService, startPushService } from "../../support/loopback-push-service";
import { decrypt, newBrowser, type TestBrowser, verifyVapid } from "../../support/push-service";
import { fetchShop, type RunningShop, startShop } from "../../support/running-shop";
import { signedInAs } from "../../support/signed-in";
import { staffCall } from "../../support/staff";
import { newVapidKeys } from "../../support/vapid-keys";

/** Shop whose notifications go to a push service on this machine, in a browser that displays them. */
const test = base.extend<object, { push: PushService }>({
  launchOptions: ({ launchOptions }, use) =>
    use({ ...launchOptions, executablePath: process.env.CHROMIUM_PATH }),
  push: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that one needs from this pattern.
    async ({}, use) => {
      const service = await startPushService();
      await use(service);
      await service.stop();
    },
    { scope: "worker" },
  ],
  shop: [
    async ({ push }, use) => {
      const shop = await startShop({ PUSH_TEST_ORIGIN: push.origin });
      await use(shop);
      await shop.stop();
    },
    // Playwright demands the `auto` of the overridden fixture, which its type lacks.
    { scope: "worker", auto: true, timeout: 120_000 } as { scope: "worker"; timeout: number },
  ],
});

/** Gives a context's pages a subscription at the test's push service, which Chromium itself cannot reach. */
async function withSubscription(
  context: BrowserContext,
  { subscription }: TestBrowser,
  formerKey?: string,
): Promise<void> {
  await waitForHydration(context);
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(
    ([json, former]) => {
      const bytes = (key: string) =>
        Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer;
      const subscribedKey = () => localStorage.getItem("test:subscribed") ?? former ?? null;
      const made = {
        ...json,
        get options() {
          return { applicationServerKey: bytes(subscribedKey() ?? "") };
        },
        toJSON: () => json,
        unsubscribe: async () => localStorage.removeItem("test:subscribed"),
      };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (subscribedKey() === null ? null : made),
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          localStorage.setItem("test:subscribed", applicationServerKey);
          return made;
        },
      });
    },
    [subscription, formerKey] as const,
  );
}

/** Messages that a browser has received, decrypted, with their headers. */
function received({ requests }: PushService, browser: TestBrowser) {
  const { pathname } = new URL(browser.subscription.endpoint);
  return requests
    .filter(({ path }) => path === pathname)
    .map(({ headers, body }) => ({ headers, notice: decrypt(body, browser) }));
}

const bodies = (push: PushService, browser: TestBrowser) =>
  received(push, browser).map(({ notice }) => notice.body);

/** Delivers a push message to the page's service worker, as the browser does when it arrives. */
async function deliver(page: Page, data: object): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((done) =>
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.endsWith("/admin"));
      if (found) done(found.registrationId);
    }),
  );
  await session.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  await session.send("ServiceWorker.deliverPushMessage", {
    origin,
    registrationId: await registration,
    data: JSON.stringify(data),
  });
}

/** Texts of the displayed notifications. */
const displayed = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/admin");
    const notifications = (await registration?.getNotifications()) ?? [];
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
  });

async function startChat(shop: RunningShop, initialMessage: string) {
  const answer = await fetchShop("/api/chat/create", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: shop.url },
    body: JSON.stringify({ userName: "Ines", initialMessage }),
  });
  return ((await answer.json()) as { chatId: string }).chatId;
}

test("staff are notified while no console is visible, and reading removes the notification", async ({
  open,
  browser: chromium,
  shop,
  push,
}) => {
  const browser = newBrowser();
  const context = await chromium.newContext({ baseURL: shop.url, ...(await signedInAs("manager")).browser });
  await withSubscription(context, browser);
  const page = await context.newPage();
  await page.goto("/admin/chat?tab=settings");
  await page.getByRole("button", { name: "Turn on on this device" }).click();
  await page.getByText("This device notifies you of visitors' messages").waitFor();
  // Read once the page is connected to the admin room.
  const connected = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/admin/unread");
  await page.goto("/admin/users-management");
  await connected;
  await startChat(shop, "While a console is visible");
  await page.getByText("While a console is visible").waitFor();
  expect(bodies(push, browser)).toEqual([]);
  await page.goto("about:blank");
  // The shop learns a moment later that the page is gone.
  const isNotified = async () => {
    await startChat(shop, "Has the page gone?");
    return bodies(push, browser).includes("Has the page gone?");
  };
  await expect.poll(isNotified).toBe(true);

  const chatId = await startChat(shop, "While nobody looks");
  // One of the earlier chats may arrive later.
  const findMessage = () =>
    received(push, browser).find(({ notice }) => notice.body === "While nobody looks");
  await expect.poll(findMessage).toBeDefined();
  const message = findMessage();
  expect(message?.notice).toMatchObject({ title: "Ines", url: `/admin/chat?chat=${chatId}` });
  expect(message?.headers).toMatchObject({
    ttl: "86400",
    urgency: "high",
    "content-encoding": "aes128gcm",
    topic: expect.stringMatching(/^[\w-]{32}$/),
  });
  const { key, claims } = await verifyVapid(message?.headers.authorization ?? "");
  const { publicKey } = (await (await fetchShop("/push/key")).json()) as { publicKey: string };
  expect(key).toBe(publicKey);
  expect(claims.aud).toBe("https://push.example.com");

  await page.goto("/admin/users-management");
  await deliver(page, { ...message?.notice, body: "An older message" });
  await deliver(page, message?.notice ?? {});
  const notification = { title: "Ines", body: "While nobody looks", tag: `chat-${chatId}` };
  await expect.poll(() => displayed(page)).toEqual([notification]);
  const colleague = await open(`/admin/chat?chat=${chatId}`, (await signedInAs("admin")).browser);
  await colleague.getByText("While nobody looks").first().waitFor();
  await expect.poll(() => displayed(page)).toEqual([]);
  const findRead = () => received(push, browser).find(({ notice }) => notice.type === "read");
  await expect.poll(findRead).toBeDefined();
  // A page of the shop hears nothing of the colleague's reading, which removes notifications, too.
  await page.goto("/terms");
  // The page before may hear of it while it goes.
  const shownAgain = async () => {
    await deliver(page, message?.notice ?? {});
    return displayed(page);
  };
  await expect.poll(shownAgain).toEqual([notification]);
  await deliver(page, findRead()?.notice ?? {});
  await expect.poll(() => displayed(page)).toEqual([]);

  const notices = Array.from({ length: 6 }, (_, i) => ({
    ...message?.notice,
    tag: `chat-flood-${i}`,
    url: `/admin/chat?chat=flood-${i}`,
  }));
  for (const notice of notices) await deliver(page, notice);
  const titles = async () => (await displayed(page)).map(({ title }) => title);
  await expect.poll(titles).toEqual(["6 chats with new messages"]);
  await deliver(page, { ...notices[0], type: "read" });
  await expect.poll(titles).toEqual(["5 chats with new messages"]);
  const connectedAgain = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/admin/unread");
  await page.goto("/admin/users-management");
  await connectedAgain;
  await Promise.all(["One", "Two", "Three", "Four", "Five"].map((text) => startChat(shop, text)));
  await expect(page.locator(".toasts .chat-toast")).toHaveText([/^[45] chats with new messages/]);
  await context.close();
});

test("a device that subscribed with a former VAPID key subscribes anew, and says so", async ({
  browser: chromium,
  shop,
}) => {
  const browser = newBrowser();
  const context = await chromium.newContext({ baseURL: shop.url, ...(await signedInAs("manager")).browser });
  await withSubscription(context, browser, newVapidKeys().publicKey);
  const page = await context.newPage();
  await page.goto("/admin/users-management");
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const saved = page.waitForRequest((request) => new URL(request.url()).pathname === "/api/push");
  await page.goto("/admin/chat?tab=settings");
  await page.getByText("This device has joined again.").waitFor();
  expect((await saved).postDataJSON()).toMatchObject({ endpoint: browser.subscription.endpoint });
  await page.reload();
  await page.getByText("This device notifies you of visitors' messages").waitFor();
  await context.close();
});

test("a visitor is notified of answers on request, and is never asked on load", async ({
  browser: chromium,
  shop,
  push,
}) => {
  const browser = newBrowser();
  const context = await chromium.newContext({ baseURL: shop.url });
  await withSubscription(context, browser);
  await context.addInitScript(() => {
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = () => {
      sessionStorage.setItem("test:asked", "");
      return ask();
    };
  });
  const page = await context.newPage();
  await page.goto("/chat");
  await page.getByLabel("Name").first().fill("Ines");
  await page.getByRole("textbox").last().fill("Is it oak?");
  await page.getByRole("button", { name: "Start chat" }).click();
  const button = page.getByRole("button", { name: "Notify me" });
  await button.waitFor();
  const hasAsked = () => page.evaluate(() => sessionStorage.getItem("test:asked") !== null);
  expect(await hasAsked()).toBe(false);
  await button.click();
  await page.getByRole("button", { name: "Turn off" }).waitFor();
  await expect.poll(hasAsked).toBe(true);
  const [chat] = (await page.evaluate(async () => (await fetch("/api/chat/mine")).json())) as {
    id: string;
  }[];
  await page.goto("about:blank");
  const message = { chatId: chat?.id, message: "It is.", isFromAdmin: true, senderName: "" };
  // An answer that is sent before the room learns that the page is gone goes to the page.
  await expect(async () => {
    await staffCall("manager", "chat/message", message);
    await expect.poll(() => bodies(push, browser), { timeout: 3000 }).toContain("It is.");
  }).toPass();
  expect(received(push, browser)[0]?.notice).toMatchObject({ title: "Emporia", url: `/chat/${chat?.id}` });
  await context.close();
});

test("a browser that blocks notifications gets an explanation", async ({ open, shop }) => {
  const page = await open("/chat");
  await page.evaluate(
    (url) =>
      fetch(`${url}/api/chat/create`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ userName: "Ines", initialMessage: "Hello" }),
      }),
    shop.url,
  );
  const [chat] = (await page.evaluate(async () => (await fetch("/api/chat/mine")).json())) as {
    id: string;
  }[];
  await page.goto(`/chat/${chat?.id}`);
  await page.evaluate(() => Object.defineProperty(Notification, "permission", { value: "denied" }));
  await page.getByRole("button", { name: "Notify me" }).click();
  await page.getByText("This browser blocks our notifications.").waitFor();
});
