import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";
import { USER_SORTS } from "./schema";

const USERS_PATH = "/admin/users-management";

const RULES: ListRules = {
  path: USERS_PATH,
  sorts: USER_SORTS,
  base: { sort: "createdAt", dir: "desc" },
};

/** Where somebody is in the list of users. */
export function parseUserListParams(params: URLSearchParams): ListParams {
  return parseListParams(params, RULES);
}

export { isPastEnd, listUrl, pageCount, readDialog, withoutDialog } from "~/ui/DataTable/list-params";
