import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import {
  lazy,
  type MutableRefObject,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { reportAnswers } from "~/features/chat/open-chat";
import type { ChatMessage, QuotedMessage } from "~/features/chat/protocol";
import { quoteOf } from "~/features/chat/quotes";
import { authorLabel } from "~/features/chat/staff-label";
import { NotifyMe } from "~/features/push/NotifyMe";
import { loadStyles } from "~/ui/load-styles";
import { showToast } from "~/ui/Toasts";
import { readLatestChatId } from "../client/api";
import { retryConnections } from "../client/connection";
import { clearStorage, storeChat } from "../client/panel-storage";
import { type PanelView, type StoredChat, storedChat } from "../client/storage";
import { moveTextToNewChat } from "../client/unsent";
import type { Attachment } from "../client/useAttachments";
import { sendAll } from "../client/useConversation";
import { ReplyBar } from "../quote-parts";
import {
  AskedProductBar,
  type AskedState,
  FirstQuestions,
  useAskedProduct,
  useStoredAsked,
} from "./AskedProduct";
import type { OpenRequest } from "./ChatWidget";
import { Composer, StartDetails } from "./Composer";
import chatCss from "./chat.css?url";
import type { Introduction as IntroductionPart } from "./Introduction";
import { type LoadedContent, Messages } from "./Messages";
import { Bar, Panel, useIsStaff } from "./Panel";
import { useSingleClicks } from "./single-clicks";
import { useIntroduction } from "./useIntroduction";
import { type Focus, useFocusReturn, useView } from "./useView";
import {
  type CloseReason,
  useStoredState,
  useUnread,
  useVisitorChat,
  type VisitorChat,
} from "./useVisitorChat";

/** State of the panel that the button displays. */
export interface PanelState {
  view: PanelView;
  /** The shop is online, and connected. */
  isOnline: boolean;
}

export interface PanelProps {
  request: OpenRequest | null;
  /** Clears the request. */
  onHandled(): void;
  /** Button that takes the focus when the panel closes, where the element that opened it has left. */
  button: RefObject<HTMLElement>;
  /** View as the button shows it. */
  shown: PanelView;
  onState(state: PanelState): void;
}

/** Loaded when something is asked. */
const Introduction = lazy(() =>
  import("./Introduction").then(
    (parts) => ({ default: parts.Introduction }),
    () => ({ default: NOTHING }),
  ),
);
const NOTHING: typeof IntroductionPart = () => <></>;

/** Loads the panel's style sheet. */
export const loadPanelStyles = () => loadStyles(chatCss);

/** Chat panel: closed, open, or minimised to a bar. It stays connected while closed, for the button's badge. */
export function ChatPanel({ request, onHandled, button, shown, onState }: PanelProps) {
  useSingleClicks();
  const opener = useFocusReturn(shown, button);
  const [chat, setChat] = useStoredChat();
  const [closeReason, setCloseReason] = useState<CloseReason | null>(null);
  const { showPage, ...frame } = useView(opener);
  const { setView } = frame;
  const { setSearching, ...lookup } = useChatLookup(request !== null);
  const asked = useStoredAsked(request, chat !== null);
  useHeaderLink(chat !== null);
  const started = useRef<StartedChat | null>(null);
  const requestedId = useRef<string>();
  useEffect(() => {
    if (!request) return;
    onHandled();
    // A form of the page may have written to the open chat.
    retryConnections();
    setCloseReason(null);
    requestedId.current = request.chatId;
    setView("open");
    const stored = storedChat();
    const knownId = request.chatId ?? (stored?.isOver ? null : stored?.chatId);
    setSearching(!knownId);
    if (knownId) return setChat(resumedChat(knownId));
    void readLatestChatId().then((chatId) => {
      setChat(chatId ? resumedChat(chatId) : null);
      setSearching(false);
    });
  }, [request, onHandled, setView, setChat, setSearching]);
  const onClosed = (reason: CloseReason) => {
    if (reason === "forbidden" && requestedId.current) showToast("error", "Unable to open support chat.");
    if (chat && reason === "deleted") moveTextToNewChat(chat.chatId);
    if (reason === "forbidden") clearStorage();
    setCloseReason(reason);
    setChat(null);
  };
  const props = { chat, setChat, ...lookup, closeReason, onClosed, ...frame, onState };
  return <OneChat key={chat?.chatId} {...props} asked={asked} started={started} showPage={showPage} />;
}

/** Chat that was started in the panel, until it is loaded. */
interface StartedChat extends Pick<VisitorChat, "answerer" | "isOnline"> {
  chatId: string;
  /** First message; "" without one. */
  text: string;
  /** Files of the first message. */
  files: Attachment[];
}

/** Loads the shop's header again when the reader's first chat has started: it links to their conversations. */
function useHeaderLink(hasChat: boolean): void {
  const shop = useRouteLoaderData("routes/_shop") as { answers: { hasChats: boolean } } | undefined;
  const { revalidate } = useRevalidator();
  const isLinkMissing = hasChat && shop?.answers.hasChats === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each start
  useEffect(() => {
    if (isLinkMissing) revalidate();
  }, [isLinkMissing]);
}

interface OneChatProps extends Pick<PanelProps, "onState"> {
  asked: AskedState;
  chat: StoredChat | null;
  setChat(chat: StoredChat | null): void;
  started: MutableRefObject<StartedChat | null>;
  /** Shows the page behind the panel, where it is covered. */
  showPage(): void;
  /** The reader's latest chat is being looked up. */
  isSearching: boolean;
  /** Delays the connection. */
  isPending: boolean;
  closeReason: CloseReason | null;
  onClosed(reason: CloseReason): void;
  view: PanelView;
  setView(view: PanelView): void;
  takesFocus: MutableRefObject<Focus>;
}

function OneChat({ chat, setChat, isSearching, isPending, closeReason, onClosed, ...props }: OneChatProps) {
  const { started, asked, showPage, ...frame } = props;
  const question = { asked, showPage };
  const { view, onState } = frame;
  const first = started.current?.chatId === chat?.chatId ? started.current : null;
  const visitorChat = useVisitorChat(chat?.chatId ?? null, onClosed, { isPending, known: first });
  const { isOnline, answerer, state } = visitorChat;
  const isAnswered = isOnline === true && state === "connected";
  const { unread, unreadElsewhere, ...read } = useUnread(chat, visitorChat);
  useStoredState(chat, { ...visitorChat, ...read, view }, setChat);
  useEffect(() => reportAnswers(unread), [unread]);
  useEffect(() => onState({ view, isOnline: isAnswered }), [onState, view, isAnswered]);
  if (view === "closed") return null;
  if (view === "bar") return <Bar {...frame} chat={visitorChat} unread={unread} />;
  return (
    <Panel {...frame} chat={visitorChat} isSearching={isSearching}>
      {unreadElsewhere > 0 && <OtherChats />}
      {chat ? (
        <ChatContent {...question} chatId={chat.chatId} chat={visitorChat} first={first} />
      ) : isSearching ? (
        <p className="chat-day">One moment...</p>
      ) : (
        <StartDetails
          {...question}
          closeReason={closeReason}
          isOnline={isOnline}
          greeting={visitorChat.greeting}
          onStarted={(chatId, text, files) => {
            started.current = { chatId, text, files, answerer, isOnline };
            props.takesFocus.current = "field";
            setChat({ chatId, seen: 0 });
          }}
        />
      )}
    </Panel>
  );
}

function OtherChats() {
  return (
    <p className="chat-note">
      <a className="chat-link" href="/chat">
        New answers in your other conversations
      </a>
    </p>
  );
}

interface ChatContentProps {
  chatId: string;
  chat: VisitorChat;
  asked: AskedState;
  first?: Pick<StartedChat, "text" | "files"> | null;
  /** Content that the chat's page came with. */
  loaded?: LoadedContent | undefined;
  /** Shows the page behind the panel, where it is covered. */
  showPage?: () => void;
}

/** Product that the visitor asks about, messages of a chat, and the input field. */
export function ChatContent({ chatId, chat, asked: state, loaded, first, showPage }: ChatContentProps) {
  const isStaff = useIsStaff();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the chat has started
  useEffect(() => {
    for (const { file, id } of first?.files.splice(0) ?? []) void chat.sendFile(file, id);
  }, []);
  const { products, about, ...asked } = useAskedProduct(state, chat.store, loaded?.products);
  const reply = useReply(loaded?.replyTo);
  const onSend = (text: string, files: Attachment[], isFirst?: boolean) => {
    const { message, card } = about(text, files.length > 0, isFirst);
    void sendAll(chat, { message, card, files, replyTo: reply.replyTo });
    reply.clear();
    return true;
  };
  const introduction = useIntroduction(chatId, chat, isStaff);
  const isLineAsking = introduction.question === "userEmail";
  return (
    <>
      <AskedProductBar {...asked} showPage={showPage} />
      <Messages
        {...chat}
        products={products}
        loaded={loaded}
        firstText={first?.text}
        question={introduction.question}
        onReply={reply.onReply}
      >
        <Suspense>{introduction.isShown && <Introduction {...introduction} />}</Suspense>
      </Messages>
      <div>
        {!isStaff && !isLineAsking && <NotifyMe chatId={chatId} onChange={introduction.onNotified} />}
        <FirstQuestions {...asked} onAsk={(question) => onSend(question, [], true)} />
        <ReplyTo {...reply} answerer={chat.answerer} back={`/chat/${chatId}`} />
        <Composer chatId={chatId} placeholder="Type your message..." typing={chat.typing} onSend={onSend} />
      </div>
    </>
  );
}

/** Holds the message to which the next one replies. */
function useReply(initial: QuotedMessage | undefined) {
  const [replyTo, setReplyTo] = useState(initial);
  const onReply = (message: ChatMessage) => {
    setReplyTo(quoteOf(message));
    document.querySelector<HTMLElement>(".chat-write textarea")?.focus();
  };
  return { replyTo, onReply, clear: () => setReplyTo(undefined) };
}

interface ReplyToProps extends Pick<ReturnType<typeof useReply>, "replyTo" | "clear"> {
  answerer: VisitorChat["answerer"];
  back: string;
}

/** Message to which the next one replies, with its writer as the visitor reads them. */
const ReplyTo = ({ replyTo, clear, answerer, back }: ReplyToProps) =>
  replyTo && <ReplyBar quoted={replyTo} by={authorLabel(replyTo, answerer)} back={back} onCancel={clear} />;

function useStoredChat() {
  const [chat, set] = useState(storedChat);
  const setChat = useCallback((next: StoredChat | null) => {
    storeChat(next);
    set(next);
  }, []);
  return [chat, setChat] as const;
}

/** Tracks the lookup of the latest chat. The first one delays the connection; later ones keep the open connection. */
function useChatLookup(hasRequest: boolean) {
  const [isSearching, setSearching] = useState(hasRequest);
  const isPending = useRef(hasRequest);
  isPending.current &&= isSearching;
  return { isSearching, isPending: isPending.current, setSearching };
}

/** Keeps the read position of a chat that is opened again. */
function resumedChat(chatId: string): StoredChat {
  const stored = storedChat();
  return stored?.chatId === chatId ? stored : { chatId, seen: 0 };
}
