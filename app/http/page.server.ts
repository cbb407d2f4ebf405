import { json, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { z } from "zod";
import type { CurrentUser } from "~/session/caller.server";
import { type AppError, readableError } from "./errors";
import { asAppError, type Operation } from "./operation.server";
import { redirectToLogin } from "./redirects.server";
import type { RequestContext } from "./request-context.server";
import { errorReference } from "./request-log.server";

/**
 * Awaits a page's reads and converts their errors: 401 redirects to /unauthorized, any other error goes to the nearest
 * error page with its status.
 *
 * @throws Response
 */
export async function pageResult<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    if (known.code === "unauthenticated") throw redirect("/unauthorized");
    throw errorPage(known);
  }
}

/** Creates the response that shows the error page; a server error carries its reference. */
function errorPage({ message, status, headers }: AppError): Response {
  const reference = status >= 500 ? { reference: errorReference() } : {};
  return json({ message, ...reference }, { status, headers });
}

/** Input of an operation that reads an admin page: the page's URL. */
export const PageInput = z.object({ url: z.string() });

/**
 * Runs the operation behind an admin page or download.
 *
 * @throws Response a redirect to /login (signed out) or /unauthorized (not staff); AppErrors of the read as responses
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
    if (known.code === "unauthenticated") throw redirectToLogin(request);
    if (known.code === "forbidden") throw redirect("/unauthorized");
    throw errorPage(known);
  }
}

/** Awaits an optional part of a page. @returns null after a failure, which is logged */
export async function resultOrNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
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
    return { value: null, message: readableError(asAppError(error)).message };
  }
}

/** Type of a page's `handle` export, from which the Worker, the sitemap and robots.txt read their rules. */
export interface PageHandle {
  /** Marks a page that is the same for everyone: the edge caches it and search engines may index it. */
  publicPage: {
    /** Search parameters that change the page; the edge cache ignores others. */
    parameters: string[];
  };
}

/**
 * Requires a member of staff (docs/product.md, 2.2).
 *
 * @returns signed-in admin or manager
 * @throws Response a redirect to /login (signed out) or /unauthorized (not staff)
 */
export async function requireStaff({ request, caller }: RequestContext): Promise<CurrentUser> {
  const user = await caller.user();
  if (user?.isAdmin || user?.isManager) return user;
  if (user) throw redirect("/unauthorized");
  throw redirectToLogin(request);
}

/** Sources of a page's requests by which a person sees it: a navigation, and the script of a page that is open. */
const SEEN_BY = new Set(["document", "empty"]);

/** Detects a request of a browser that expects a visit. */
export const isPrefetch = (headers: Headers): boolean =>
  headers.has("Sec-Purpose") || headers.has("Purpose") || headers.has("X-Moz");

/** Detects a request whose answer a person sees, as opposed to HEAD, a prefetch, an image or a frame. */
export const isReading = ({ method, headers }: Request): boolean =>
  method !== "HEAD" && !isPrefetch(headers) && SEEN_BY.has(headers.get("Sec-Fetch-Dest") ?? "document");
