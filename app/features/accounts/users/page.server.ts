import { redirect } from "@remix-run/cloudflare";
import { asAppError } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import type { UserListRow } from "../operations/user-list.server";
import { userListRow, userPage } from "../operations.server";
import { isPastEnd, listUrl, pageCount, parseUserListParams, readDialog } from "./list-params";

/** What the users' screen shows. */
export type UsersPage = Awaited<ReturnType<typeof usersPage>>;

/**
 * Reads what the users' screen shows at an address. The caller must have made sure that a member of staff asks.
 *
 * @throws Response a redirect to the last page, from past it
 */
export async function usersPage(context: RequestContext, url: string) {
  const { searchParams } = new URL(url);
  const params = parseUserListParams(searchParams);
  const dialog = readDialog(searchParams);
  const named = dialog?.kind === "edit" || dialog?.kind === "delete" ? dialog.id : null;
  const [list, target, caller] = await Promise.all([
    resultOrNull(userPage.execute(context, params)),
    named ? lineOrNull(context, named) : null,
    context.caller.user(),
  ]);
  if (list && isPastEnd(params, list.total))
    throw redirect(listUrl(params, { page: pageCount(list.total, params.size) }));
  return {
    params,
    dialog,
    target,
    rows: list?.rows ?? null,
    total: list?.total ?? 0,
    failure: list ? null : "Failed to fetch users",
    timezone: context.settings.timezone,
    mayGiveRoles: caller?.isAdmin ?? false,
  };
}

/** Null for one that is gone. */
async function lineOrNull(context: RequestContext, id: string): Promise<UserListRow | null> {
  try {
    return await userListRow.execute(context, { id });
  } catch (error) {
    asAppError(error);
    return null;
  }
}
