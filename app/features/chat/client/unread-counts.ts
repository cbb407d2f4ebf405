/** Unread messages by chat id. */
export type UnreadCounts = Record<string, number>;

/** Unread messages of all chats: a read of the server's counts, and the changes that live events reported. */
export interface UnreadState {
  /** null before the first read. */
  loaded: UnreadCounts | null;
  /** Changes that the read may not contain. */
  live: UnreadCounts;
  /** Changes since the current connection was opened, which the next read may not contain. */
  sinceConnected: UnreadCounts;
}

export type UnreadAction =
  | { type: "connected" }
  | { type: "loaded"; counts: UnreadCounts }
  | { type: "changed"; chatId: string; count: number };

export const NO_COUNTS: UnreadState = { loaded: null, live: {}, sinceConnected: {} };

/** Applies an action. A read replaces the events before its connection, since some may have been missed. */
export function unreadReducer(state: UnreadState, action: UnreadAction): UnreadState {
  switch (action.type) {
    case "connected":
      return { ...state, sinceConnected: {} };
    case "loaded":
      return { ...state, loaded: action.counts, live: state.sinceConnected };
    case "changed": {
      const change = { [action.chatId]: action.count };
      return {
        ...state,
        live: { ...state.live, ...change },
        sinceConnected: { ...state.sinceConnected, ...change },
      };
    }
  }
}

/** @returns null before the first read */
export function totalUnread({ loaded, live }: UnreadState): number | null {
  if (!loaded) return null;
  return Object.values({ ...loaded, ...live }).reduce((sum, count) => sum + count, 0);
}
