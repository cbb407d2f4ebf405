import type { BrowserContextOptions, Page } from "playwright";
import { inject } from "vitest";
import signIns from "../../scripts/seed/sign-ins.json";

const cookies = new Map<string, string>();

/** Calls the running shop's API as one of the demo's staff. */
export async function staffCall(role: "admin" | "manager", path: string, body?: unknown, method = "POST") {
  const origin = inject("shopUrl");
  const answer = await fetch(`${origin}/api/${path}`, {
    method: body === undefined ? "GET" : method,
    headers: { "Content-Type": "application/json", Origin: origin, Cookie: await cookieOf(role) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

async function cookieOf(role: "admin" | "manager"): Promise<string> {
  const known = cookies.get(role);
  if (known) return known;
  const origin = inject("shopUrl");
  const person = signIns.find((each) => each.role === role);
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ email: person?.email, password: person?.password }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .join("; ");
  cookies.set(role, cookie);
  return cookie;
}

type Open = (path: string, options?: BrowserContextOptions) => Promise<Page>;

/** A page of the back office, signed in. */
export async function asStaff(
  open: Open,
  role: "admin" | "manager",
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const stored = (await cookieOf(role)).split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return {
      name: pair.slice(0, at),
      value: pair.slice(at + 1),
      domain: "localhost",
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: "Lax" as const,
    };
  });
  const page = await open(path, { ...options, storageState: { cookies: stored, origins: [] } });
  await page.waitForLoadState("networkidle");
  return page;
}
