import { BUSINESSES } from "~/domain/enums";
import type { ResultLink } from "~/domain/result-link";
import { consoleUrl } from "~/features/chat/console-params";
import { type ListParams, type ListRules, parseListParams } from "~/ui/DataTable/list-params";
import { DOCUMENT_KINDS, HOLD_STATES, SALE_SOURCES } from "./document";
import { QUOTE_STATES } from "./quote-state";

export const DOCUMENTS_PATH = "/admin/documents";
export const NEW_SALE_PATH = "/admin/sales/new";
export const CUSTOMERS_PATH = "/admin/customers";
export const HOLDS_PATH = "/admin/holds";
export const QUOTES_PATH = "/admin/quotes";
/** Path of a document's page in the back office. */
export const documentPath = (id: string): string => `${DOCUMENTS_PATH}/${encodeURIComponent(id)}`;
export const customerPath = (id: string): string => `${CUSTOMERS_PATH}/${encodeURIComponent(id)}`;

/** Lists the acts on new documents: print, save and open each. */
export const documentLinks = (documents: { id: string; number: string }[]): ResultLink[] =>
  documents.flatMap(({ id, number }) => {
    const file = `/receipts/${encodeURIComponent(id)}.pdf`;
    const of = documents.length > 1 ? ` ${number}` : "";
    return [
      { to: file, label: `Print${of}`, opens: "tab" },
      { to: file, label: `PDF${of}`, opens: "file" },
      { to: documentPath(id), label: `Open${of}` },
    ];
  });

/** Lists that open a form, to which its Cancel leads back. */
export const LISTS = { today: "/admin/today", holds: HOLDS_PATH, quotes: QUOTES_PATH } as const;
type List = keyof typeof LISTS;

/** Returns the list that a form's address names. */
export const listNamed = (name: string | null): List | undefined =>
  name !== null && Object.hasOwn(LISTS, name) ? (name as List) : undefined;

interface Target {
  from?: List | undefined;
  chatId?: string | null | undefined;
  holdId?: string | null | undefined;
  quoteId?: string | null | undefined;
  customerId?: string | null | undefined;
}

function query({ from, chatId, holdId, quoteId, customerId }: Target): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({
    chat: chatId,
    hold: holdId,
    quote: quoteId,
    customer: customerId,
    from,
  }))
    if (value) params.set(name, value);
  return params.toString();
}

/** Address of Record sale, filled from a chat, hold or quote, or for a customer. */
export const recordUrl = (target: Target = {}) => `${NEW_SALE_PATH}?${query(target)}`;
/** Address of Record sale after a sale at the counter, which it names. */
export const nextSaleUrl = (lastIds: string[]) =>
  `${NEW_SALE_PATH}?${new URLSearchParams({ last: lastIds.join(",") })}`;
/** Address of the form that corrects a sale. */
export const correctUrl = (saleId: string) => `${NEW_SALE_PATH}?${new URLSearchParams({ correct: saleId })}`;
/** Address of the form that sets products aside, or of a hold. */
export const holdUrl = (target: Target) => `/admin/sales/hold?${query(target)}`;
/** Address of the form of a quote. */
export const quoteUrl = (target: Target) => `/admin/sales/quote?${query(target)}`;

/** Address of a business's cash drawer: the open one, else that of today, or the closed one of a day. */
export const drawerUrl = (business = "EMPORIA", day?: string) =>
  `/admin/sales/drawer?${new URLSearchParams({ business, ...(day && { day }) })}`;

/** Address of the form that takes a deposit on a quote, or pays it back. */
export const depositUrl = (quoteId: string, from?: List) =>
  `/admin/sales/deposit?${query({ quoteId, from })}`;
/** Address of the form that withdraws an accepted quote. */
export const withdrawUrl = (quoteId: string, from?: List) =>
  `/admin/sales/withdraw?${query({ quoteId, from })}`;

/** Builds the heading of a form: its title, and the conversation or the documents above it. */
export const formHeading = (title: string, chatId: string | null) => ({
  title,
  trail: [
    chatId
      ? { to: consoleUrl({ chat: chatId }), title: "Support Chat" }
      : { to: DOCUMENTS_PATH, title: "Invoices" },
  ],
});

/** Customers with something open, or with the same e-mail address as another one. */
export const OPEN_FILTERS = ["held", "quote", "duplicate"] as const;
export type OpenFilter = (typeof OPEN_FILTERS)[number];
/** View of the customers' screen: what is open without a customer. */
export const UNLINKED = "unlinked";

const CUSTOMER_RULES: ListRules = {
  path: CUSTOMERS_PATH,
  sorts: ["name", "lastSeen"],
  base: { sort: "lastSeen", dir: "desc" },
  filters: { open: [...OPEN_FILTERS, UNLINKED] },
};

export const parseCustomerListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, CUSTOMER_RULES);

const DOCUMENT_RULES: ListRules = {
  path: DOCUMENTS_PATH,
  sorts: ["createdAt"],
  base: { sort: "createdAt", dir: "desc" },
  filters: {
    from: "day",
    to: "day",
    business: BUSINESSES,
    kind: DOCUMENT_KINDS,
    source: SALE_SOURCES,
  },
};

export const parseDocumentListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, DOCUMENT_RULES);

/** Returns how a list is sorted by its ends: what is open by what ends first, everything by what ended last. */
const byEnd = (sort: string, params: URLSearchParams, open: string) =>
  ({ sort, dir: params.get("state") === open ? "asc" : "desc" }) as const;

export const parseHoldListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, {
    path: HOLDS_PATH,
    sorts: ["until"],
    base: byEnd("until", params, "active"),
    filters: { state: HOLD_STATES },
  });

export const parseQuoteListParams = (params: URLSearchParams): ListParams =>
  parseListParams(params, {
    path: QUOTES_PATH,
    sorts: ["validUntil"],
    base: byEnd("validUntil", params, "sent"),
    filters: {
      state: [...QUOTE_STATES, "deposit"],
      // A quote has one business by its deposits.
      ...(params.get("state") === "deposit" && { business: BUSINESSES }),
    },
  });
