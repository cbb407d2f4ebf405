import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { API_CALLS } from "../support/api-routes";
import { startChat } from "../support/chat";
import { failD1 } from "../support/failing-d1";
import { submit } from "../support/forms";
import { connect, upgrade } from "../support/live";
import { admin, from, manager, person, problems, readAnswer, seller } from "../support/people";
import {
  FACTOR_PATH,
  type FactorPerson,
  factorForm,
  requireFactors,
  withFactor,
} from "../support/second-factor";
import { call, cookiesOf } from "../support/shop";

let owner: FactorPerson;

beforeAll(async () => {
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  owner = await withFactor(await admin());
});
beforeEach(() => requireFactors(true));
afterEach(() => requireFactors(false));

const setting = (json: unknown, { token }: { token: string }) =>
  call("/api/settings", { method: "PATCH", json, token });

/** Form of the shop's settings without the tick. */
const FORM = {
  ...{ intent: "shop", name: "Emporia", pickup: "at the counter", supportEmail: "hello@emporia.example" },
  ...{ legalEmail: "legal@emporia.example", mailFrom: "no-reply@emporia.example" },
};

describe("the setting", () => {
  beforeEach(() => requireFactors(false));

  it("is turned on only by an admin who has a second factor, and stays when others change", async () => {
    const without = await admin();
    expect((await setting({ requiresFactor: true }, await manager())).status).toBe(403);
    expect(await problems(await setting({ requiresFactor: true }, without))).toEqual([
      "requiresFactor: Set up your own second factor under My Account first",
    ]);
    expect((await call("/api/sale", without)).status).toBe(200);
    expect((await setting({ requiresFactor: true }, owner)).status).toBe(200);
    expect((await setting({ phone: "+1 416 555 0199" }, owner)).status).toBe(200);
    expect((await call("/api/sale", without)).status).toBe(403);
    const log = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object = 'shopSettings' ORDER BY seq DESC LIMIT 2",
    ).all<{ changes: string }>();
    expect(JSON.stringify(log.results)).toContain("requiresFactor");
  });

  it("closes the live connections of staff without one at once, and of nobody else", async () => {
    const line = ({ token }: { token: string }) =>
      connect("?room=admin", { Authorization: `Bearer ${token}` });
    const [without, other] = [await line(await seller()), await line(await seller())];
    const withOne = await line(owner);
    const rooms = vi.spyOn(env.ADMIN_ROOM, "getByName");
    expect((await setting({ requiresFactor: true }, owner)).status).toBe(200);
    expect(await Promise.all([without.closed, other.closed])).toEqual([4401, 4401]);
    expect(withOne.socket.readyState).toBe(WebSocket.OPEN);
    expect(rooms.mock.calls.filter(([name]) => name === "admin")).toHaveLength(1);
  });

  it("is saved although nobody can be found whose connections would have to be closed", async () => {
    const logged = vi.spyOn(console, "warn").mockReturnValue();
    const failing = failD1("D1 is away", 1, /INDEXED BY users_team/);
    const saved = await setting({ requiresFactor: true }, owner);
    expect([saved.status, ((await saved.json()) as { requiresFactor: boolean }).requiresFactor]).toEqual([
      ...[200, true],
    ]);
    await vi.waitFor(() => expect(JSON.stringify(logged.mock.calls)).toContain("D1 is away"));
    failing.mockRestore();
  });

  it("stays when a page that was opened before the shop had it saves the others", async () => {
    await requireFactors(true);
    const save = (was: object) => submit("/admin/settings", { ...FORM, was: JSON.stringify(was) }, owner);
    const isRequired = async () =>
      ((await (await call("/api/settings", owner)).json()) as { requiresFactor: boolean }).requiresFactor;
    const { name } = FORM;
    expect((await save({ name })).status).toBe(303);
    expect(await isRequired()).toBe(true);
    expect((await save({ name, requiresFactor: true })).status).toBe(303);
    expect(await isRequired()).toBe(false);
  });

  it("is refused in the form beside its field", async () => {
    const without = await admin();
    const fields = { ...FORM, requiresFactor: "on" };
    const answer = await submit("/admin/settings", fields, without);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Set up your own second factor under My Account first");
  });
});

