import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { purgeExpired } from "~/features/accounts/operations/users.server";
import { submit } from "../support/forms";
import { admin, from, manager, person, problems, readAnswer, seller } from "../support/people";
import { call } from "../support/shop";

type Person = Awaited<ReturnType<typeof person>>;
interface Invited {
  id: string;
  email: string;
  roles: string[];
  isSent: boolean;
  link: string | null;
}

let owner: Person;
let sent: MockInstance;
let made = 0;
const PASSWORD = "Welcome!2026";

beforeAll(async () => {
  owner = await admin();
});
beforeEach(() => {
  sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
});

const newAddress = () => `invited${++made}@mail.example`;
const invite = (more: object = {}, { token }: Person = owner) =>
  call("/api/user/invite", {
    ...{
      json: { email: newAddress(), firstName: "Jonas", lastName: "Brandt", roles: ["seller"], ...more },
      token,
    },
  });
const invited = async (more: object = {}, by: Person = owner) =>
  (await (await invite(more, by)).json()) as Invited;
const revoke = (id: string, { token }: Person = owner) =>
  call(`/api/user/invite/${id}`, { method: "DELETE", token });
/** Token of the latest mailed link. */
const mailedToken = () => {
  const mail = sent.mock.calls.at(-1)?.[0] as { "EmailMessage::raw": string } | undefined;
  const raw = mail?.["EmailMessage::raw"] ?? "";
  return /invitation=3?D?([\w-]{32})/.exec(raw.replaceAll("=\r\n", ""))?.[1] ?? "";
};
const accept = (token: string, by: { token?: string } = {}, more: Record<string, string> = {}) =>
  submit(
    `/resetPassword?invitation=${token}`,
    { intent: "accept", token, password: PASSWORD, confirmPassword: PASSWORD, ...more },
    by,
  );
const pageOf = async (token: string, by: { token?: string } = {}) =>
  (await call(`/resetPassword?invitation=${token}`, by)).text();
const accountOf = (email: string) =>
  env.DB.prepare("SELECT id, is_admin, is_manager, is_seller, is_user FROM users WHERE email_key = ?")
    .bind(email)
    .first<Record<string, unknown>>();
const openRows = async () =>
  (await env.DB.prepare("SELECT count(*) AS n FROM invitations").first<number>("n")) ?? 0;
const expire = (id: string, seconds: number) =>
  env.DB.prepare("UPDATE invitations SET expires_at = unixepoch() - ? WHERE id = ?").bind(seconds, id).run();
const log = async (id: string) =>
  (
    await env.DB.prepare(
      "SELECT action, author_kind, changes FROM audit_log WHERE object = 'invitation' AND object_id = ? ORDER BY seq",
    )
      .bind(id)
      .all<Record<string, string>>()
  ).results;

