import { type MutableRefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { CLOSED } from "../limits";
import type { ChatMessage, ServerEvent } from "../protocol";
import { newMessageId, postMessage, RequestError } from "./api";
import { type Connection, type ConnectionState, connect } from "./connection";
import { type Action, lastContiguousSeq, type MessageStore, messageReducer } from "./message-store";
import { TYPING_INDICATOR_MS, typingNotifier } from "./typing";

const CONFLICT = 409;

interface ConversationOptions {
  /** null before a chat has started: the connection is the lobby's. */
  chatId: string | null;
  /** Delays the connection until the chat id is final. */
  isPending?: boolean;
  sender: { isFromAdmin: boolean; name: string };
  initialStore(): MessageStore;
  /** @returns text of the toast for a message that was not sent; null for none */
  failureMessage(error: unknown): string | null;
  onStateChange?(state: ConnectionState): void;
  onStatusChange?(isOnline: boolean): void;
  onDeleted?(): void;
  /** Receives the reader's own message once the server has stored it. */
  onSent?(message: ChatMessage): void;
}

/** State and actions of a conversation, of the visitor's widget and the seller's console alike. */
export type Conversation = ReturnType<typeof useConversation>;

/** Connects to a chat, or to the lobby. Mount it anew, by `key`, for another chat. */
export function useConversation(options: ConversationOptions) {
  const { chatId, isPending = false, sender } = options;
  const [store, dispatch] = useReducer(messageReducer, undefined, options.initialStore);
  const [typist, setTypist] = useTypist();
  const [state, setState] = useState<ConnectionState>("connecting");
  const connection = useRef<Connection | null>(null);
  const onEvent = ({ event, data }: ServerEvent) => {
    if (event === "chat-status-change") options.onStatusChange?.(data.isOnline);
    if (event === "new-message" && data.chatId === chatId) {
      dispatch({ type: "stored", message: data });
      if (data.isFromAdmin !== sender.isFromAdmin) setTypist(null);
    }
    if (event === "user-typing" && data.chatId === chatId && (sender.isFromAdmin || data.isStaff))
      setTypist(data.isTyping ? data : null);
  };
  const latest = useRef({ options, store, onEvent });
  latest.current = { options, store, onEvent };
  useEffect(() => {
    if (isPending) return;
    const current = () => latest.current;
    connection.current = connect({
      query: () =>
        chatId ? `chat=${encodeURIComponent(chatId)}&after=${lastContiguousSeq(current().store)}` : "",
      joinEvent: (visible) =>
        chatId && !current().options.sender.isFromAdmin
          ? { event: "join-chat", data: { chatId, visible } }
          : null,
      onEvent: (event) => current().onEvent(event),
      onStateChange(next) {
        setState(next);
        current().options.onStateChange?.(next);
      },
      onEnd: (code) => code === CLOSED.chatGone && current().options.onDeleted?.(),
    });
    return () => connection.current?.close();
  }, [chatId, isPending]);
  const { typing, send } = useSending(options, connection, dispatch);
  const reconnect = useCallback(() => connection.current?.reconnect(), []);
  return { store, dispatch, state, reconnect, typist, typing, send };
}

/** Sends typing events and messages; a message is in the store before the server confirms it. */
function useSending(
  { chatId, sender, failureMessage, onSent }: ConversationOptions,
  connection: MutableRefObject<Connection | null>,
  dispatch: (action: Action) => void,
) {
  const { name: senderName, isFromAdmin } = sender;
  const typing = useMemo(
    () =>
      typingNotifier((event) => chatId && connection.current?.send({ event, data: { chatId, senderName } })),
    [chatId, connection, senderName],
  );
  const send = async (message: string, id = newMessageId()): Promise<void> => {
    typing.stop();
    if (!chatId || !message.trim()) return;
    dispatch({ type: "sending", id, message, sentAt: Math.floor(Date.now() / 1000) });
    try {
      const stored = await postMessage({ chatId, id, message, senderName, isFromAdmin });
      dispatch({ type: "stored", message: stored, sentId: id });
      onSent?.(stored);
    } catch (error) {
      const status = error instanceof RequestError ? error.status : 500;
      const nextId = status === CONFLICT ? newMessageId() : id;
      dispatch({ type: "failed", id, rejected: status < 500, nextId });
      const failure = failureMessage(error);
      if (failure !== null) showToast("error", failure);
    }
  };
  return { typing, send };
}

/** Person who is typing; `isStaff` is a colleague in the console, and the shop for the visitor. */
export interface Typist {
  senderName: string;
  isStaff: boolean;
}

/** Holds the person who is typing, for 3 s after each event. */
function useTypist() {
  const [typist, set] = useState<Typist | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const setTypist = useCallback((next: Typist | null) => {
    clearTimeout(timer.current);
    set(next);
    if (next !== null) timer.current = setTimeout(() => set(null), TYPING_INDICATOR_MS);
  }, []);
  return [typist, setTypist] as const;
}
