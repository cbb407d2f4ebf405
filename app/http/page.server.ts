import { json, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { z } from "zod";
import { AppError } from "./errors";
import { asAppError, type Operation } from "./operation.server";
import { redirectToLogin } from "./redirects.server";

/**
 * Awaits what a page shows and turns a refusal into the answer a page gives (contract: Settled, 401 and
 * 500 on pages): 401 leads to /unauthorized, anything else is thrown for the nearest error page with its status.
 *
 * @param work the page's reads
 * @throws Response
 */
export async function forPage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Response) throw error;
    const known = asAppError(error);
    if (known.code === "unauthenticated") throw redirect("/unauthorized");
    throw json({ message: known.message }, { status: known.status, headers: known.headers });
  }
}

/** Input of an operation that reads an admin page: the page's URL. */
export const PageInput = z.object({ url: z.string() });

/**
 * Runs the operation behind an admin page or download.
 *
 * @returns the operation's result
 * @throws Response a redirect to /login (signed out) or /unauthorized (not staff); AppErrors of the read as responses
 */
export async function adminPage<O>(
  { request, context, params }: LoaderFunctionArgs,
  read: Operation<O>,
): Promise<O> {
  try {
    return await read.execute(context, { ...params, url: request.url });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "unauthenticated") throw redirectToLogin(request);
    if (error.code === "forbidden") throw redirect("/unauthorized");
    throw json({ message: error.message }, { status: error.status, headers: error.headers });
  }
}

/**
 * A part of a page that may fail by itself, without the page.
 *
 * @returns null when it failed; the log says why
 */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    asAppError(error);
    return null;
  }
}

/** How a part of a page ended: with what it reads, or with what is said to its reader. */
export type Settled<T> = { value: T; message: null } | { value: null; message: string };

/** A part of a page that may fail by itself and then says why, in the words of ERR_MSG. */
export async function settledResult<T>(work: Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await work, message: null };
  } catch (error) {
    return { value: null, message: asAppError(error).message };
  }
}

/** A page's `handle` export: rules that the Worker, the sitemap and robots.txt read from the route's own file. */
export interface PageHandle {
  /** The page is the same for everyone: it is kept at the edge, and search engines may visit it. */
  publicPage: {
    /** Search parameters that change the page; others are ignored by the edge cache. */
    parameters: string[];
  };
}
