import { useLocation, useRevalidator } from "@remix-run/react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { consoleUrl } from "~/features/chat/console-params";
import { NEW_CUSTOMER, SUPPORT_TEAM } from "~/features/chat/limits";
import { latestRequest } from "~/features/chat/message-links";
import type { ChatMessage, QuotedMessage } from "~/features/chat/protocol";
import { quoteOf } from "~/features/chat/quotes";
import type { History } from "~/features/chat/rooms";
import { RequestError } from "~/features/conversation/client/api";
import {
  type Action,
  initialStore,
  isTextOnly,
  type UnsentMessage,
} from "~/features/conversation/client/message-store";
import { useConversation } from "~/features/conversation/client/useConversation";
import { SaleActions } from "~/features/sales/cards/ColumnSales";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { type Unread, UnreadCount } from "~/ui/UnreadCount";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { useAttachedProduct } from "./AttachedProduct";
import { MessageStream } from "./MessageStream";
import type { ConsoleData } from "./page.server";
import { quickResponses } from "./QuickResponses";
import { ReplyBox } from "./ReplyBox";
import { dateAndTime } from "./time-format";
import type { LiveConsole } from "./useConsole";
import { type LostChange, refusedChange } from "./useNotes";
import { VisitorColumn, VisitorLink } from "./VisitorColumn";
import { ChatActions } from "./VisitorHead";

interface ConversationProps {
  page: ConsoleData;
  history: History;
  live: LiveConsole;
  refused: RefusedForm | undefined;
}

/** Open conversation: header, cart, messages and reply field. */
export function Conversation({ page, history, live, refused }: ConversationProps) {
  const listed = live.chats.find(({ id }) => id === history.chat.id) ?? history.chat;
  const chat = { ...listed, userEmail: page.visitor?.account?.email ?? listed.userEmail };
  const { isQuick, setQuick, closeQuick } = useQuickResponses(page.params.isQuickOpen);
  const input = useRef<HTMLTextAreaElement>(null);
  useInitialFocus(input);
  const attached = useAttachedProduct(page, input);
  const conversation = useSellerConversation(history, live, page.userId);
  const reply = useReply(history.messages, page.params.reply, input);
  const customerName = chat.userName || NEW_CUSTOMER;
  useNewRequests(conversation.store.messages, history.messages, page.origin);
  return (
    <div className="conversation">
      <ConversationHeader page={page} chat={chat} unread={others(live.unread, chat.unreadCount)} />
      <VisitorLink page={page} />
      <SaleActions chatId={chat.id} sales={page.sales} />
      <MessageStream
        address={chat.userEmail}
        {...{ conversation, customerName, page, refused }}
        {...{ notes: live.notes, onNoteTyped: live.onNoteTyped }}
        onReply={reply.onReply}
      />
      <ReplyBox
        chatId={chat.id}
        {...{ page, input, refused, attached, reply, customerName }}
        responses={quickResponses(page, chat.userName)}
        isQuick={isQuick}
        onQuickOpened={() => setQuick(true)}
        onQuickChosen={() => setQuick(false)}
        onQuickClosed={closeQuick}
        lost={useLostChange(refused, live.lostChange, chat.id)}
        {...{ onNote: live.addNote, onNoteClosed: () => live.clearLost(chat.id) }}
        send={conversation.send}
        sendFile={conversation.sendFile}
        typing={conversation.typing}
      />
      <VisitorColumn page={page} history={history} chat={chat} visitorPage={conversation.page} />
    </div>
  );
}

/** Returns the latest change of a note of this chat that was taken back before it was saved. */
function useLostChange(refused: RefusedForm | undefined, lost: LostChange | null, chatId: string) {
  const last = useMemo(() => refusedChange(refused), [refused]) ?? lost;
  return last?.chatId === chatId ? last : null;
}

/** Message to which the next one replies. */
export type Reply = ReturnType<typeof useReply>;

/** Holds the message to which the next one replies. @param first id of one that the URL names */
function useReply(messages: ChatMessage[], first: string | null, input: RefObject<HTMLTextAreaElement>) {
  const [replyTo, set] = useState<QuotedMessage | undefined>(() => {
    const message = messages.find(({ id }) => id === first);
    return message && quoteOf(message);
  });
  return {
    replyTo,
    onReply(message: ChatMessage) {
      set(quoteOf(message));
      input.current?.focus();
    },
    clear: () => set(undefined),
  };
}

/** Loads the console again when the visitor asks for products, which the column and the next sale begin with. */
function useNewRequests(messages: ChatMessage[], loaded: ChatMessage[], origin: string): void {
  const { revalidate } = useRevalidator();
  const latest = latestRequest(messages, origin);
  const known = useRef(0);
  known.current = Math.max(known.current, latestRequest(loaded, origin));
  useEffect(() => {
    if (latest <= known.current) return;
    known.current = latest;
    revalidate();
  }, [latest, revalidate]);
}

/** Opens and closes the quick responses; closing them returns the focus to their button. */
function useQuickResponses(isOpen: boolean) {
  const [isQuick, setQuick] = useState(isOpen);
  const closeQuick = () => {
    setQuick(false);
    document.querySelector<HTMLElement>("[data-quick]")?.focus();
  };
  return { isQuick, setQuick, closeQuick };
}

