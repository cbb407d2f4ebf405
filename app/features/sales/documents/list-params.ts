import { BUSINESSES } from "~/features/ledger/enums";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";

export const DOCUMENTS_PATH = "/admin/documents";
export const NEW_SALE_PATH = "/admin/sales/new";

const DOCUMENT_RULES: ListRules = {
  path: DOCUMENTS_PATH,
  sorts: ["createdAt"],
  base: { sort: "createdAt", dir: "desc" },
  filters: {
    from: "day",
    to: "day",
    business: BUSINESSES,
    kind: ["sale", "credit"],
    source: ["chat", "counter"],
  },
};

export const parseDocumentListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, DOCUMENT_RULES);

/** Returns the page of a document in the back office. */
export const documentPath = (id: string): string => `${DOCUMENTS_PATH}/${encodeURIComponent(id)}`;
