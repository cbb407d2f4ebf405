import { describe, expect, it } from "vitest";
import { API_CALLS, API_PATHS } from "../support/api-routes";
import { admin } from "../support/people";
import { addUser, call, openSession } from "../support/shop";

interface Refusal {
  message?: string;
  details?: { path: string; message: string }[];
}

/** Calls that only staff or admins may make. */
const STAFF_CALLS = API_CALLS.filter(({ access }) => ["staff", "manager", "admin"].includes(access));

describe("who may", () => {
  it.each(STAFF_CALLS)(
    "$method $path is a 401 for a stranger and a 403 for a customer, whatever is sent",
    async ({ method, path }) => {
      const token = await openSession((await addUser()).id);
      const body = method === "GET" ? {} : { body: "not even JSON" };
      expect((await call(path, { method, ...body })).status).toBe(401);
      expect((await call(path, { method, ...body, token })).status).toBe(403);
      expect((await call(path, { method, ...body, token: "x".repeat(32) })).status).toBe(401);
    },
  );

  it.each(["/admin", "/admin/insights", "/admin/graphs", "/admin/users-management", "/admin/nope"])(
    "%s leads a stranger to /login and back, and a customer to /unauthorized",
    async (path) => {
      const token = await openSession((await addUser()).id);
      const stranger = await call(path);
      expect(stranger.status).toBe(302);
      expect(stranger.headers.get("Location")).toBe(`/login?${new URLSearchParams({ redirectTo: path })}`);
      expect((await call(path, { token })).headers.get("Location")).toBe("/unauthorized");
    },
  );

  it("a script's navigation leads a stranger to /login and back to the page", async () => {
    const answer = await call("/admin?_data=routes%2Fadmin&period=2026");
    expect(answer.headers.get("X-Remix-Redirect")).toBe(
      `/login?${new URLSearchParams({ redirectTo: "/admin?period=2026" })}`,
    );
  });

  it("an unknown download is a 404 for staff alone", async () => {
    const token = await openSession((await addUser({ isManager: true })).id);
    expect((await call("/admin/nope.csv", { token })).status).toBe(404);
    expect((await call("/admin/nope", { token })).status).toBe(404);
    expect((await call("/admin/nope.csv")).headers.get("Location")).toBe(
      "/login?redirectTo=%2Fadmin%2Fnope.csv",
    );
  });

  it("staff see the back office", async () => {
    const page = await call("/admin", { token: await openSession((await addUser({ isManager: true })).id) });
    expect(page.status).toBe(200);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
  });
});

/** Words by which zod begins its own messages. */
const ZOD = /invalid (?:input|option|string|key|element)|expected|too (?:big|small)|unrecognized/i;

describe("every call", () => {
  it.each(API_PATHS)("answers %s with its own error messages, not the library's", async (path) => {
    const { token } = path.includes("logout") ? { token: "" } : await admin();
    const allow = (await call(path, { method: "OPTIONS", token })).headers.get("Allow") ?? "";
    for (const method of allow.split(", ").filter((name) => !["", "GET", "HEAD", "DELETE"].includes(name))) {
      const empty = (await (await call(path, { method, json: {}, token })).json()) as Refusal;
      const fields = new Set(["lines", "files", "card", "fields", "was", "keys", "state", "limit"]);
      for (const { path: field } of empty.details ?? []) fields.add(field);
      expect(empty.details?.filter(({ message }) => ZOD.test(message)) ?? []).toEqual([]);
      for (const value of [7, "x", [{}], { x: [] }, [7]]) {
        const json = Object.fromEntries([...fields].map((field) => [field, value]));
        const { message } = (await (await call(path, { method, json, token })).json()) as Refusal;
        expect(message ?? "", `${method} ${path} ${JSON.stringify(value)}`).not.toMatch(ZOD);
      }
    }
  });

  it.each(API_PATHS)("no day that does not exist is an error of the shop: %s", async (path) => {
    const { token } = path.includes("logout") ? { token: "" } : await admin();
    for (const name of ["from", "to", "day", "month"])
      for (const value of ["2026-13-45", "9999-99-99", "2026-02-30"]) {
        const answer = await call(`${path}?${name}=${value}`, { token });
        await answer.body?.cancel();
        expect(answer.status, `${name}=${value}`).toBeLessThan(500);
      }
  });

  it("names a required field that is missing", async () => {
    const { token } = await admin();
    const problems = async (path: string) =>
      ((await (await call(path, { json: {}, token })).json()) as Refusal).details;
    expect(await problems("/api/chat/message")).toContainEqual({ path: "chatId", message: "Required" });
    expect(await problems("/api/customer/x/merge")).toEqual([{ path: "id", message: "Required" }]);
  });

  it("answers an unknown path in JSON", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await call("/api/nope/nope", { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ message: "Not found", ERR_MSG: "Not found" });
    }
  });

  it("answers a wrong method with 405 and Allow", async () => {
    const answer = await call("/api/auth/login", { method: "PUT", json: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("POST");
    const read = await call("/api/product/all", { method: "DELETE" });
    expect(read.headers.get("Allow")).toBe("GET, HEAD");
  });

  it("tolerates a trailing slash and _ts", async () => {
    expect((await call("/api/product/all/?_ts=1")).status).toBe(200);
  });

  it.each([
    ["text/plain", "{}", 415],
    ["application/json", "{", 400],
    ["application/json", "[]", 400],
    ["application/json", '"x"', 400],
    ["application/json", "\xff\xfe", 400],
    ["application/json", `{"email":"${"x".repeat(70_000)}"}`, 413],
  ])("a body of %s %.12s is a %i", async (type, body, status) => {
    const answer = await call("/api/auth/login", { body, headers: { "Content-Type": type } });
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { ERR_MSG: string }).ERR_MSG).not.toBe("");
  });

  it("carries the security headers", async () => {
    for (const path of ["/", "/shop", "/api/product/all", "/api/nope", "/nope"]) {
      const { headers } = await call(path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toMatch(/script-src 'self' 'nonce-\w{32}'/);
      for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
    }
  });
});

describe("an unsafe method sent from elsewhere is a 403", () => {
  const login = (headers: Record<string, string>) => call("/api/auth/login", { json: {}, headers });

  it.each([
    [{ "Sec-Fetch-Site": "cross-site" }, 403],
    [{ "Sec-Fetch-Site": "same-site" }, 403],
    [{ "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" }, 400],
    [{ "Sec-Fetch-Site": "none" }, 400],
    [{ Origin: "https://evil.example" }, 403],
    [{ Origin: "null" }, 403],
    [{ Origin: "http://localhost:8787" }, 400],
    [{ Cookie: "emporia_session=x" }, 403],
    [{}, 400],
  ])("%j → %i", async (headers, status) => {
    expect((await login(headers)).status).toBe(status);
  });

  it("holds for pages as well", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", Origin: "https://evil.example" };
    expect((await call("/login", { body: "email=a", headers })).status).toBe(403);
    expect((await call("/cart", { body: "intent=clear", headers })).status).toBe(403);
  });
});
