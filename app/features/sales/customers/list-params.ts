import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

/** Customers with something open, or with the same e-mail address as another one. */
export const OPEN_FILTERS = ["held", "quote", "duplicate"] as const;
export type OpenFilter = (typeof OPEN_FILTERS)[number];

export const CUSTOMERS_PATH = "/admin/customers";

const CUSTOMER_RULES: ListRules = {
  path: CUSTOMERS_PATH,
  sorts: ["name", "lastSeen"],
  base: { sort: "lastSeen", dir: "desc" },
  filters: { open: OPEN_FILTERS },
};

export const parseCustomerListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, CUSTOMER_RULES);

export const customerPath = (id: string): string => `${CUSTOMERS_PATH}/${encodeURIComponent(id)}`;
