import { createExecutionContext, createScheduledController, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "worker-under-test";
import { expiredBackups } from "~/features/backup/operations.server";
import { cartCookie, readCookies } from "~/session/cookies.server";
import { isLinkKey, linkKey } from "~/session/tokens.server";
import { formsIn, submit } from "../support/forms";
import { joined, manifestOf, ok, operate } from "../support/operator";
import { admin, manager } from "../support/people";
import { call, insert } from "../support/shop";

interface Readiness {
  ready: boolean;
  failing: string[];
  checks: { name: string; ok: boolean; ms: number }[];
}

const readiness = async (bindings: Partial<Env> = {}, url = "http://localhost/readyz") => {
  const answer = await worker.fetch(
    new Request(url) as Parameters<typeof worker.fetch>[0],
    { ...env, ...bindings },
    createExecutionContext(),
  );
  return { status: answer.status, headers: answer.headers, ...((await answer.json()) as Readiness) };
};

const broken = { head: () => Promise.reject(new Error("R2 is away")) } as unknown as R2Bucket;

describe("/healthz and /readyz", () => {
  it("answer uncached, with the time of each check", async () => {
    expect((await call("/healthz")).status).toBe(200);
    const { status, headers, checks } = await readiness();
    expect([status, headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(checks.map(({ name }) => name)).toEqual(["database", "migrations", "files", "room", "settings"]);
    for (const { ms } of checks) expect(ms).toEqual(expect.any(Number));
  });

  it("names the part that fails, and no secret", async () => {
    expect(await readiness({ BUCKET: broken })).toMatchObject({ status: 503, failing: ["files"] });
    const short = await readiness({ COOKIE_SECRET: "short-secret" });
    expect(short).toMatchObject({ status: 503, failing: ["settings"] });
    expect(JSON.stringify(short)).not.toContain("short-secret");
    expect(await readiness({}, "https://shop.example/readyz")).toMatchObject({ failing: ["settings"] });
  });

  it("is not ready, and refuses writes, without a table whose migration is applied", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 120_000);
    for (const table of ["sessions", "product_search", "restores"]) {
      await env.DB.prepare(`ALTER TABLE ${table} RENAME TO away`).run();
      const { status, failing, checks } = await readiness();
      expect([status, failing]).toEqual([503, ["migrations"]]);
      expect(JSON.stringify(checks)).toContain(`the table ${table} is missing`);
      expect((await call("/api/auth/login", { json: {} })).status).toBe(503);
      await env.DB.prepare(`ALTER TABLE away RENAME TO ${table}`).run();
    }
    expect((await readiness()).status).toBe(200);
  });

  it("refuses writes in front of a database that lacks a migration", async () => {
    const last = "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1";
    const name = await env.DB.prepare(last).first<string>("name");
    await env.DB.prepare("DELETE FROM d1_migrations WHERE name = ?").bind(name).run();
    // A complete schema is not checked again for half a minute.
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
    expect(await readiness()).toMatchObject({ status: 503, failing: ["migrations"] });
    expect((await call("/api/auth/login", { json: {} })).status).toBe(503);
    expect((await call("/api/product/all")).status, "reads go on").toBe(200);
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const typed = { email: "ines@mail.example", password: "Sturdy-Vase-4!" };
    const page = await submit("/login", typed);
    expect([page.status, page.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(page.headers.get("Content-Type")).toContain("text/html");
    const html = await page.text();
    expect(html).toContain("The shop is being updated. Please try again in a few minutes.");
    expect(formsIn(html).find(({ fields }) => fields.email)?.fields).toMatchObject({ email: typed.email });
    const signOut = await submit("/logout", {});
    expect([signOut.status, signOut.headers.get("Retry-After")]).toEqual([503, "60"]);
    expect(signOut.headers.get("Content-Type")).toContain("text/html");
    logged.mockClear();
    await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name).run();
    expect((await call("/api/auth/login", { json: {} })).status).toBe(400);
  });
});

describe("errors", () => {
  it("have one reference in answer, page, log and health page", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const { token } = await admin();
    await env.DB.prepare("ALTER TABLE predefined_responses RENAME TO away").run();
    const answer = await call("/api/chat/responses", { token });
    const { reference } = (await answer.json()) as { reference: string };
    expect([answer.status, answer.headers.get("X-Error-Reference")]).toEqual([500, reference]);
    expect(JSON.parse(String(logged.mock.lastCall?.[0]))).toMatchObject({ level: "error", reference });
    logged.mockClear();
    await env.DB.prepare("ALTER TABLE away RENAME TO predefined_responses").run();
    const failing = await call("/serverError");
    expect(await failing.text()).toContain(failing.headers.get("X-Error-Reference"));
    const health = async () => (await call("/admin/health", { token })).text();
    await expect.poll(health).toContain(reference);
  });

  it("are logged without personal data", async () => {
    const { describeError } = await import("~/http/request-log.server");
    const cause = new Error('UNIQUE failed for ines@mail.example and "Ines Carvalho"');
    const logged = describeError(new Error("Failed query: …\nparams: ines@mail.example", { cause }));
    expect(logged).not.toMatch(/ines|Carvalho/i);
  });
});

describe("health page", () => {
  it("is for admins", async () => {
    const { token } = await manager();
    expect((await call("/admin/health", { token })).status).toBe(403);
    expect((await call("/admin/health")).headers.get("Location")).toMatch(/^\/login/);
  });

  it("counts the errors of each of the last 24 hours", async () => {
    const now = Math.floor(Date.now() / 1000);
    const hour = now - (now % 3600);
    await env.DB.exec("DELETE FROM error_hours");
    await insert(
      "error_hours",
      [0, 3, 23, 24].map((hours) => ({ hour: hour - hours * 3600, errors: 2 + hours })),
    );
    const { token } = await admin();
    const page = await (await call("/admin/health", { token })).text();
    const [, hours = ""] = /Errors by hour: ([\d, ]+)/.exec(page) ?? [];
    expect(hours.split(", ").map(Number)).toEqual([25, ...Array(19).fill(0), 5, 0, 0, 2]);
  });
});

describe("nightly run", () => {
  it("records its jobs and stores a complete backup", async () => {
    await worker.scheduled(createScheduledController(), env, createExecutionContext());
    const run = await env.DB.prepare("SELECT jobs FROM nightly_runs").first<string>("jobs");
    const jobs = JSON.parse(run ?? "[]") as { job: string; failed: boolean }[];
    expect(jobs.filter(({ failed }) => failed)).toEqual([]);
    const stub = env.NIGHTLY_BACKUP.getByName("nightly");
    let id = "";
    const stored = async () => {
      await runDurableObjectAlarm(stub);
      [id = ""] = (await (await ok(operate("GET", "backups"))).json()) as string[];
      return id;
    };
    await expect.poll(stored).not.toBe("");
    const keys = (await (await ok(operate("GET", `backups?id=${id}`))).json()) as string[];
    const files = keys.map(async (key) =>
      (await ok(operate("GET", `backups/file?key=${key}`))).arrayBuffer(),
    );
    const manifest = await manifestOf(
      await joined((await Promise.all(files)).map((file) => new Uint8Array(file))),
    );
    expect(manifest.tables.users?.count).toBeGreaterThan(0);
    expect(await env.DB.prepare("SELECT state FROM backups").first("state")).toBe("done");
    expect(await env.DB.prepare("SELECT count(*) AS n FROM backup_rows").first("n")).toBe(0);
  });

  it("is made at once by an operator with the key", async () => {
    const jobs = (await (await ok(operate("POST", "nightly"))).json()) as { failed: boolean }[];
    expect(jobs.map(({ failed }) => failed)).toEqual(Array(jobs.length).fill(false));
    expect(jobs.length).toBeGreaterThan(10);
    expect((await operate("POST", "nightly", undefined, "")).status).toBe(404);
  });

  it("keeps 7 days, 4 weeks and 12 months", () => {
    const day = (n: number) =>
      new Date(Date.UTC(2026, 10, 22) - n * 86_400_000).toISOString().replaceAll(":", "-");
    const all = Array.from({ length: 800 }, (_, n) => day(n));
    const dropped = new Set(expiredBackups(all));
    const kept = all.filter((id) => !dropped.has(id)).map((id) => id.slice(0, 10));
    expect(kept.slice(0, 7)).toEqual(all.slice(0, 7).map((id) => id.slice(0, 10)));
    expect(kept).toContain("2025-12-31");
    expect(kept).not.toContain("2025-11-30");
    // 7 days (one ends a week, one the month); 3 further weeks and 11 further months, which share no day.
    expect(kept.length).toBeGreaterThanOrEqual(20);
    expect(kept.length).toBeLessThanOrEqual(23);
  });
});

describe("rotation of COOKIE_SECRET", () => {
  it("signs with the first secret and accepts the others", async () => {
    const [old, next] = ["old secret ".repeat(4), "new secret ".repeat(4)];
    const rotated = `${next},${old}`;
    const cart = (secret: string) =>
      cartCookie([{ id: "lamp", quantity: 2, color: null, engraving: null }], secret, false).then(
        (cookie) => cookie.split(";")[0] ?? "",
      );
    const readCart = async (cookie: string, secret: string) =>
      (
        await readCookies(new Request("http://shop.test", { headers: { Cookie: cookie } }), secret, false)
      ).cart.map(({ id, quantity }) => [id, quantity]);
    expect(await readCart(await cart(old), rotated)).toEqual([["lamp", 2]]);
    expect(await readCart(await cart(rotated), next)).toEqual([["lamp", 2]]);
    expect(await readCart(await cart(old), next)).toEqual([]);
    const key = await linkKey(old, "chat", "id", 2_000_000_000);
    expect(await isLinkKey(rotated, "chat", "id", key, 1)).toBe(true);
    expect(await isLinkKey(next, "chat", "id", key, 1)).toBe(false);
  });
});
