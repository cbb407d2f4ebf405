import { type ListPlace, type ListRules, readPlace } from "~/ui/DataTable/list-params";
import { USER_SORTS } from "./schema";

const USERS_PATH = "/admin/users-management";

const RULES: ListRules = {
  path: USERS_PATH,
  sorts: USER_SORTS,
  base: { sort: "createdAt", dir: "desc" },
};

/** Where somebody is in the list of users. */
export function readUsersPlace(params: URLSearchParams): ListPlace {
  return readPlace(params, RULES);
}

export { isPastEnd, pageCount, placeAddress, readDialog, withoutDialog } from "~/ui/DataTable/list-params";
