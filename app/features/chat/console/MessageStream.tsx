import type { ReactNode } from "react";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import type { UnsentMessage } from "../client/message-store";
import type { Conversation } from "../client/useConversation";
import { useProducts } from "../client/useProducts";
import { SUPPORT_TEAM } from "../limits";
import { MessageText } from "../MessageText";
import { type CardProduct, latestProductIds, type MessageParts, messageParts } from "../message-links";
import type { ChatMessage, ProductCard } from "../protocol";
import { ProductLink, Stock } from "./CartCard";
import type { ConsoleData } from "./page.server";
import { dayName, timeOfDay } from "./time-format";

interface MessageStreamProps {
  conversation: Conversation;
  customerName: string;
  onRetry: (message: string, card?: ProductCard) => void;
  /** Time, products, and the origin of the shop, whose product links are drawn as cards. */
  page: Pick<ConsoleData, "now" | "timezone" | "origin" | "products">;
}

/** Messages of a conversation: the seller's on the right, the customer's on the left. */
export function MessageStream({ conversation, customerName, onRetry, page }: MessageStreamProps) {
  const { now, timezone, origin } = page;
  const { store, typist } = conversation;
  const { messages, unsent } = store;
  const products = useProducts(latestProductIds(messages, origin), page.products);
  const partsOf = (message: Pick<ChatMessage, "message" | "cards">) =>
    messageParts(message, products, origin);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container needs keyboard access
    <div className="message-stream" role="log" aria-label="Messages" tabIndex={0}>
      <div className="message-stream-items">
        {messages.map((message, i) => {
          const day = dayName(message.timestamp.seconds, now, timezone);
          const previous = messages[i - 1];
          const isNewDay = !previous || dayName(previous.timestamp.seconds, now, timezone) !== day;
          return (
            <StoredMessage
              key={message.id}
              message={message}
              parts={partsOf(message)}
              day={isNewDay ? day : null}
              timezone={timezone}
            />
          );
        })}
        {unsent.map((message) => (
          <Unsent
            key={message.id}
            message={message}
            parts={partsOf({ message: message.message, ...(message.card && { cards: [message.card] }) })}
            timezone={timezone}
            onRetry={() => onRetry(message.message, message.card)}
          />
        ))}
        {typist !== null && <TypingIndicator name={typist.isStaff ? typist.senderName : customerName} />}
      </div>
    </div>
  );
}

function TypingIndicator({ name }: { name: string }) {
  return (
    <div className="message typing">
      <span className="message-author">
        <b>{name}</b>is typing
      </span>
      <p aria-hidden="true">
        <i />
        <i />
        <i />
      </p>
    </div>
  );
}

interface StoredMessageProps {
  message: ChatMessage;
  parts: MessageParts;
  /** Heading above the first message of a day. */
  day: string | null;
  timezone: string;
}

function StoredMessage({ message, parts, day, timezone }: StoredMessageProps) {
  return (
    <>
      {day && <span className="message-day">{day}</span>}
      <Bubble isMine={message.isFromAdmin} by={message.senderName} parts={parts}>
        <time dateTime={new Date(message.timestamp.seconds * 1000).toISOString()}>
          {timeOfDay(message.timestamp.seconds, timezone)}
        </time>
      </Bubble>
    </>
  );
}

interface UnsentProps {
  message: UnsentMessage;
  parts: MessageParts;
  timezone: string;
  onRetry: () => void;
}

function Unsent({ message, parts, timezone, onRetry }: UnsentProps) {
  return (
    <Bubble isMine by={SUPPORT_TEAM} parts={parts} isUnsent={message.failed}>
      {message.sentAt !== undefined && <time>{timeOfDay(message.sentAt, timezone)}</time>}
      {message.failed ? (
        <>
          <span>Not sent</span>
          <button type="button" className="retry-link" onClick={onRetry}>
            Try again
          </button>
        </>
      ) : (
        <span>Sending...</span>
      )}
    </Bubble>
  );
}

interface BubbleProps {
  isMine: boolean;
  by: string;
  parts: MessageParts;
  isUnsent?: boolean;
  children: ReactNode;
}

function Bubble({ isMine, by, parts, isUnsent = false, children }: BubbleProps) {
  return (
    <div className={`message${isMine ? " me" : ""}${isUnsent ? " unsent" : ""}`}>
      <span className="message-author">
        <b>{by}</b>
        {children}
      </span>
      {parts.text && (
        <p>
          <MessageText text={parts.text} />
        </p>
      )}
      {parts.products.map((product) => (
        <MessageProduct key={product.id} product={product} />
      ))}
    </div>
  );
}

/** Product in the seller's conversation, with its current price and stock. */
function MessageProduct({ product: { id, name, priceCents, stock, image } }: { product: CardProduct }) {
  return (
    <div className="message-product">
      <Picture image={image} alt="" sizes="40px" width={40} />
      <b>
        <ProductLink id={id} name={name} />
      </b>
      <span className="message-product-price">{dollars(priceCents)}</span>
      <Stock left={stock} />
    </div>
  );
}
