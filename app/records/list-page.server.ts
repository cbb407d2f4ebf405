import { type ListReads, readListWindow } from "~/db/lists";
import { redirect } from "~/http/redirect.server";
import type { RequestContext } from "~/http/request-context.server";
import { hasToast } from "~/http/toasts.server";
import { type ListParams, listUrl, pageCount } from "~/ui/DataTable/list-params";

/** Page of a list, with the parameters that it answers. */
export type ListPage<Row, Matches = { total: number }> = Matches & { params: ListParams; rows: Row[] };

/**
 * Reads the page that a list's URL names.
 *
 * @throws Response a redirect to the last page where the URL names a later one, and to the URL without the parameters that
 * the list ignores
 */
export async function readListPage<Row, Matches extends { total: number }>(
  context: RequestContext,
  params: ListParams,
  reads: ListReads<Row, Matches>,
): Promise<ListPage<Row, Matches>> {
  redirectWithoutIgnored(context, params);
  const { size: limit, dir } = params;
  const offsetOf = ({ page }: ListParams) => (page - 1) * limit;
  let existing = params;
  const list = await readListWindow(reads, { limit, offset: offsetOf(params), dir }, (total) => {
    existing = existingPage(context, params, total);
    return offsetOf(existing);
  });
  return { ...list, params: existing };
}

/**
 * Redirects to the list's URL without the parameters that it ignores, so that the URL says what the list shows.
 *
 * @throws Response the redirect, unless the page answers a form or shows a message, which the redirect would lose
 */
export function redirectWithoutIgnored(
  { request, secure }: Pick<RequestContext, "request" | "secure">,
  { path, ignored }: Pick<ListParams, "path" | "ignored">,
): void {
  if (ignored.length === 0 || request.method !== "GET" || hasToast(request, secure)) return;
  const { searchParams } = new URL(request.url);
  for (const name of [...ignored, "_data"]) searchParams.delete(name);
  throw redirect(searchParams.size > 0 ? `${path}?${searchParams}` : path);
}

/**
 * Returns the parameters of the page that a list has: those of the last one in place of a later one.
 *
 * @throws Response a redirect to the last page, unless nothing is found, or the page shows a message, which the redirect
 * would lose: the last row of the last page was deleted, and can be restored
 */
function existingPage({ request, secure }: RequestContext, params: ListParams, total: number): ListParams {
  const last = pageCount(total, params.size);
  if (params.page <= last) return params;
  if (total > 0 && !hasToast(request, secure)) throw redirect(listUrl(params, { page: last }));
  return { ...params, page: last };
}