describe("staff without the required second factor", () => {
  it.each([
    ["an admin", admin],
    ["a manager", manager],
    ["a seller", seller],
  ])("%s is led to set it up by pages, forms and files, and works once it is on", async (_, make) => {
    const who = await make();
    for (const path of ["/admin", "/admin/today", "/admin/chat", "/admin/products-management.csv"])
      expect((await call(path, who)).headers.get("Location"), path).toBe(FACTOR_PATH);
    expect(
      (await submit("/admin/today", { intent: "firstPage", isFirst: "true" }, who)).headers.get("Location"),
    ).toBe(FACTOR_PATH);
    expect(await (await call(FACTOR_PATH, who)).text()).toContain("The shop requires it of its staff");
    const set = await withFactor(who);
    expect((await call("/admin/today", set)).status).toBe(200);
    expect((await call("/api/sale", set)).status).toBe(200);
  });

  it("has no call of the API that needs staff, and is told why", async () => {
    const who = await admin();
    const calls = API_CALLS.filter(({ access }) => !["anyone", "customer"].includes(access));
    expect(calls.length).toBeGreaterThan(60);
    for (const { method, path } of calls) {
      const answer = await call(path, {
        method,
        token: who.token,
        ...(method === "GET" ? {} : { json: {} }),
      });
      const { message } = await readAnswer(answer);
      expect([method, path, answer.status, message]).toEqual([
        ...[method, path, 403],
        "The shop requires a second factor of its staff. Set it up under My Account first.",
      ]);
    }
  });

  it("is nobody's staff where anyone may call: chats of others, hidden fields, other accounts, live events", async () => {
    const who = await admin();
    const { chatId } = await startChat({ initialMessage: "Private" });
    expect((await call(`/api/chat/${chatId}`, who)).status).not.toBe(200);
    const message = await call("/api/chat/message", { json: { chatId, message: "Hi" }, token: who.token });
    expect([403, 404]).toContain(message.status);
    const other = await person();
    const edit = { method: "PUT", json: { firstName: "Mine" }, token: who.token };
    expect((await call(`/api/user/${other.id}`, edit)).status).toBe(403);
    const live = (token: string) => upgrade("?room=admin", { Authorization: `Bearer ${token}` });
    expect((await live(who.token)).status).toBe(403);
    expect((await live(owner.token)).status).toBe(101);
  });

  it("signs in, goes to the page after that, and finds the set-up", async () => {
    const who = await seller();
    const { token, user } = await readAnswer(
      await call("/api/auth/login", { json: who, headers: from("10.8.0.1") }),
    );
    expect(user).toMatchObject({ isSeller: true });
    expect((await call("/api/sale", { token })).status).toBe(403);
    expect((await call("/api/auth/me", { token })).status).toBe(200);
    const answer = await submit("/login", { intent: "signIn", email: who.email, password: who.password });
    const to = answer.headers.get("Location") ?? "";
    expect((await call(to, { cookie: cookiesOf(answer) })).headers.get("Location")).toBe(FACTOR_PATH);
  });

  it("was invited, or made staff, meanwhile", async () => {
    const customer = await person();
    expect((await call("/admin/today", customer)).headers.get("Location")).toBe("/unauthorized");
    await call(`/api/user/${customer.id}`, { method: "PUT", json: { isManager: true }, token: owner.token });
    expect((await call("/admin/today", customer)).headers.get("Location")).toBe(FACTOR_PATH);
  });

  it("keeps the keys that were made, and makes no other", async () => {
    await requireFactors(false);
    const who = await manager();
    const fields = { intent: "create-key", name: "Till", scope: "read", currentPassword: who.password };
    const [key = ""] =
      /emp_[\w-]{32}/.exec(await (await submit("/admin/integrations", fields, who)).text()) ?? [];
    await requireFactors(true);
    expect((await call("/api/sale", { token: key })).status).toBe(200);
    expect((await submit("/admin/integrations", fields, who)).headers.get("Location")).toBe(FACTOR_PATH);
  });

  it("changes neither role nor password rule by having to set it up", async () => {
    const who = await admin();
    const profile = await call(`/api/user/${who.id}`, {
      ...{ method: "PUT", json: { firstName: "Noor" }, token: who.token },
    });
    expect(profile.status).toBe(200);
    expect(await readAnswer(await call("/api/auth/me", who))).toMatchObject({
      firstName: "Noor",
      isAdmin: true,
    });
  });
});

it("a required second factor moves to another phone by a recovery code, or is reset by an admin", async () => {
  const who = await withFactor(await seller());
  expect(await (await call(FACTOR_PATH, who)).text()).toContain("whoever turns it off has to set it up anew");
  const off = { intent: "factorOff", currentPassword: who.password, code: who.recovery[0] ?? "" };
  expect((await factorForm({ ...off, code: who.recovery[0]?.replace(/./, "1") ?? "" }, who)).status).toBe(
    400,
  );
  expect((await factorForm(off, who)).headers.get("Location")).toBe(FACTOR_PATH);
  expect((await call("/admin/today", who)).headers.get("Location")).toBe(FACTOR_PATH);
  const moved = await withFactor(who);
  expect(moved.secret).not.toBe(who.secret);
  expect((await call("/admin/today", moved)).status).toBe(200);
  await submit("/admin/users-management", { intent: "resetFactor", id: who.id }, owner);
  const { token } = await readAnswer(
    await call("/api/auth/login", {
      json: { email: who.email, password: who.password },
      headers: from("10.8.0.2"),
    }),
  );
  expect((await call("/admin/today", { token })).headers.get("Location")).toBe(FACTOR_PATH);
});
