import { parseScope, type Scope, scopeSearch } from "~/domain/periods";
import { CHAT_FILTERS, CHAT_REPORTS, type ChatFilter, type ChatReport, MAX_SEARCH } from "./limits";

/** URL parameters of the console, which hold its state for links, history and reloads. */

export type Tab = "chats" | "responses" | "settings";

export interface ConsoleParams {
  tab: Tab;
  /** Id of the open chat. */
  chat: string | null;
  /** Id of the response being edited. */
  edit: string | null;
  /** Id of what the confirmation dialog deletes: a response on its tab, else a chat. */
  deleting: string | null;
  isAdding: boolean;
  /** Quick Responses are open (without JavaScript). */
  isQuickOpen: boolean;
  /** Id of the message to which the reply refers (without JavaScript). */
  reply: string | null;
  /** The form of a note is open (without JavaScript). */
  isNoteOpen: boolean;
  /** Id of the response that fills the reply (without JavaScript). */
  fill: string | null;
  /** Searched product (without JavaScript); "" opens the search. */
  attach: string | null;
  /** Id of the product that the reply is about (without JavaScript). */
  product: string | null;
  /** Id of the message whose mail is shown in full. */
  mail: string | null;
  /** Number of listed chats. */
  limit: number;
  /** Searched text; "" for all. */
  q: string;
  filter: ChatFilter | null;
  /** Figure of the dashboard whose chats are listed. */
  report: ListedReport | null;
}

interface ListedReport {
  kind: ChatReport;
  scope: Scope;
}

/** Number of chats listed at first, and added by each "Show older chats". */
export const CHATS_PER_PAGE = 40;
const MAX_CHATS = 1000;

/** Parses the console's parameters; invalid ones count as missing. */
export function parseConsoleParams(params: URLSearchParams): ConsoleParams {
  const tab = params.get("tab");
  const limit = Math.trunc(Number(params.get("show")));
  return {
    tab: tab === "responses" || tab === "settings" ? tab : "chats",
    chat: params.get("chat") || null,
    edit: params.get("edit") || null,
    deleting: params.get("delete") || null,
    isAdding: params.get("dialog") === "new",
    isQuickOpen: params.has("quick"),
    reply: params.get("reply") || null,
    isNoteOpen: params.has("note"),
    fill: params.get("fill") || null,
    // A chosen product closes the search, whose form names both.
    attach: params.has("product") ? null : params.get("attach"),
    product: params.get("product") || null,
    mail: params.get("mail") || null,
    q: (params.get("q") ?? "").trim().slice(0, MAX_SEARCH),
    filter: CHAT_FILTERS.find((name) => name === params.get("filter")) ?? null,
    report: parseReport(params),
    limit: limit > CHATS_PER_PAGE ? Math.min(limit, MAX_CHATS) : CHATS_PER_PAGE,
  };
}

function parseReport(params: URLSearchParams): ListedReport | null {
  const kind = CHAT_REPORTS.find((name) => name === params.get("report"));
  return kind ? { kind, scope: parseScope(params) } : null;
}

interface Target {
  tab?: Tab;
  chat?: string | null;
  edit?: string;
  delete?: string;
  dialog?: "new";
  product?: string | null;
  mail?: string | null;
  note?: "1";
  reply?: string | undefined;
  show?: number;
  q?: string;
  filter?: ChatFilter | null;
  report?: ListedReport | null;
}

/**
 * Builds the URL of a chat that keeps the search, the filters and the length of the list.
 *
 * @param list search of the console's URL, from a form
 */
export function urlInList(list: unknown, chat: string | null): string {
  const params = new URLSearchParams(typeof list === "string" ? list : "");
  const { q, filter, report, limit } = parseConsoleParams(params);
  return consoleUrl({ chat, q, filter, report, show: limit });
}

export function consoleUrl({ tab, show, report, ...target }: Target = {}): string {
  const params = new URLSearchParams(report ? scopeSearch(report.scope) : "");
  if (report) params.set("report", report.kind);
  if (tab && tab !== "chats") params.set("tab", tab);
  for (const [name, value] of Object.entries(target)) if (value) params.set(name, value);
  if (show && show > CHATS_PER_PAGE) params.set("show", String(show));
  const query = params.toString();
  return query ? `/admin/chat?${query}` : "/admin/chat";
}
