import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

export const CUSTOMERS_PATH = "/admin/customers";

const RULES: ListRules = {
  path: CUSTOMERS_PATH,
  sorts: ["name", "lastSeen"],
  base: { sort: "lastSeen", dir: "desc" },
};

export const parseCustomerListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, RULES);

export const customerPath = (id: string): string => `${CUSTOMERS_PATH}/${encodeURIComponent(id)}`;
