import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { joinPictures } from "~/features/chat/files";
import type { Question } from "~/features/chat/introduction";
import {
  type CardProduct,
  findPurchases,
  messageParts,
  type ProductMap,
} from "~/features/chat/message-links";
import type { ChatMessage, QuotedMessage } from "~/features/chat/protocol";
import { lastRead } from "~/features/chat/read-marks";
import { staffLabel } from "~/features/chat/staff-label";
import { formatMessageTime } from "~/features/chat/time";
import type { SaleCardsData } from "~/features/sales/cards/card-data";
import { useSaleCards } from "~/features/sales/cards/SaleCards";
import { WaitingQuote } from "~/features/sales/cards/visitor-actions";
import { readCart } from "../client/api";
import { isTextOnly, type UnsentMessage } from "../client/message-store";
import { UnsentFiles } from "../message-parts";
import type { CartSnapshot } from "../pages.server";
import { useLargePicture } from "../useLargePicture";
import { Bubble, ClosedNote, VisitorQuote } from "./Bubble";
import type { VisitorChat } from "./useVisitorChat";

/** Products, cart and cards that the chat's page came with. */
export interface LoadedContent {
  products: CardProduct[];
  cart: CartSnapshot | null;
  sales: SaleCardsData | null;
  /** Message to which the next one replies. */
  replyTo?: QuotedMessage | undefined;
}

type MessagesProps = VisitorChat & {
  products: ProductMap;
  loaded?: LoadedContent | undefined;
  /** Message that has just started the chat, displayed until it is loaded. */
  firstText?: string | undefined;
  /** Open question of the introduction, which stands after the messages. */
  question: Question | null;
  onReply(message: ChatMessage): void;
  children?: ReactNode;
};

/** Message log with unsent messages and the typing indicator. */
export function Messages(props: MessagesProps) {
  const { store, reads, typists, state, resend, cancel, products, loaded } = props;
  const messages = useMemo(() => joinPictures(store.messages), [store.messages]);
  const purchases = findPurchases(messages);
  const cart = useCart([...purchases].at(-1), loaded?.cart ?? null);
  const sales = useSaleCards(messages, loaded?.sales);
  const read = lastRead(messages, "visitor", reads);
  const isOffline = state !== "connected" && !navigator.onLine;
  const log = useScrolledToEnd(props, cart, sales.data);
  const viewer = useLargePicture();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container needs keyboard access
    <div className="chat-log" role="log" aria-label="Messages" tabIndex={0} {...log}>
      <WaitingQuote data={sales.data} />
      {messages.map((message) => (
        <Bubble
          key={message.id}
          message={message}
          products={products}
          origin={window.location.origin}
          cart={purchases.has(message) ? cart : null}
          sales={sales}
          answerer={props.answerer}
          onReply={props.onReply}
          state={deliveryState(message, read, messages.at(-1))}
        />
      ))}
      <UnsentTexts {...props} isOffline={isOffline} />
      <UnsentFiles unsent={store.unsent} isOffline={isOffline} resend={resend} cancel={cancel} />
      {props.isClosed && <ClosedNote />}
      {props.children}
      {!props.isLoaded && <Loading {...props} />}
      {typists[0] && <TypingIndicator name={staffLabel(props.person)} />}
      {viewer}
    </div>
  );
}

/** Messages without files that the server has not stored. */
const UnsentTexts = ({
  store,
  products,
  answerer,
  isOffline,
  resend,
  cancel,
}: MessagesProps & { isOffline: boolean }) =>
  store.unsent
    .filter(isTextOnly)
    .map((message) => (
      <UnsentBubble
        key={message.id}
        message={message}
        isOffline={isOffline}
        text={messageParts(asMessage(message), products, window.location.origin).text}
        {...{ answerer, resend, cancel }}
      />
    ));

