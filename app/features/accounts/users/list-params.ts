import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";
import { USER_SORTS } from "./schema";

export {
  isPastEnd,
  type ListParams,
  listUrl,
  pageCount,
  readDialog,
  withoutDialog,
} from "~/ui/DataTable/list-params";

const RULES: ListRules = {
  path: "/admin/users-management",
  sorts: USER_SORTS,
  base: { sort: "createdAt", dir: "desc" },
};

/** Reads the list parameters from the URL. */
export const parseUserListParams = (params: URLSearchParams): ListParams => parseListParams(params, RULES);
