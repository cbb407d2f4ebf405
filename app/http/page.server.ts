import { defer, json, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { z } from "zod";
import { localTo } from "~/domain/local-to";
import { redirect } from "~/http/redirect.server";
import { type CurrentUser, isStaff } from "~/session/caller.server";
import { type AppError, readableError } from "./errors";
import { asAppError, type Operation } from "./operation.server";
import { errorReference } from "./request-log.server";

/**
 * Awaits a page's reads and converts their errors: 401 redirects to /unauthorized, any other error is thrown as a response
 * for the nearest ErrorBoundary.
 *
 * @throws Response
 */
export async function pageResult<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    // Only the back office leads to /login; a 401 elsewhere has its own page (docs/product.md, 2.1).
    if (known.code === "unauthenticated") throw redirect("/unauthorized");
    throw errorResponse(known);
  }
}

/**
 * Returns a loader's data. A document gets it as it is: Remix would read the text of a JSON response again before it renders.
 * Scripts, which browsers mark by `Sec-Fetch-Dest: empty`, get JSON, which is compressed on its way.
 */
export function pageData<T extends Record<string, unknown>>(
  { headers }: Request,
  data: T,
  init?: ResponseInit,
) {
  return headers.get("Sec-Fetch-Dest") === "empty" ? json(data, init) : defer(data, init);
}

/** Creates the response that shows the error page; a server error carries its reference. */
function errorResponse({ message, status, headers }: AppError): Response {
  const reference = status >= 500 ? { reference: errorReference() } : {};
  return json({ message, ...reference }, { status, headers });
}

/** Input of an operation that reads an admin page: the page's URL. */
export const PageInput = z.object({ url: z.string() });

/**
 * Runs the operation behind an admin page or download.
 *
 * @throws Response a redirect to /login (signed out) or /unauthorized (not staff); AppErrors of the read as responses, 403
 * for what only admins may open
 */
export async function adminPage<O>(
  { request, context, params }: LoaderFunctionArgs,
  read: Operation<O>,
): Promise<O> {
  try {
    return await read.execute(context, { ...params, url: request.url });
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    // A loader's own request is always GET, also when its page answers a form.
    if (known.code === "unauthenticated") throw redirectToLogin(request.url, context.request.method);
    // Staff stay in the back office, which says what they may not open.
    const user = await context.caller.user();
    if (known.code === "forbidden" && !isStaff(user)) throw redirect(refusedUrl(user));
    throw errorResponse(known);
  }
}

/** Returns the page for a caller without permission: where staff set up the second factor that the shop requires. */
export const refusedUrl = (user: CurrentUser | null): string =>
  user?.owesFactor ? "/account?tab=factor" : "/unauthorized";

/** Awaits an optional part of a page. @returns null after a failure; unexpected errors are logged */
export async function resultOrNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Response) throw error;
    // Logs unexpected errors.
    asAppError(error);
    return null;
  }
}

/** Result of an optional part of a page: its value, or an error message for the user. */
export type Settled<T> = { value: T; message: null } | { value: null; message: string };

/** Awaits an optional part of a page and keeps its error message. */
export async function settledResult<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work, message: null };
  } catch (error) {
    if (error instanceof Response) throw error;
    return { value: null, message: readableError(asAppError(error)).message };
  }
}

/** Type of a page's `handle` export, from which the Worker, the sitemap and robots.txt read their rules. */
export interface PageHandle {
  /** Marks a page that is the same for everyone: it is cached and search engines may index it. */
  publicPage: {
    /** Search parameters that change the page; the cache ignores others. */
    parameters: string[];
    /** Parameters may also name options of a product, as it has them: with one, the page is not cached. */
    hasOptions?: boolean;
  };
}

/** Redirects a request to /login, which leads back to its URL after sign-in. */
export function redirectToLogin(url: string, method: string): Response {
  const { pathname, search } = new URL(url);
  const back = new URLSearchParams({ redirectTo: pathname + search });
  return redirect(`/login?${back}`, method === "GET" || method === "HEAD" ? 302 : 303);
}

/**
 * Finds the page that a request came from, for a Go Back link without JavaScript.
 *
 * @returns path and query; "/" for another site or the same page
 */
export function referrerPath(request: Request): string {
  const referer = request.headers.get("Referer");
  const here = new URL(request.url);
  const from = referer && URL.canParse(referer) ? new URL(referer) : null;
  if (!from || from.host !== here.host || from.pathname === here.pathname) return "/";
  return localTo(from.pathname + from.search, "/");
}
