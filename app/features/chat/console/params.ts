/** Where somebody is in the console: all of it stands in the address, so that links, Back and reload work. */

export type Tab = "chats" | "responses" | "settings";

export interface Place {
  tab: Tab;
  /** The conversation that is open. */
  chat: string | null;
  /** The response that is being edited. */
  edit: string | null;
  /** What is about to be deleted: a chat, or on the tab of that name a response. */
  deleting: string | null;
  /** A response is being added. */
  isAdding: boolean;
  /** Quick Responses are open (without JavaScript). */
  isQuick: boolean;
  /** The response that fills the reply (without JavaScript). */
  fill: string | null;
  /** How many chats are listed. */
  shown: number;
}

/** How many chats are listed at first, and how many more each time. */
export const CHATS_SHOWN = 100;
const MOST_SHOWN = 1000;

/** Reads a place out of the console's address; what makes no sense is as if it weren't there. */
export function readPlace(params: URLSearchParams): Place {
  const tab = params.get("tab");
  const shown = Math.trunc(Number(params.get("show")));
  return {
    tab: tab === "responses" || tab === "settings" ? tab : "chats",
    chat: params.get("chat") || null,
    edit: params.get("edit") || null,
    deleting: params.get("delete") || null,
    isAdding: params.get("dialog") === "new",
    isQuick: params.has("quick"),
    fill: params.get("fill") || null,
    shown: shown > CHATS_SHOWN ? Math.min(shown, MOST_SHOWN) : CHATS_SHOWN,
  };
}

interface Target {
  tab?: Tab;
  chat?: string | null;
  edit?: string;
  delete?: string;
  dialog?: "new";
  show?: number;
}

/** The address of a place in the console. */
export function consoleAddress({ tab, show, ...target }: Target = {}): string {
  const params = new URLSearchParams();
  if (tab && tab !== "chats") params.set("tab", tab);
  for (const [name, value] of Object.entries(target)) if (value) params.set(name, value);
  if (show && show > CHATS_SHOWN) params.set("show", String(show));
  const query = params.toString();
  return query ? `/admin/chat?${query}` : "/admin/chat";
}
