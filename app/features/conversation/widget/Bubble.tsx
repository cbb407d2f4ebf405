import { dollars } from "~/domain/money";
import { ChosenOptions } from "~/features/catalogue/ChosenOptions";
import { EngravedPicture } from "~/features/catalogue/EngravedPicture";
import { nameWithOptions } from "~/features/catalogue/options";
import { listsCart, messageParts, type ProductMap, totalOf } from "~/features/chat/message-links";
import type { ChatMessage, QuotedMessage } from "~/features/chat/protocol";
import type { Answerer } from "~/features/chat/rooms";
import { authorLabel } from "~/features/chat/staff-label";
import { formatMessageTime } from "~/features/chat/time";
import type { ChatSaleCards } from "~/features/sales/cards/SaleCards";
import { visitorActions } from "~/features/sales/cards/visitor-actions";
import { Link } from "~/ui/navigation";
import { MessageContent, ProductCard } from "../message-parts";
import type { CartSnapshot } from "../pages.server";
import { anchorOf, Quote, ReplyLink } from "../quote-parts";

interface BubbleProps {
  message: ChatMessage;
  products: ProductMap;
  /** Origin of the shop, whose product links are drawn as cards. */
  origin: string;
  /** Lines that the chat asks for, which replace the text that lists them. */
  cart?: CartSnapshot | null | undefined;
  /** Holds, quotes and receipts, which replace the text that says the same. */
  sales?: Pick<ChatSaleCards, "data"> & Partial<ChatSaleCards>;
  /** Person who answers; null while unknown. */
  answerer: Answerer | null;
  /** Delivery state, displayed after the time. */
  state?: string | undefined;
  /** Quotes the message in the next one; by a page of its own where it is missing. */
  onReply?: ((message: ChatMessage) => void) | undefined;
  /** Formatted time; default: the browser's time zone. */
  time?: string | undefined;
}

/** Message bubble: the seller's on the left, the visitor's on the right. */
export function Bubble(props: BubbleProps) {
  const { message, products, origin, cart, sales, answerer, onReply, state, time } = props;
  const { seconds } = message.timestamp;
  const parts = messageParts(message, products, origin);
  const lineOf = (id: string | undefined) => cart?.lines.find(({ productId }) => productId === id);
  const hasCart = cart && listsCart(message);
  // A line shows what those of the text below the first say.
  const text = lineOf(parts.products[0]?.id) ? parts.text.replace(/\n.*/s, "") : parts.text;
  return (
    <div className={message.isFromAdmin ? "chat-msg" : "chat-msg me"} id={anchorOf(message)}>
      <span className="chat-author">
        <span>
          {authorLabel(message, answerer)},{" "}
          <time dateTime={new Date(seconds * 1000).toISOString()}>{time ?? formatMessageTime(seconds)}</time>
          {state && `, ${state}`}
        </span>{" "}
        <ReplyLink
          to={`/chat/${message.chatId}?reply=${encodeURIComponent(message.id)}#latest`}
          onReply={onReply && (() => onReply(message))}
        />
      </span>
      <VisitorQuote quoted={message.replyTo} answerer={answerer} />
      {hasCart && <CartCard cart={cart} message={message.message} />}
      <MessageContent
        className="chat-bubble"
        text={hasCart ? "" : text}
        cards={message.cards}
        sales={sales?.data}
        actions={visitorActions(message.chatId, sales?.refresh)}
      >
        {parts.products.map((product) => (
          <ProductCard key={product.id} product={product} line={lineOf(product.id)} />
        ))}
      </MessageContent>
    </div>
  );
}

interface VisitorQuoteProps extends Pick<BubbleProps, "answerer"> {
  quoted: QuotedMessage | undefined;
}

/** Message to which another one replies, with its writer as the visitor reads them. */
export const VisitorQuote = ({ quoted, answerer }: VisitorQuoteProps) =>
  quoted && <Quote quoted={quoted} by={authorLabel(quoted, answerer)} />;

/** Line after the messages of a conversation that the shop has closed. */
export const ClosedNote = () => <p className="chat-day">This conversation was closed. Write to reopen it.</p>;

/** Cart that was asked for, under the first line of the message. */
function CartCard({ cart, message }: { cart: CartSnapshot; message: string }) {
  const lines = cart.lines.filter(({ inCart }) => inCart !== false);
  return (
    <div className="chat-cart-snapshot">
      <p>{message.split("\n- ", 1)[0]}</p>
      <ul>
        {lines.map(
          ({ productId, name, path, quantity, priceCents, image, plate, swatch, isListed, ...chosen }) => (
            <li key={nameWithOptions(productId, chosen)}>
              <EngravedPicture {...{ image, plate }} words={chosen.engraving} sizes="40px" width={40} />
              <span>
                {isListed ? <Link to={path}>{name}</Link> : <b>{name}</b>}
                {`${quantity} × ${dollars(priceCents)}`}
                <ChosenOptions chosen={chosen} swatch={swatch} />
              </span>
              <b>{dollars(priceCents * quantity)}</b>
            </li>
          ),
        )}
      </ul>
      <p className="chat-total">
        <span>Total</span> {dollars(totalOf(lines))}
      </p>
    </div>
  );
}
