import { bookmarkCookie } from "~/session/cookies.server";
import type { RequestContext } from "./request-context.server";

/**
 * What an answer carries besides its body: the cookies that the operation set and, after a write, D1's
 * bookmark, so that the reader's next page shows what was just written.
 *
 * @param context the request's context, after the operation ran
 */
export async function outgoingHeaders(context: RequestContext): Promise<Headers> {
  const headers = new Headers(context.headers);
  const bookmark = context.meter.rowsWritten > 0 ? context.bookmark() : null;
  if (bookmark) headers.append("Set-Cookie", await bookmarkCookie(bookmark, context.secure));
  return headers;
}