/** Scrolls to new content, which is at the bottom, and to a file's picture once it is drawn. @returns props of the log */
function useScrolledToEnd(chat: MessagesProps, cart: CartSnapshot | null, sales: unknown) {
  const { store, typists, state, products } = chat;
  const ref = useRef<HTMLDivElement>(null);
  const scroll = () => {
    if (ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  };
  const onLoadCapture = ({ target }: SyntheticEvent) =>
    target instanceof Element && target.closest(".unsent-file") && scroll();
  useFollowingEnd(ref);
  const failures = store.unsent.map(({ failed }) => failed).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is at the bottom
  useEffect(scroll, [
    store.messages,
    failures,
    typists,
    state,
    cart,
    products,
    sales,
    chat.isClosed,
    chat.question,
  ]);
  return { ref, onLoadCapture };
}

/** Distance from the end at which the log counts as read to the end, px. */
const END_GAP = 8;

/** Keeps the end of the log in view when its room changes, as by files attached below it. */
function useFollowingEnd(log: RefObject<HTMLElement>): void {
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const wasAtEnd = element.scrollHeight - element.scrollTop - height < END_GAP;
      height = element.clientHeight;
      if (wasAtEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [log]);
}

/** Describes whether a message of the visitor has been read: `seen 14:02`, or `sent` for the last one. */
function deliveryState(
  message: ChatMessage,
  read: ReturnType<typeof lastRead>,
  last: ChatMessage | undefined,
): string | undefined {
  if (message.id === read?.id) return `seen ${formatMessageTime(read.seconds)}`;
  return message === last && !message.isFromAdmin ? "sent" : undefined;
}

/** Adds the card of an unsent message to those that its text links to. */
const asMessage = ({ message, card }: UnsentMessage) => ({ message, ...(card && { cards: [card] }) });

/** Reads the cart; on failure the message text still lists it. */
function useCart(purchase: ChatMessage | undefined, loaded: CartSnapshot | null): CartSnapshot | null {
  const { chatId, id } = purchase ?? {};
  const [cart, setCart] = useState(() => (id ? { id, cart: loaded } : null));
  useEffect(() => {
    if (chatId && id)
      readCart(chatId).then(
        (read) => setCart({ id, cart: read }),
        () => undefined,
      );
  }, [chatId, id]);
  return cart?.id === id ? (cart?.cart ?? null) : null;
}

/** First message of a chat that is being loaded, or a placeholder. */
function Loading({ store, state, firstText }: MessagesProps) {
  if (store.messages.length > 0) return null;
  if (firstText) return <SendingBubble text={firstText} state="sending..." />;
  return state.startsWith("connect") && <p className="chat-day">One moment...</p>;
}

interface UnsentBubbleProps extends Pick<VisitorChat, "answerer" | "resend" | "cancel"> {
  message: UnsentMessage;
  /** Text without the line that names the product. */
  text: string;
  /** The message is sent once the connection is back. */
  isOffline: boolean;
}

function UnsentBubble({ message, text, answerer, isOffline, resend, cancel }: UnsentBubbleProps) {
  const isWaiting = isOffline && !message.rejected;
  const hasFailed = message.failed && !isWaiting;
  const decide = (act: () => unknown) => (event: MouseEvent) => {
    // The button is about to disappear with the focus on it.
    event.currentTarget.closest("section")?.querySelector("textarea")?.focus();
    act();
  };
  return (
    <SendingBubble
      text={text}
      quote={<VisitorQuote quoted={message.replyTo} answerer={answerer} />}
      state={isWaiting ? "waits for the connection" : hasFailed ? "not sent" : "sending..."}
      hasFailed={hasFailed}
    >
      {hasFailed && (
        <span>
          <button type="button" className="chat-link" onClick={decide(() => resend(message))}>
            Send again
          </button>{" "}
          <button type="button" className="chat-link" onClick={decide(() => cancel(message.id))}>
            Don't send
          </button>
        </span>
      )}
    </SendingBubble>
  );
}

interface SendingBubbleProps {
  text: string;
  /** Delivery state, displayed after the author. */
  state: string;
  hasFailed?: boolean;
  quote?: ReactNode;
  children?: ReactNode;
}

function SendingBubble({ text, state, hasFailed = false, quote, children }: SendingBubbleProps) {
  return (
    <div className="chat-msg me">
      <span className="chat-author">You, {state}</span>
      {quote}
      <p className={`chat-bubble ${hasFailed ? "chat-bubble-failed" : "chat-bubble-sending"}`}>{text}</p>
      {children}
    </div>
  );
}

function TypingIndicator({ name }: { name: string }) {
  return (
    <div className="chat-msg">
      <span className="chat-author">{`${name} is writing`}</span>
      <p className="chat-bubble chat-bubble-typing" aria-hidden="true">
        <i />
        <i />
        <i />
      </p>
    </div>
  );
}
