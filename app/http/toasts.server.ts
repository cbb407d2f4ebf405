import { createCookieSessionStorage } from "@remix-run/cloudflare";
import { createToastUtilsWithCustomSession } from "remix-toast";
import type { ResultLink } from "~/domain/result-link";
import { cookieName, signingSecrets } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

export interface Toast {
  type: "success" | "error" | "info";
  message: string;
  undo?: Undo;
  /** Ends a message with links, larger. */
  highlight?: string | undefined;
  /** Pages and files that the message names. */
  links?: ResultLink[];
}

interface Undo {
  /** Label of the affected item. */
  subject: string;
  action: string;
  intent: string;
  /** Value of the field `id`. */
  id: string;
  /** Further fields. */
  fields?: Record<string, string>;
}

/** Tells whether a message may wait for this page. */
export function hasToast({ headers }: Request, secure: boolean): boolean {
  return headers.get("Cookie")?.includes(`${cookieName("toast", secure)}=`) ?? false;
}

/** Reads the message for this page. @returns the toast, and headers that clear its cookie */
export async function readToast(request: Request, context: Pick<RequestContext, "env" | "secure">) {
  try {
    const { toast, headers } = await toastSession(context).getToast(request);
    return { toast: toast && withExtras(toast), headers };
  } catch {
    // A malformed cookie is cleared: it must not break the page.
    const expired = `${cookieName("toast", context.secure)}=; Path=/; Max-Age=0${context.secure ? "; Secure" : ""}`;
    return { toast: undefined, headers: new Headers({ "Set-Cookie": expired }) };
  }
}

/** Converts a toast for remix-toast, which stores only text: undo form and links travel as the description. */
export function toFlash({ undo, links, highlight, ...toast }: Toast) {
  return undo || links ? { ...toast, description: JSON.stringify({ undo, links, highlight }) } : toast;
}

interface Flash {
  type: unknown;
  message: string;
  description?: string | undefined;
}

function withExtras({ type, message, description }: Flash) {
  const extras = description ? (JSON.parse(description) as Pick<Toast, "undo" | "links" | "highlight">) : {};
  return { type: String(type), message, undo: extras.undo, links: extras.links, highlight: extras.highlight };
}

/**
 * Configures remix-toast with the shop's signed cookie.
 *
 * @returns `redirectWithToast(url, toast, init?)`, `jsonWithToast(data, toast, init?)` and `getToast(request)`
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
        secrets: signingSecrets(context.env.COOKIE_SECRET),
        maxAge: 60,
      },
    }),
  );
}
