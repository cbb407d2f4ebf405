import { useEffect, useState } from "react";
import { countOtherUnread, markSeen } from "../client/api";
import { lastSeq } from "../client/message-store";
import type { PanelView, StoredChat } from "../client/storage";
import type { VisitorChat } from "./useVisitorChat";

interface ReadState extends Pick<VisitorChat, "isOver" | "isLoaded"> {
  view: PanelView;
  /** seq of the last message, and of the last one that the reader has seen. */
  last: number;
  seen: number;
}

/** Stores what the reader has seen in the open panel, and whether the chat is over. */
export function useStoredState(
  chat: StoredChat | null,
  { view, last, seen, isOver, isLoaded }: ReadState,
  setChat: (chat: StoredChat) => void,
): void {
  useEffect(() => {
    if (view !== "open" || !chat || last <= seen) return;
    setChat({ ...chat, seen: last });
    void markSeen(chat.chatId, last);
  }, [view, chat, seen, last, setChat]);
  useEffect(() => {
    if (chat && isLoaded && isOver !== (chat.isOver ?? false)) setChat({ ...chat, isOver });
  }, [chat, isOver, isLoaded, setChat]);
}

/** Counts the answers that the reader has not seen, here and in other conversations; another tab may have shown them. */
export function useUnread(chat: StoredChat | null, { store, reads }: VisitorChat) {
  const seen = Math.max(chat?.seen ?? 0, reads.visitor.seq);
  const unreadHere = store.messages.filter(({ isFromAdmin, seq }) => isFromAdmin && seq > seen).length;
  const unreadElsewhere = useOtherUnread(chat?.chatId);
  return { last: lastSeq(store), seen, unread: unreadHere + unreadElsewhere, unreadElsewhere };
}

/** Reads the number of unread answers in the reader's other conversations, once for each page load. */
export function useOtherUnread(chatId: string | undefined): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    countOtherUnread(chatId).then(setCount, () => undefined);
  }, [chatId]);
  return count;
}
