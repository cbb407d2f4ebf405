import { type MutableRefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { newClientId } from "~/features/chat/client-id";
import { CLOSED } from "~/features/chat/limits";
import type {
  ChatMessage,
  ClientEvent,
  ProductCard,
  QuotedMessage,
  ReadMark,
  ReadMarks,
  ServerEvent,
} from "~/features/chat/protocol";
import { laterMarks, NOTHING_READ } from "~/features/chat/read-marks";
import { useLatest } from "~/ui/latest";
import { dismissToast, showToast } from "~/ui/Toasts";
import { postMessage, RequestError } from "./api";
import {
  type Connection,
  type ConnectionState,
  connect,
  retryConnections,
  useRetryOnNavigation,
} from "./connection";
import {
  type Action,
  lastContiguousSeq,
  type MessageStore,
  messageReducer,
  type UnsentMessage,
} from "./message-store";
import { typingNotifier, useTypists } from "./typing";
import { type Deliver, useFileSending } from "./useFileSending";

const CONFLICT = 409;
/** Statuses that sending again does not change: invalid, too large, of an unsupported type. */
const FINAL = new Set([400, 413, 415]);

interface ConversationOptions {
  /** null before a chat has started: the connection is the lobby's. */
  chatId: string | null;
  /** Delays the connection until the chat id is final. */
  isPending?: boolean;
  /** The reader may write to the chat, so that unsent messages are sent once it is connected. */
  isKnown?: boolean;
  sender: { isFromAdmin: boolean; name: string };
  /** Path of the visitor's page, which staff see while the visitor is there. */
  page?: string;
  initialStore(): MessageStore;
  /** Returns the text of the toast for a message that was not sent; null for none. */
  failureMessage(error: unknown): string | null;
  onStateChange?(state: ConnectionState): void;
  onEvent?(event: ServerEvent): void;
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
  const [typists, onTyping, removeTypists] = useTypists();
  const [reads, advanceReads] = useReadMarks();
  const [state, setState] = useState<ConnectionState>("connecting");
  const connection = useRef<Connection | null>(null);
  const onEvent = (received: ServerEvent) => {
    options.onEvent?.(received);
    if ("chatId" in received.data && received.data.chatId === chatId) onChatEvent(received);
  };
  const onChatEvent = ({ event, data }: ServerEvent) => {
    if (event === "new-message") {
      dispatch({ type: "stored", message: data });
      if (data.isFromAdmin !== sender.isFromAdmin) removeTypists(data.isFromAdmin);
    }
    if (event === "read") advanceReads({ [data.by]: data });
    if (event === "user-typing" && (sender.isFromAdmin || data.isStaff)) onTyping(data);
  };
  const latest = useLatest({ options, store, onEvent });
  useEffect(() => {
    if (isPending) return;
    connection.current = connect({
      query: () => connectionQuery(chatId, latest.current.store),
      joinEvent: (visible) => joinEvent(latest.current.options, visible),
      onEvent: (event) => latest.current.onEvent(event),
      onStateChange(next) {
        setState(next);
        latest.current.options.onStateChange?.(next);
      },
      onEnd: (code) => code === CLOSED.chatGone && latest.current.options.onDeleted?.(),
    });
    return () => connection.current?.close();
  }, [chatId, isPending, latest]);
  const sending = useSending(options, store.unsent, connection, dispatch);
  useResend(state === "connected" && (options.isKnown ?? true), store.unsent, sending.resend);
  const reconnect = useCallback(() => connection.current?.reconnect(), []);
  return { store, dispatch, reads, advanceReads, state, reconnect, typists, ...sending };
}

const connectionQuery = (chatId: string | null, store: MessageStore) =>
  chatId ? `chat=${encodeURIComponent(chatId)}&after=${lastContiguousSeq(store)}` : "";

/** Returns the event by which a visitor reports their page, and that it is visible, or not. */
const joinEvent = ({ chatId, sender, page }: ConversationOptions, visible: boolean): ClientEvent | null =>
  chatId && !sender.isFromAdmin ? { event: "join-chat", data: { chatId, visible, page } } : null;

/** Reports each page that the visitor goes to; the first is reported when the connection opens. */
function usePageReport(options: ConversationOptions, connection: MutableRefObject<Connection | null>): void {
  const latest = useLatest(options);
  const { page } = options;
  useEffect(() => {
    const event = page && joinEvent(latest.current, document.visibilityState === "visible");
    if (event) connection.current?.send(event);
  }, [page, latest, connection]);
}

/** Sends a text. @param id by default a new one; an earlier one sends the same message again */
type Send = (message: string, id?: string, card?: ProductCard, replyTo?: QuotedMessage) => Promise<void>;

/** Sends the visitor's page, typing events and messages; a message is in the store before the server confirms it. */
function useSending(
  options: ConversationOptions,
  unsent: UnsentMessage[],
  connection: MutableRefObject<Connection | null>,
  dispatch: (action: Action) => void,
) {
  const { chatId, sender, failureMessage, onSent } = options;
  const { name: senderName, isFromAdmin } = sender;
  usePageReport(options, connection);
  useRetryOnNavigation();
  const typing = useMemo(() => {
    const data = { chatId: chatId ?? "", senderName };
    return typingNotifier((event) => chatId && connection.current?.send({ event, data }));
  }, [chatId, connection, senderName]);
  const deliver: Deliver = async (id, post, signal) => {
    try {
      const stored = await post();
      dismissToast(id);
      retryConnections();
      dispatch({ type: "stored", message: stored, sentId: id });
      onSent?.(stored);
    } catch (error) {
      if (signal?.aborted) return;
      const failure = failureMessage(error);
      dispatch(failed(id, error, failure));
      if (failure !== null) showToast("error", failure, { subject: id });
    }
  };
  const send: Send = async (message, id = newClientId(), card, replyTo) => {
    typing.stop();
    if (!chatId || !message.trim()) return;
    const sent = { id, message, card };
    dispatch({ type: "sending", ...sent, replyTo, sentAt: Math.floor(Date.now() / 1000) });
    await deliver(id, () => postMessage({ ...sent, chatId, senderName, isFromAdmin, replyTo: replyTo?.id }));
  };
  const { sendFile, cancel } = useFileSending({ chatId, senderName, isFromAdmin, unsent, deliver, dispatch });
  const resend = ({ id, message, card, file, replyTo }: UnsentMessage) =>
    file ? sendFile(file, id, replyTo) : send(message, id, card, replyTo);
  return { typing, send, sendFile, resend, cancel };
}

/** Message with its files. */
interface Composed {
  /** "" for files alone. */
  message: string;
  card?: ProductCard | undefined;
  files: { file: File; id: string }[];
  replyTo: QuotedMessage | undefined;
}

/** Sends a text or a product, then its files in their order. The first file replies where there is no text. */
export async function sendAll(
  { send, sendFile }: Pick<Conversation, "send" | "sendFile">,
  { message, card, files, replyTo }: Composed,
): Promise<void> {
  if (message) await send(message, undefined, card, replyTo);
  for (const [i, { file, id }] of files.entries())
    void sendFile(file, id, message || i ? undefined : replyTo);
}

/** Creates the action of a failed message. @param failure message for the reader */
function failed(id: string, error: unknown, failure: string | null): Action {
  const status = error instanceof RequestError ? error.status : 500;
  const nextId = status === CONFLICT ? newClientId() : id;
  const reason = FINAL.has(status) ? failure : null;
  return { type: "failed", id, rejected: status < 500, nextId, ...(reason !== null && { reason }) };
}

/** Resends failed messages in order once the connection is back, except those that the server rejected. */
function useResend(
  isReady: boolean,
  unsent: UnsentMessage[],
  resend: (message: UnsentMessage) => Promise<void>,
): void {
  const latest = useLatest({ unsent, resend });
  useEffect(() => {
    if (!isReady) return;
    let isCancelled = false;
    const resendAll = async () => {
      const failed = latest.current.unsent.filter((message) => message.failed && !message.rejected);
      for (const message of failed) if (!isCancelled) await latest.current.resend(message);
    };
    void resendAll();
    return () => {
      isCancelled = true;
    };
  }, [isReady, latest]);
}

/** Holds the read marks of a conversation; `advance` applies newer ones. */
function useReadMarks() {
  const [marks, setMarks] = useState<ReadMarks>(NOTHING_READ);
  const advance = useCallback(
    (next: { [side in keyof ReadMarks]?: ReadMark }) => setMarks((current) => laterMarks(current, next)),
    [],
  );
  return [marks, advance] as const;
}
