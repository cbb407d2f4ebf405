import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { submit } from "../support/forms";
import { admin, from, manager, person } from "../support/people";
import { call, insert } from "../support/shop";

type Staff = Awaited<ReturnType<typeof manager>>;

let sent: MockInstance;
/** Sent mails: recipient and text. */
const mails = () =>
  sent.mock.calls.map(([message]) => {
    const { to, "EmailMessage::raw": raw } = message as { to: string; "EmailMessage::raw": string };
    return { to, text: raw.replaceAll("\r\n", "\n") };
  });
const notices = () => mails().filter(({ text }) => text.includes("Your API keys at Emporia have ended"));
/** Token of the latest mailed link. */
const linkToken = () => /token=([\w-]{32})/.exec(mails().at(-1)?.text ?? "")?.[1] ?? "";

beforeEach(() => {
  sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
});

/** Makes keys on the page and returns them. */
async function newKeys({ token, password }: Staff, ...names: string[]) {
  const made: string[] = [];
  for (const name of names) {
    const fields = { intent: "create-key", name, scope: "write", currentPassword: password };
    const answer = await submit("/admin/integrations", fields, { token });
    made.push(...(/emp_[\w-]{32}/.exec(await answer.text()) ?? []));
  }
  expect(made).toHaveLength(names.length);
  return made;
}

const statusOf = async (token: string) => (await call("/api/sale", { token })).status;
const put = (id: string, json: unknown, { token }: Staff) =>
  call(`/api/user/${id}`, { method: "PUT", json, token });

/** Sets a new password by a mailed link. */
async function resetByMail({ email }: Staff, password: string) {
  await call("/api/auth/forgot-password", {
    json: { email },
    headers: from(`10.9.0.${sent.mock.calls.length}`),
  });
  await expect.poll(() => sent.mock.calls.length).toBeGreaterThan(0);
  return call("/api/auth/reset-password", {
    json: { token: linkToken(), password, confirmPassword: password },
  });
}

const NEW = "Newpass1!";
const ENDINGS: [string, string, (staff: Staff) => Promise<Response>][] = [
  ["a reset by a mailed link", "your password was reset", (staff) => resetByMail(staff, NEW)],
  [
    "a password set by an admin",
    "your password was reset",
    async ({ id }) => put(id, { password: NEW, confirmPassword: NEW }, await admin()),
  ],
  [
    "deactivation",
    "your account was deactivated",
    async ({ id }) => put(id, { isUser: false }, await admin()),
  ],
  [
    "the loss of the last role",
    "you are no longer an admin or manager",
    async ({ id }) => put(id, { isManager: false }, await admin()),
  ],
];

describe("a person's API keys", () => {
  it.each(ENDINGS)("end with %s, and a mail names them", async (_, reason, end) => {
    const staff = await person({ isManager: true, firstName: "Noor" });
    const [till, sheet] = await newKeys(staff, "Till at the counter", "Sheet");
    const [theirs] = await newKeys(await manager(), "Of a colleague");
    expect((await end(staff)).status).toBe(200);
    for (const key of [till, sheet]) expect(await statusOf(key ?? "")).toBe(401);
    expect(await statusOf(theirs ?? "")).toBe(200);
    await expect.poll(notices).toHaveLength(1);
    const [mail] = notices();
    expect(mail?.to).toBe(staff.email);
    for (const words of ["Hello Noor,", reason, "- Till at the counter", "- Sheet", "hello@emporia.example"])
      expect(mail?.text).toContain(words);
    expect(mail?.text).not.toMatch(/emp_|Of a colleague/);
    const log = env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'apiKey' AND action = 'deleted'",
    );
    const { results } = await log.all<{ changes: string }>();
    expect(results.map(({ changes }) => changes).filter((text) => text.includes(staff.id))).toHaveLength(2);
  });

  it.each<[string, (staff: Staff) => Promise<Response>]>([
    [
      "the own new password",
      ({ token, password: currentPassword }) =>
        call("/api/user/change-password", {
          method: "PUT",
          json: { currentPassword, newPassword: NEW },
          token,
        }),
    ],
    ["an edit by an admin", async ({ id }) => put(id, { firstName: "Nora" }, await admin())],
  ])("stay with %s", async (_, act) => {
    const staff = await manager();
    const [key = ""] = await newKeys(staff, "Till");
    expect((await act(staff)).status).toBe(200);
    expect(await statusOf(key)).toBe(200);
    expect(notices()).toEqual([]);
  });

  it("stay when a used link is sent again, and no mail is sent without any", async () => {
    const staff = await manager();
    await insert("password_resets", [
      { token_hash: `used-${staff.id}`, user_id: staff.id, expires_at: 4e9, used_at: 1 },
    ]);
    expect((await resetByMail(staff, NEW)).status).toBe(200);
    const again = { ...staff, token: await signedIn(staff.email) };
    const [key = ""] = await newKeys({ ...again, password: NEW }, "Till");
    const json = { token: linkToken(), password: "Other1!xx", confirmPassword: "Other1!xx" };
    expect((await call("/api/auth/reset-password", { json })).status).toBe(400);
    expect(await statusOf(key)).toBe(200);
    expect(notices()).toEqual([]);
  });
});

async function signedIn(email: string): Promise<string> {
  const answer = await call("/api/auth/login", { json: { email, password: NEW }, headers: from("10.9.1.1") });
  return ((await answer.json()) as { token: string }).token;
}
