import { createCookieSessionStorage } from "@remix-run/cloudflare";
import { createToastUtilsWithCustomSession } from "remix-toast";
import { cookieName } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

/** A message shown once, on the next page the reader sees. */
export interface Toast {
  type: "success" | "error" | "info";
  message: string;
  /** How what was done is undone. */
  undo?: Undo;
}

/** A form of one button. */
interface Undo {
  /** What it was done to. */
  what: string;
  /** The page that it is sent to. */
  action: string;
  intent: string;
  /** Sent as `id`. */
  id: string;
}

/**
 * The message left for this page, if any.
 *
 * @returns the toast, and the headers that forget it
 */
export async function readToast(request: Request, context: Pick<RequestContext, "env" | "secure">) {
  try {
    const { toast, headers } = await toastSession(context).getToast(request);
    return { toast: toast && withUndo(toast), headers };
  } catch {
    // A cookie that can't be read (cut, badly encoded) is forgotten, not a fault of the page that it came with.
    const gone = `${cookieName("toast", context.secure)}=; Path=/; Max-Age=0${context.secure ? "; Secure" : ""}`;
    return { toast: undefined, headers: new Headers({ "Set-Cookie": gone }) };
  }
}

/** remix-toast keeps text alone: the way back travels as the description. */
export function toFlash({ undo, ...toast }: Toast) {
  return undo ? { ...toast, description: JSON.stringify(undo) } : toast;
}

interface Flash {
  type: unknown;
  message: string;
  description?: string | undefined;
}

function withUndo({ type, message, description }: Flash) {
  const undo = description ? (JSON.parse(description) as Undo) : undefined;
  return { type: String(type), message, undo };
}

/**
 * remix-toast with our own signed cookie.
 *
 * @returns `redirectWithToast(url, toast, init?)`, `jsonWithToast(data, toast, init?)`, `getToast(request)` with the headers that forget it
 */
export function toastSession(context: Pick<RequestContext, "env" | "secure">) {
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