/** History state of a navigation by shortcut, after which the next shortcut must not be typed into a field. */
export const NO_FOCUS = { isByShortcut: true };

/** Focuses the reply field of a chat that was opened, except on touch screens, whose keyboard would cover it. */
function useInitialFocus(input: RefObject<HTMLTextAreaElement>): void {
  const { state } = useLocation();
  const isByShortcut = (state as Partial<typeof NO_FOCUS> | null)?.isByShortcut === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat opens
  useEffect(() => {
    const isCovered = document.querySelector("dialog[open]") !== null;
    if (isByShortcut || isCovered || !matchMedia("(pointer: fine)").matches) return;
    input.current?.focus({ preventScroll: true });
  }, []);
}

const SEND_FAILED = "Failed to send message";
const REJECTED_FILE = [400, 413, 429];

/** Recognises the server's reason why a file was not sent. */
const isRefusedFile = (error: unknown): error is RequestError =>
  error instanceof RequestError && REJECTED_FILE.includes(error.status);

/** Connects the seller to a conversation and reports its connection and replies to the console. */
function useSellerConversation(
  { chat, messages: loaded, reads }: History,
  live: LiveConsole,
  userId: string,
) {
  const [page, setPage] = useState<string | null>(null);
  const conversation = useConversation({
    chatId: chat.id,
    sender: { isFromAdmin: true, name: SUPPORT_TEAM },
    onEvent: ({ event, data }) => event === "visitor-page" && setPage(data.page),
    // A new connection is told the page only where there is one.
    onStateChange: (next) => next !== "connected" && setPage(null),
    initialStore: () => initialStore(loaded, []),
    failureMessage: (error) =>
      navigator.onLine ? (isRefusedFile(error) && error.message) || SEND_FAILED : null,
    onSent({ message, timestamp }) {
      const listed = live.chats.find(({ id }) => id === chat.id) ?? chat;
      const sent = { lastMessage: message, lastMessageTime: timestamp, lastStaffId: userId } as const;
      live.updateChat({ ...listed, ...sent, lastSender: "staff", waitingSince: null });
    },
  });
  const { store, dispatch, advanceReads, state, reconnect } = conversation;
  const { setConversation } = live;
  useKeptReplies(`unsent-${userId}-${chat.id}`, store.unsent, dispatch);
  useEffect(() => dispatch({ type: "loaded", messages: loaded }), [dispatch, loaded]);
  useEffect(() => advanceReads(reads), [advanceReads, reads]);
  useEffect(() => setConversation({ state, reconnect }), [setConversation, state, reconnect]);
  useEffect(() => () => setConversation(null), [setConversation]);
  return { ...conversation, page };
}

/** Keeps the unsent replies of a conversation on this device; they are sent once it is opened and connected again. */
function useKeptReplies(key: string, unsent: UnsentMessage[], dispatch: (action: Action) => void): void {
  useEffect(() => {
    const sentAt = Math.floor(Date.now() / 1000);
    for (const { id, message, card, rejected } of readReplies(key)) {
      dispatch({ type: "sending", id, message, card, sentAt });
      dispatch({ type: "failed", id, rejected: rejected === true });
    }
  }, [key, dispatch]);
  useEffect(() => {
    const texts = unsent.filter(isTextOnly);
    storeDraft(key, texts.length > 0 ? JSON.stringify(texts) : "");
  }, [key, unsent]);
}

function readReplies(key: string): UnsentMessage[] {
  try {
    return JSON.parse(storedDraft(key) || "[]") as UnsentMessage[];
  } catch {
    return [];
  }
}

interface ConversationHeaderProps {
  page: ConsoleData;
  chat: History["chat"];
  /** Unread messages of the other chats. */
  unread: Unread;
}

const others = ({ count, isMore }: Unread, own: number): Unread => ({
  count: Math.max(0, count - own),
  isMore,
});

function ConversationHeader({ page, chat, unread }: ConversationHeaderProps) {
  const { params, timezone } = page;
  return (
    <header>
      <Link
        className="tool-button back"
        to={consoleUrl({ q: params.q, filter: params.filter, report: params.report })}
      >
        <Icon name="arrow-left" />
        <span className="visually-hidden">Back to chats</span>
        <UnreadCount {...unread} />
      </Link>
      <div className="grow">
        <h2 className="truncate">{chat.userName || NEW_CUSTOMER}</h2>
        <p>
          {chat.userEmail && `${chat.userEmail}, `}
          {`Started ${dateAndTime(chat.createdAt.seconds, timezone)}`}
        </p>
      </div>
      <ChatActions page={page} chat={chat} />
      <Link
        className="tool-button danger"
        title="Delete Chat"
        to={consoleUrl({ tab: params.tab, chat: chat.id, delete: chat.id })}
        preventScrollReset
      >
        <Icon name="trash-2" className="i s" />
        <span className="visually-hidden">Delete Chat</span>
      </Link>
    </header>
  );
}
