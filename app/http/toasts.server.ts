import { createCookieSessionStorage } from "@remix-run/cloudflare";
import { createToastUtilsWithCustomSession } from "remix-toast";
import { cookieName } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

/** A message shown once, on the next page the reader sees. */
export interface Toast {
  type: "success" | "error" | "info";
  message: string;
}

/**
 * remix-toast with our own signed cookie.
 *
 * @returns `redirectWithToast(url, toast, init?)`, `jsonWithToast(data, toast, init?)`, `getToast(request)` with the headers that forget it
 */
export function toasts(context: Pick<RequestContext, "env" | "secure">) {
  return createToastUtilsWithCustomSession(
    createCookieSessionStorage({
      cookie: {
        name: cookieName("toast", context.secure),
        httpOnly: true,
        path: "/",
        sameSite: "lax",
        secure: context.secure,
        secrets: [context.env.COOKIE_SECRET],
        maxAge: 60,
      },
    }),
  );
}
