import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionCookie } from "~/session/cookies.server";
import { sha256 } from "~/session/tokens.server";
import { justBefore } from "../support/just-before";
import { addUser, call, insert } from "../support/shop";

const ROUNDS = 25;
/** Fewer where each round hashes a password. */
const HASHING_ROUNDS = 15;
const SCREEN = "/admin/users-management";

interface Admin {
  id: string;
  token: string;
  cookie: string;
}

/** Creates an admin with a session, without signing in. */
async function newAdmin(): Promise<Admin> {
  const { id } = await addUser({ isAdmin: true });
  const token = `token-of-${id}-${crypto.randomUUID()}`;
  const cookie = (await sessionCookie(token, false, false)).split(";")[0] ?? "";
  const row = { token_hash: await sha256(token), user_id: id, created_at: 1, expires_at: 4e9 };
  await insert("sessions", [row]);
  return { id, token, cookie };
}

/** Creates two admins and, with an id, a customer; `reset` restores all of them in one round trip. */
async function cast(customer?: string) {
  const admins = [await newAdmin(), await newAdmin()] as const;
  if (customer) await addUser({ id: customer });
  const tables = ["users", "sessions"];
  // Not of `*`, which has generated columns too.
  const stored = await Promise.all(
    tables.map(async (table) => {
      const columns = await env.DB.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
      return { table, names: columns.results.map(({ name }) => name).join() };
    }),
  );
  await run(stored.map(({ table, names }) => `CREATE TABLE saved_${table} AS SELECT ${names} FROM ${table}`));
  const restore = stored.flatMap(({ table, names }) => [
    `DELETE FROM ${table}`,
    `INSERT INTO ${table} (${names}) SELECT ${names} FROM saved_${table}`,
  ]);
  return { admins, reset: (...more: string[]) => run([...restore, ...more]) };
}

const run = (sql: string[]) => env.DB.batch(sql.map((each) => env.DB.prepare(each)));

const put = (target: Admin, json: unknown, { token }: Admin) =>
  call(`/api/user/${target.id}`, { method: "PUT", json, token });

/** Sends the form of the users screen without JavaScript; an unticked role is removed. */
function send(target: Admin, ticked: Record<string, string>, { cookie }: Admin) {
  const names = { firstName: "Pat", lastName: "Example", phoneNumber: "" };
  const boxes = "isManager isAdmin isUser";
  const fields = { intent: "updateUser", id: target.id, ...names, boxes, ...ticked };
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return call(SCREEN, { body: new URLSearchParams(fields), headers, cookie });
}

type Act = (target: Admin, by: Admin) => Promise<Response>;
const demote: Act = (target, by) => put(target, { isAdmin: false }, by);
const deactivate: Act = (target, by) => put(target, { isUser: false }, by);
const demoteByForm: Act = (target, by) => send(target, { isUser: "on" }, by);
const deactivateByForm: Act = (target, by) => send(target, { isAdmin: "on" }, by);

/** Summarises a response; a form reports a rejection by its redirect. */
function outcome(answer: Response): string {
  const refusal = { 401: "refused", 403: "refused" }[answer.status];
  const to = answer.headers.get("Location") ?? "";
  return (
    refusal ?? (/^\/(?:unauthorized|login)/.test(to) ? "refused" : answer.status < 400 ? "done" : "broken")
  );
}

const activeAdmins = async () =>
  (await env.DB.prepare("SELECT id FROM users WHERE is_admin AND is_user").all<{ id: string }>()).results;
const me = async ({ token }: Admin) => (await call("/api/auth/me", { token })).status;

beforeEach(async () => {
  const saved = ["users", "sessions"].map((table) => `DROP TABLE IF EXISTS saved_${table}`);
  await run([...saved, "DELETE FROM sessions", "DELETE FROM users"]);
});

describe("two admins who edit each other simultaneously", () => {
  it.each<[string, Act, Act]>([
    ["demote, demote", demote, demote],
    ["deactivate, deactivate", deactivate, deactivate],
    ["demote, deactivate", demote, deactivate],
    ["demote, demote by the page's form", demoteByForm, demoteByForm],
    ["deactivate, deactivate by the page's form", deactivateByForm, deactivateByForm],
    ["demote, deactivate by the page's form", demoteByForm, deactivateByForm],
  ])(
    "one succeeds and stays an admin, the other is refused: %s",
    { timeout: 120_000 },
    async (_, one, other) => {
      const { admins, reset } = await cast();
      const [ann, bob] = admins;
      for (let round = 0; round < ROUNDS; round++) {
        await reset();
        const acts = [() => one(bob, ann), () => other(ann, bob)];
        const answers = await Promise.all((round % 2 ? acts.reverse() : acts).map((act) => act()));
        const outcomes = answers.map(outcome);
        expect(outcomes.toSorted(), `round ${round}`).toEqual(["done", "refused"]);
        const left = await activeAdmins();
        expect(left, `round ${round}`).toHaveLength(1);
        const winner = left[0]?.id === ann.id ? ann : bob;
        expect(await me(winner), "the one who stays is signed in as before").toBe(200);
      }
    },
  );
});

