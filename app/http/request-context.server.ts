import { type Db, openDb } from "~/db/client.server";
import type { D1Meter } from "~/db/metered-d1.server";
import { type Caller, identifyCaller } from "~/session/caller.server";
import { readCookies, type ShopCookies } from "~/session/cookies.server";
import { type ShopSettings, shopSettings } from "./shop-settings.server";

/** Everything an operation or a loader may use of the request it serves. Made once, before anything is routed. */
export interface RequestContext {
  request: Request;
  env: Env;
  settings: ShopSettings;
  db: Db;
  meter: D1Meter;
  /** D1's bookmark after what was done so far, for the reader's next request. */
  bookmark: () => string | null;
  caller: Caller;
  cookies: ShopCookies;
  /** Whether the request came over https: cookies are then Secure and named __Host-. */
  secure: boolean;
  /** The caller's network address, as Cloudflare saw it; never taken from X-Forwarded-For. */
  address: string;
  /** This answer's CSP nonce. */
  nonce: string;
  /** performance.now() when the request arrived. */
  started: number;
  /** Headers (Set-Cookie above all) that an operation wants on the answer. */
  headers: Headers;
  /** Epoch seconds, the same for the whole request. */
  now: number;
  waitUntil: (work: Promise<unknown>) => void;
}

declare module "@remix-run/cloudflare" {
  interface AppLoadContext extends RequestContext {
    /** Paths of all routes, such as `/products/:id`. */
    routePaths: string[];
    /** Paths of the routes that are public pages (app/http/page-handle.ts). */
    publicPaths: string[];
  }
}

/**
 * Opens the context of one request.
 *
 * @param request the request as it arrived
 * @param env the Worker's bindings
 * @param waitUntil keeps work going after the answer was sent
 * @throws Error when COOKIE_SECRET is not set: a shop without it would sign cookies with a known key
 */
export async function requestContext(
  request: Request,
  env: Env,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<RequestContext> {
  if (!env.COOKIE_SECRET) throw new Error("COOKIE_SECRET is not set: wrangler secret put COOKIE_SECRET");
  const secure = new URL(request.url).protocol === "https:";
  const cookies = await readCookies(request, env.COOKIE_SECRET, secure);
  const { db, meter, bookmark } = openDb(env.DB, cookies.bookmark);
  const now = Math.floor(Date.now() / 1000);
  return {
    request,
    env,
    settings: shopSettings(env),
    db,
    meter,
    bookmark,
    caller: identifyCaller({ request, db, now, sessionToken: cookies.session }),
    cookies,
    secure,
    address: request.headers.get("CF-Connecting-IP") ?? "unknown",
    nonce: crypto.randomUUID().replaceAll("-", ""),
    started: performance.now(),
    headers: new Headers(),
    now,
    waitUntil,
  };
}
