import { env } from "cloudflare:workers";
import { beforeEach, expect, it, type MockInstance, vi } from "vitest";
import { startChat } from "../tests/support/chat";
import { connect } from "../tests/support/live";
import { decrypt, newBrowser } from "../tests/support/push-service";
import { addUser, call, openSession } from "../tests/support/shop";

let sent: MockInstance;
let fetched: MockInstance<typeof fetch>;

beforeEach(() => {
  sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 201 }));
});

const mails = () =>
  sent.mock.calls.map(([message]) => message as { to: string; "EmailMessage::raw": string });

async function twoColleagues() {
  const [pat, theo] = [
    await addUser({ isManager: true, firstName: "Pat" }),
    await addUser({ isManager: true, firstName: "Theo" }),
  ];
  const [token, theos] = [await openSession(pat.id), await openSession(theo.id)];
  const { chatId } = await startChat({ userName: "Ines", initialMessage: "Is it oak?" });
  const assign = (assigneeId: string | null, by = token) =>
    call(`/api/chat/${chatId}`, { method: "PATCH", json: { assigneeId }, token: by });
  return { theo, theos, chatId, assign };
}

it("tells a colleague of an assignment, live and by mail", async () => {
  const { theo, theos, chatId, assign } = await twoColleagues();
  const console = await connect("?room=admin", { Authorization: `Bearer ${theos}` });
  expect((await assign(theo.id)).status).toBe(200);
  expect(await console.waitForEvent("chat-updated", (data) => data.chatId === chatId)).toMatchObject({
    assignedBy: "Pat",
    chat: { assigneeId: theo.id, userName: "Ines" },
  });
  await expect.poll(() => mails().length).toBe(1);
  const [mail] = mails();
  expect(mail?.to).toBe(theo.email);
  expect(mail?.["EmailMessage::raw"]).toContain("Pat assigned you the chat with Ines");
  expect(mail?.["EmailMessage::raw"]).toContain(`/admin/chat?chat=`);
  // The same assignment once more is no news.
  await assign(theo.id);
  await assign(null);
  expect(mails()).toHaveLength(1);
});

it("notifies the colleague's browsers in place of a mail", async () => {
  const { theo, theos, chatId, assign } = await twoColleagues();
  const browser = newBrowser();
  await call("/api/push", { json: browser.subscription, token: theos });
  await assign(theo.id);
  const notices = () =>
    fetched.mock.calls
      .filter(([url]) => url === browser.subscription.endpoint)
      .map(([, init]) => decrypt(init?.body as Uint8Array, browser));
  // The visitor's message may be pushed as well.
  await expect.poll(notices).toContainEqual(
    expect.objectContaining({
      title: "Pat assigned you a chat",
      body: "Ines: Is it oak?",
      url: `/admin/chat?chat=${chatId}`,
    }),
  );
  expect(mails()).toHaveLength(0);
});

it("tells nobody who takes a chat over themselves", async () => {
  const { theo, theos, chatId, assign } = await twoColleagues();
  const console = await connect("?room=admin", { Authorization: `Bearer ${theos}` });
  expect((await assign(theo.id, theos)).status).toBe(200);
  // The consoles may still be told of an earlier chat.
  const isOwn = (data: Record<string, unknown>) => data.chatId === chatId;
  expect(await console.waitForEvent("chat-updated", isOwn)).not.toHaveProperty("assignedBy");
  expect(mails()).toHaveLength(0);
});