it("lists the first fifty and says that there are others", async () => {
  await env.DB.prepare(`INSERT INTO invitations (id, token_hash, email, email_key, first_name, last_name, created_at, expires_at)
    SELECT 'many-' || value, 'hash-' || value, value || '@many.example', value || '@many.example', 'Many', value, 1, 4000000000 + value
    FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 51) SELECT value FROM n)`).run();
  const html = async () => (await call("/admin/users-management", { token: owner.token })).text();
  const listed = (await html()).match(/aria-label="Revoke the invitation of /g);
  expect(listed).toHaveLength(50);
  expect(await html()).toContain("that end first");
  await env.DB.exec("DELETE FROM invitations WHERE id LIKE 'many-%'");
  expect(await html()).not.toContain("that end first");
});

const GONE = "This invitation is not valid";

describe("an invitation", () => {
  it("mails a link, by which the colleague chooses a password and has the roles, once", async () => {
    const answer = await invite({ email: "Jonas@mail.example", roles: ["seller"] });
    expect(answer.status).toBe(201);
    const { id, ...view } = (await answer.json()) as Invited;
    expect(view).toMatchObject({ email: "Jonas@mail.example", roles: ["seller"], isSent: true });
    const token = mailedToken();
    expect(view.link).toBe(`http://localhost:8787/resetPassword?invitation=${token}`);
    const stored = JSON.stringify(
      await env.DB.prepare("SELECT * FROM invitations WHERE id = ?").bind(id).first(),
    );
    expect(stored).not.toContain(token);
    const page = await pageOf(token);
    expect(page).toContain("Hello <!-- -->Jonas");
    expect(page).toContain('value="Jonas@mail.example"');
    const accepted = await accept(token);
    expect([accepted.status, accepted.headers.get("Location")]).toEqual([303, "/login"]);
    expect(await accountOf("jonas@mail.example")).toMatchObject({ is_seller: 1, is_manager: 0, is_admin: 0 });
    const signedIn = await call("/api/auth/login", {
      ...{ json: { email: "jonas@mail.example", password: PASSWORD }, headers: from("10.5.0.1") },
    });
    expect(((await signedIn.json()) as { user: object }).user).toMatchObject({ isSeller: true });
    expect(await pageOf(token)).toContain(GONE);
    const again = await accept(token, {}, { password: "Other!2026", confirmPassword: "Other!2026" });
    expect([again.status, (await again.text()).includes(GONE)]).toEqual([400, true]);
    expect((await log(id)).map(({ action, author_kind }) => `${author_kind} ${action}`)).toEqual([
      ...["staff created", "staff accepted"],
    ]);
    expect(JSON.stringify(await log(id))).not.toMatch(/jonas|brandt/i);
  });

  it("is accepted once of two at once", async () => {
    await invited({ email: "twice@mail.example" });
    const token = mailedToken();
    const both = await Promise.all([accept(token), accept(token)]);
    expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it("is for admins, never by a key", async () => {
    for (const by of [await manager(), await seller(), await person()]) {
      expect((await invite({}, by)).status).toBe(403);
      expect((await revoke("x", by)).status).toBe(403);
    }
    expect((await call("/api/user/invite", { json: {} })).status).toBe(401);
    const fields = { intent: "create-key", name: "Till", scope: "write", currentPassword: owner.password };
    const key =
      /emp_[\w-]{32}/.exec(await (await submit("/admin/integrations", fields, owner)).text())?.[0] ?? "";
    expect((await call("/api/user/invite", { json: {}, token: key })).status).toBe(403);
  });

  it.each([
    [{ email: "nonsense" }, "email: Enter a valid email address."],
    [{ firstName: " " }, "firstName: First name is required"],
    [{ roles: [] }, "roles: Choose a role"],
    [{ roles: ["owner"] }, "roles.0: Choose a role"],
    [{ roles: undefined }, "roles: Choose a role"],
  ])("refuses %o", async (fields, problem) => {
    const answer = await invite(fields);
    expect(answer.status).toBe(400);
    expect(await problems(answer)).toEqual([problem]);
  });

  it("is refused for an address that has an account or an invitation, in any case", async () => {
    const other = await person({ email: "Known@mail.example" });
    const taken = await invite({ email: other.email.toUpperCase() });
    expect([taken.status, (await readAnswer(taken)).ERR_MSG]).toEqual([
      409,
      "An account with this email already exists",
    ]);
    await invited({ email: "open@mail.example" });
    const before = await openRows();
    const twice = await invite({ email: "OPEN@mail.example" });
    expect([twice.status, (await readAnswer(twice)).ERR_MSG]).toEqual([
      409,
      "This address is invited already. Send its invitation again.",
    ]);
    expect(await openRows()).toBe(before);
  });

  it("is not accepted once the address has an account", async () => {
    await invited({ email: "signed-up@mail.example", roles: ["admin"] });
    const token = mailedToken();
    await person({ email: "signed-up@mail.example" });
    const answer = await accept(token);
    expect([
      answer.status,
      (await answer.text()).includes("An account with this email already exists"),
    ]).toEqual([409, true]);
    expect(await accountOf("signed-up@mail.example")).toMatchObject({ is_admin: 0 });
  });

  it("ends when it is revoked, and says so to whoever opens its link", async () => {
    const { id, email } = await invited();
    const token = mailedToken();
    expect((await revoke(id)).status).toBe(200);
    expect(await pageOf(token)).toContain(GONE);
    expect((await accept(token)).status).toBe(400);
    expect(await accountOf(email)).toBeNull();
    expect((await revoke(id)).status).toBe(404);
    expect((await log(id)).map(({ action }) => action)).toEqual(["created", "revoked"]);
    expect((await invite({ email })).status).toBe(201);
  });

  it("ends with the role of the admin who sent it, until another admin sends it again", async () => {
    const former = await admin();
    const { id } = await invited({ roles: ["admin"] }, former);
    const token = mailedToken();
    expect(await pageOf(token)).toContain("Jonas");
    await call(`/api/user/${former.id}`, { method: "PUT", json: { isAdmin: false }, token: owner.token });
    expect(await pageOf(token)).toContain("This invitation is not valid");
    expect((await accept(token)).status).toBe(400);
    await submit("/admin/users-management", { intent: "resendInvitation", id }, owner);
    expect((await accept(mailedToken())).status).toBe(303);
  });

  it("gets another link when it is sent again, which ends the former one and counts 7 days anew", async () => {
    const { id } = await invited();
    const first = mailedToken();
    await expire(id, 60);
    expect(await pageOf(first)).toContain("This invitation has expired");
    expect((await accept(first)).status).toBe(400);
    const again = await submit("/admin/users-management", { intent: "resendInvitation", id }, owner);
    expect(again.status).toBe(303);
    const second = mailedToken();
    expect(second).not.toBe(first);
    expect(await pageOf(first)).toContain(GONE);
    expect((await accept(first)).status).toBe(400);
    expect((await accept(second)).status).toBe(303);
  });

  it("may be repeated after it has expired, and is removed by night a week later", async () => {
    const { id, email } = await invited();
    await expire(id, 60);
    await purgeExpired(env);
    expect(await openRows()).toBeGreaterThan(0);
    expect((await invite({ email })).status).toBe(201);
    expect((await revoke(id)).status).toBe(404);
    const late = await invited();
    await expire(late.id, 8 * 86_400);
    await purgeExpired(env);
    expect((await log(late.id)).map(({ action, author_kind }) => `${author_kind} ${action}`)).toEqual([
      ...["staff created", "system expired"],
    ]);
    expect((await revoke(late.id)).status).toBe(404);
  });

  it("is not accepted by who is signed in as somebody else", async () => {
    const { email } = await invited();
    const token = mailedToken();
    const other = await person();
    expect(await pageOf(token, other)).toContain(
      `This invitation is for ${email}, and you are signed in as ${other.email}.`,
    );
    expect((await accept(token, other)).status).toBe(409);
    expect((await accept(token, {}, { email: "another@mail.example" })).status).toBe(303);
    expect([await accountOf(email), await accountOf("another@mail.example")]).toEqual([
      expect.anything(),
      null,
    ]);
  });

  it.each(["x", "x".repeat(32), "%00", "../admin"])(
    "page of the link %s says that it is not valid",
    async (token) => {
      expect(await pageOf(encodeURIComponent(token))).toContain(GONE);
    },
  );

  it("keeps staff's rule of passwords", async () => {
    await invited();
    const token = mailedToken();
    const weak = await accept(token, {}, { password: "weakone", confirmPassword: "weakone" });
    expect([weak.status, (await weak.text()).includes("Password does not meet requirements.")]).toEqual([
      400,
      true,
    ]);
    expect((await accept(token, {}, { confirmPassword: "Another!2026" })).status).toBe(400);
  });

  it("tells the admin of a mail that could not be sent, and can be sent again", async () => {
    sent.mockRejectedValue(new Error("refused"));
    const { id, isSent } = await invited();
    expect(isSent).toBe(false);
    sent.mockResolvedValue({ messageId: "1" });
    expect((await submit("/admin/users-management", { intent: "resendInvitation", id }, owner)).status).toBe(
      303,
    );
    expect((await accept(mailedToken())).status).toBe(303);
  });

  it("is listed for admins, by form too, and for nobody else", async () => {
    const fields = {
      intent: "invite",
      email: newAddress(),
      firstName: "Zoë",
      lastName: "Listed",
      roles: "manager",
    };
    expect((await submit("/admin/users-management?dialog=invite", fields, owner)).status).toBe(303);
    const list = await (await call("/admin/users-management", owner)).text();
    for (const words of ["Zoë Listed", fields.email, "7 days left", "Send again to Zoë Listed"])
      expect(list).toContain(words);
    const theirs = await (await call("/admin/users-management", await manager())).text();
    expect(theirs).not.toContain("Zoë Listed");
    const refused = await submit("/admin/users-management?dialog=invite", { ...fields, email: "x" }, owner);
    expect([refused.status, (await refused.text()).includes("Enter a valid email address.")]).toEqual([
      400,
      true,
    ]);
  });
});
