import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { runTasks, startChat } from "../support/chat";
import { press } from "../support/forms";
import { operate } from "../support/operator";
import { admin, person } from "../support/people";
import { call } from "../support/shop";
import { send } from "../support/worker";

const UNVERIFIED = "destination address is not a verified address";
let sent: MockInstance<(message: EmailMessage) => Promise<EmailSendResult>>;
const recipients = () => sent.mock.calls.map(([message]) => (message as { to: string }).to);

let owner: Awaited<ReturnType<typeof admin>>;

beforeAll(async () => {
  owner = await admin();
});
beforeEach(() => {
  sent = vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
});
afterEach(async () => {
  await env.DB.batch(["sent_mails", "incidents"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

const health = async () => (await call("/admin/health", { token: owner.token })).text();
const pressTest = async () => press(await health(), /^Send a test mail to me/, {}, { token: owner.token });

describe("Health", () => {
  it("tells that no mail was sent yet", async () => {
    expect(await health()).toContain("No mail was sent yet");
  });

  it("tells a deployed shop that its sender is a placeholder, and a local one nothing", async () => {
    const headers = { Authorization: `Bearer ${owner.token}` };
    const deployed = await send(new Request("https://walnut-ash.ca/admin/health", { headers }));
    const notice = "MAIL_FROM is at a placeholder&#x27;s domain";
    expect(await deployed.text()).toContain(notice);
    expect(await health()).not.toContain(notice);
  });

  it("sends a test mail to the admin's own address, and counts it", async () => {
    const answer = await pressTest();
    expect(answer.status).toBe(303);
    expect(recipients()).toEqual([owner.email]);
    expect(await health()).toMatch(/Last sent .*1<!-- --> sent/);
  });

  it("answers plainly when the platform refuses the mail, and lists it", async () => {
    sent.mockRejectedValue(Object.assign(new Error(UNVERIFIED), { code: "E_RECIPIENT_NOT_ALLOWED" }));
    const answer = await pressTest();
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain("Only verified addresses of the Cloudflare account get mail");
    expect(page).toContain(`E_RECIPIENT_NOT_ALLOWED, Error: ${UNVERIFIED}`);
    expect(page).toMatch(/1<!-- --> refused/);
    expect(page).toMatch(/Last refused on .*Test mail.*Only verified addresses/);
  });

  it("limits test mails, and refuses them to managers", async () => {
    const form = () => {
      const body = new URLSearchParams({ intent: "test-mail" });
      return call("/admin/health", { body, token: limited.token });
    };
    const limited = await admin();
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await form()).status);
    expect(statuses).toContain(429);
    const { token } = await person({ isManager: true });
    const refused = await call("/admin/health", {
      body: new URLSearchParams({ intent: "test-mail" }),
      token,
    });
    expect(refused.headers.get("Location")).toBe("/unauthorized");
  });
});

describe("npm run mail:test", () => {
  const test = async () =>
    (await operate("POST", "mail", JSON.stringify({ to: "you@mail.example" }))).json() as Promise<unknown>;

  it("is told the sender, and nothing more for an accepted mail", async () => {
    expect(await test()).toEqual({ from: "no-reply@emporia.example", refusal: null });
    expect(recipients()).toEqual(["you@mail.example"]);
  });

  it("is told why a mail was refused", async () => {
    sent.mockRejectedValue(Object.assign(new Error("domain not found"), { code: "E_SENDER_NOT_VERIFIED" }));
    expect(await test()).toMatchObject({
      refusal:
        "The domain of MAIL_FROM is not onboarded for Email Sending. E_SENDER_NOT_VERIFIED, Error: domain not found",
    });
  });
});

describe("a refused mail", () => {
  it("to one member of staff does not keep the others from theirs", async () => {
    const other = await admin();
    sent.mockImplementation(async (message) => {
      if ((message as { to: string }).to === owner.email) throw new Error(UNVERIFIED);
      return { messageId: "1" };
    });
    const { chatId } = await startChat({ userName: "Ines", initialMessage: "Anyone?", isAnonymous: true });
    await runTasks(chatId);
    await expect.poll(recipients).toContain(other.email);
    await expect.poll(health).toContain("Only verified addresses");
  });
});
