import type { BrowserContextOptions } from "@playwright/test";
import { DEMO_SIGN_INS } from "../../scripts/local-shop.mjs";
import { fetchShop, runningShop } from "./running-shop";

/** Role of a demo account. */
export type Role = "admin" | "manager" | "seller" | "customer";

interface SignedIn {
  /** Bearer token, equal to the value of the session cookie. */
  token: string;
  /** Session cookie as sent: `name=value`. */
  cookie: string;
  /** Session cookie as stored by a browser. */
  browser: Pick<BrowserContextOptions, "storageState">;
}

const signedIn = new Map<Role, Promise<SignedIn>>();

/** Signs in a demo account at the running shop, once per worker. */
export function signedInAs(role: Role): Promise<SignedIn> {
  const before = signedIn.get(role);
  if (before) return before;
  const now = signIn(role);
  signedIn.set(role, now);
  return now;
}

async function signIn(role: Role): Promise<SignedIn> {
  const origin = runningShop().url;
  const { email, password } = DEMO_SIGN_INS.find((person) => person.role === role) ?? {};
  const answer = await fetchShop("/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin },
    body: JSON.stringify({ email, password }),
  });
  const pairs = answer.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const { token } = (await answer.json()) as { token: string };
  return {
    token,
    cookie: pairs.join("; "),
    browser: { storageState: { cookies: pairs.map(toBrowserCookie), origins: [] } },
  };
}

/** Converts a cookie to the form of a browser session cookie. */
function toBrowserCookie(pair: string) {
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
}
