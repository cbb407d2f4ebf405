import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage, RequestError, readChat, readSettings } from "../client/api";
import { initialStore, type UnsentMessage } from "../client/message-store";
import { storedText, storeText } from "../client/unsent-text";
import { useConversation } from "../client/useConversation";
import { NEW_CUSTOMER } from "../limits";
import type { Answerer, History } from "../rooms";

const SEND_FAILED = "Failed to send message. Please try again.";

/** State and actions of the visitor's chat. */
export type VisitorChat = ReturnType<typeof useVisitorChat>;

/** Reason why a chat is closed to the visitor: the seller deleted it, or it is another visitor's. */
export type CloseReason = "deleted" | "forbidden";

/**
 * Connects the visitor to their chat: unsent messages survive the page, and are resent after a reconnect.
 *
 * @param chatId null before a chat has started
 * @param isPending delays the connection until the chat id is final
 * @returns `isOnline` of the shop and `answerer`, null until they are known
 */
export function useVisitorChat(
  chatId: string | null,
  onClosed: (reason: CloseReason) => void,
  isPending = false,
) {
  const [userName, setUserName] = useState<string | null>(null);
  const { isOnline, setOnline, answerer, readAnswerer } = useAnswerer();
  const name = userName ?? NEW_CUSTOMER;
  const load = useLoad(chatId, onClosed, ({ chat, messages, reads }) => {
    setUserName(chat.userName);
    advanceReads(reads);
    dispatch({ type: "loaded", messages });
  });
  const { dispatch, advanceReads, ...conversation } = useConversation({
    chatId,
    isPending,
    isKnown: userName !== null,
    sender: { isFromAdmin: false, name },
    initialStore: () => initialStore([], chatId ? storedText(chatId).unsent : []),
    // Offline, the message waits in its bubble and is sent after the reconnect.
    failureMessage: (error) => (navigator.onLine ? errorMessage(error, SEND_FAILED) : null),
    onStateChange(state) {
      // The chat may be closed to the visitor by now.
      if (state === "disconnected") void load();
      if (state === "connected") readAnswerer();
    },
    onStatusChange: setOnline,
    onDeleted: () => onClosed("deleted"),
  });
  const { store } = conversation;
  useEffect(() => {
    if (chatId) storeText(chatId, { unsent: storableTexts(store.unsent) });
  }, [chatId, store.unsent]);
  return { ...conversation, name, isOnline, answerer };
}

/** Holds whether the shop is online, and whoever answers; null until they are known. */
function useAnswerer() {
  const [isOnline, setOnline] = useState<boolean | null>(null);
  const [answerer, setAnswerer] = useState<Answerer | null>(null);
  const readAnswerer = () => {
    const onRead = (settings: Awaited<ReturnType<typeof readSettings>>) => {
      setOnline(settings.isOnline);
      setAnswerer(settings);
    };
    readSettings().then(onRead, ignore);
  };
  return { isOnline, setOnline, answerer, readAnswerer };
}

/** Selects the messages without a file; kept-files.ts keeps the others. */
function storableTexts(unsent: UnsentMessage[]) {
  return unsent.filter(({ file }) => !file).map(({ failed: _, ...message }) => message);
}

/** Reads the chat at once; the result reads it again. */
function useLoad(
  chatId: string | null,
  onClosed: (reason: CloseReason) => void,
  onLoaded: (history: History) => void,
) {
  const latest = useRef({ onClosed, onLoaded });
  latest.current = { onClosed, onLoaded };
  const load = useCallback(async () => {
    if (!chatId) return;
    try {
      latest.current.onLoaded(await readChat(chatId));
    } catch (error) {
      // Other failures are ignored: the connection delivers the messages, too.
      const status = error instanceof RequestError && error.status;
      if (status === 404) latest.current.onClosed("deleted");
      if (status === 403) latest.current.onClosed("forbidden");
    }
  }, [chatId]);
  useEffect(() => void load(), [load]);
  return load;
}

const ignore = () => undefined;
