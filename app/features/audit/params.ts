import { type ListParams, type ListRules, listUrl, parseListParams } from "~/ui/DataTable/list-params";

const AUDIT_PATH = "/admin/audit";
/** Rows on a page: with the names of what they concern, few enough reads for the budget of a first view. */
export const PAGE_SIZE = 30;

/** Kinds of objects that the list filters by, with the objects of each. */
export const OBJECT_KINDS = [
  { value: "sales", label: "Sales and credits", objects: ["document", "quote", "hold"] },
  { value: "products", label: "Products and stock", objects: ["product", "import"] },
  { value: "ledger", label: "Invoices and expenses", objects: ["invoice", "expense", "closing", "drawer"] },
  { value: "customers", label: "Customers", objects: ["customer"] },
  { value: "chats", label: "Chats", objects: ["chat", "response"] },
  {
    value: "settings",
    label: "Settings",
    objects: ["shopSettings", "chatSettings", "searchWord", "taxSettings", "apiKey", "webhook"],
  },
  { value: "users", label: "Users", objects: ["user", "invitation"] },
] as const;

/** Authors beside the staff, by their kind. */
export const AUTHOR_OPTIONS = [
  { value: "customer", label: "Account owners" },
  { value: "visitor", label: "Visitors" },
  { value: "import", label: "Imports" },
  { value: "key", label: "API keys" },
  { value: "system", label: "System" },
];

const RULES: ListRules = {
  path: AUDIT_PATH,
  sorts: ["at"],
  base: { sort: "at", dir: "desc" },
  filters: { from: "day", to: "day", kind: OBJECT_KINDS.map(({ value }) => value) },
  others: ["person", "id", "older", "newer", "row"],
};

export interface Cursor {
  at: number;
  seq: number;
}

/** State of the screen in its URL. */
export interface AuditParams extends Omit<ListParams, "dir"> {
  list: ListParams;
  /** Row that the page begins after. */
  cursor: Cursor | null;
  dir: "older" | "newer";
  /** Number of the row whose fields are all shown. */
  open: number | null;
}

export function parseAuditParams(search: URLSearchParams): AuditParams {
  const list = parseListParams(search, RULES);
  const known = [...AUTHOR_OPTIONS.map(({ value }) => value)];
  const person = search.get("person") ?? "";
  const id = search.get("id") ?? "";
  const isPerson = known.includes(person) || /^user-[\w-]{1,100}$/.test(person);
  const isId = /^[\w-]{1,200}$/.test(id);
  list.filters = { ...list.filters, ...(isPerson && { person }), ...(isId && { id }) };
  const older = parseCursor(search.get("older"));
  const newer = parseCursor(search.get("newer"));
  const row = Number(search.get("row"));
  const open = Number.isSafeInteger(row) && row > 0 ? row : null;
  const hasEffect = {
    person: isPerson,
    id: isId,
    older: older !== null,
    newer: newer !== null,
    row: open !== null,
  };
  for (const [name, isKnown] of Object.entries(hasEffect))
    if (search.get(name) && !isKnown) list.ignored.push(name);
  return { ...list, list, cursor: newer ?? older, dir: newer ? "newer" : "older", open };
}

export function parseCursor(text: string | null): Cursor | null {
  const [, at, seq] = /^(\d{1,12})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return at && seq ? { at: Number(at), seq: Number(seq) } : null;
}

/** Builds the URL of a page, perhaps with an open row. */
export function auditUrl(
  list: ListParams,
  at: { older?: Cursor | null; newer?: Cursor | null; row?: number | null } = {},
): string {
  const url = listUrl(list);
  const more = new URLSearchParams();
  for (const name of ["older", "newer"] as const) {
    const cursor = at[name];
    if (cursor) more.set(name, `${cursor.at}.${cursor.seq}`);
  }
  if (at.row) more.set("row", String(at.row));
  if (more.size === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}${more}`;
}

/** Builds the URL of an object's history. */
export const historyUrl = (id: string): string => `${AUDIT_PATH}?${new URLSearchParams({ id })}`;

/** Lists the objects of a kind; none for every kind. */
export const objectsOf = (kind: string): readonly string[] =>
  OBJECT_KINDS.find(({ value }) => value === kind)?.objects ?? [];