const names = async () =>
  (await env.DB.prepare("SELECT id, first_name FROM users ORDER BY id").all()).results;

/** Order in which a round's writes were committed. */
async function committed(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT what FROM race_log ORDER BY step").all<{ what: string }>();
  return results.map(({ what }) => what);
}

describe("an admin who is demoted during their own edit", () => {
  beforeEach(async () => {
    const log = (what: string) => `BEGIN INSERT INTO race_log (what) VALUES ('${what}'); END`;
    await env.DB.batch(
      [
        "CREATE TABLE IF NOT EXISTS race_log (step INTEGER PRIMARY KEY, what TEXT)",
        `CREATE TRIGGER IF NOT EXISTS log_demoted AFTER UPDATE OF is_admin ON users
         WHEN old.is_admin AND NOT new.is_admin ${log("demoted")}`,
        `CREATE TRIGGER IF NOT EXISTS log_promoted AFTER UPDATE OF is_admin ON users
         WHEN new.is_admin AND NOT old.is_admin ${log("promoted")}`,
        `CREATE TRIGGER IF NOT EXISTS log_deleted AFTER DELETE ON users ${log("deleted")}`,
        `CREATE TRIGGER IF NOT EXISTS log_added AFTER INSERT ON users WHEN new.email = 'new@mail.example'
         ${log("added")}`,
      ].map((sql) => env.DB.prepare(sql)),
    );
  });

  const account = { fullName: "New Admin", email: "new@mail.example", isAdmin: true };
  const secret = { password: "Strong1!", confirmPassword: "Strong1!" };
  it.each<[string, string, (by: Admin) => Promise<Response>]>([
    [
      "deletes nobody any more",
      "deleted",
      ({ token }) => call("/api/user/victim", { method: "DELETE", token }),
    ],
    [
      "promotes nobody any more",
      "promoted",
      ({ token }) => call("/api/user/victim", { method: "PUT", json: { isAdmin: true }, token }),
    ],
    [
      "makes no admin any more",
      "added",
      ({ token }) => call("/api/user", { json: { ...account, ...secret }, token }),
    ],
  ])("%s", { timeout: 120_000 }, async (_, what, act) => {
    const { admins, reset } = await cast("victim");
    const [ann, bob] = admins;
    for (let round = 0; round < (what === "added" ? HASHING_ROUNDS : ROUNDS); round++) {
      await reset("DELETE FROM race_log");
      const [demotion, late] = await Promise.all([demote(bob, ann), act(bob)]);
      expect(demotion.status).toBe(200);
      const steps = await committed();
      expect([["demoted"], [what, "demoted"]], `round ${round}`).toContainEqual(steps);
      expect(late.status, `round ${round}`).toBe(steps.length === 2 ? (what === "added" ? 201 : 200) : 403);
    }
  });
});

describe("an admin who is deactivated just before their own edit is stored", () => {
  afterEach(() => void vi.mocked(env.DB.withSession).mockRestore());

  const account = { fullName: "New User", email: "late@mail.example" };
  const secret = { password: "Strong1!", confirmPassword: "Strong1!" };
  it.each<[string, RegExp, Parameters<typeof call>]>([
    ["deletes nobody", /^delete from "users"/i, ["/api/user/victim", { method: "DELETE" }]],
    [
      "changes nobody",
      /^update "users"/i,
      ["/api/user/victim", { method: "PUT", json: { firstName: "Changed" } }],
    ],
    ["adds nobody", /^insert into "users"/i, ["/api/user", { json: { ...account, ...secret } }]],
  ])("%s", async (_, statement, [path, options]) => {
    const bob = await newAdmin();
    await addUser({ id: "victim", firstName: "Ines" });
    const before = await names();
    justBefore(statement, () => run([`UPDATE users SET is_user = 0 WHERE id = '${bob.id}'`]));
    expect((await call(path, { ...options, token: bob.token })).status).toBe(403);
    expect(await names()).toEqual(before);
  });
});

describe("a user who is promoted to admin while being deleted", () => {
  it("is either promoted or deleted; an admin is never deleted: 403", { timeout: 120_000 }, async () => {
    const { admins, reset } = await cast("rising");
    const [ann, bob] = admins;
    for (let round = 0; round < ROUNDS; round++) {
      await reset();
      const acts = [
        () => call("/api/user/rising", { method: "PUT", json: { isAdmin: true }, token: ann.token }),
        () => call("/api/user/rising", { method: "DELETE", token: bob.token }),
      ];
      const [promoted, deleted] = await Promise.all(acts.map((act) => act()));
      const exists = await env.DB.prepare("SELECT is_admin FROM users WHERE id = 'rising'").first("is_admin");
      const expected = exists === null ? [404, 200] : [200, 403];
      expect([promoted?.status, deleted?.status], `round ${round}`).toEqual(expected);
      expect(exists).toBeOneOf([null, 1]);
    }
  });
});
