import { type ReactNode, useMemo } from "react";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { offerOf } from "~/features/catalogue/options";
import { choicePath } from "~/features/catalogue/unit-choice";
import { consoleUrl } from "~/features/chat/console-params";
import { joinPictures } from "~/features/chat/files";
import { cameByMail, NEW_CUSTOMER, SUPPORT_TEAM } from "~/features/chat/limits";
import { latestProductIds, type MessageParts, messageParts } from "~/features/chat/message-links";
import type { ChatMessage, ChatNote, QuotedMessage } from "~/features/chat/protocol";
import { lastRead } from "~/features/chat/read-marks";
import { useProducts } from "~/features/conversation/client/api";
import { isTextOnly, type UnsentMessage } from "~/features/conversation/client/message-store";
import type { Typist } from "~/features/conversation/client/typing";
import type { Conversation } from "~/features/conversation/client/useConversation";
import { CardOptions, CardPicture, MessageContent, UnsentFiles } from "~/features/conversation/message-parts";
import { anchorOf, Quote, ReplyLink } from "~/features/conversation/quote-parts";
import { useLargePicture } from "~/features/conversation/useLargePicture";
import type { SaleCardsData } from "~/features/sales/cards/card-data";
import type { CardActions } from "~/features/sales/cards/SaleCards";
import { staffActions, useConsoleCards } from "~/features/sales/cards/staff-actions";
import { useLowStock } from "~/ui/shop-numbers";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { FullMail, MailLink } from "./FullMail";
import { NoteBubble } from "./Notes";
import type { ConsoleData } from "./page.server";
import { dayName, timeOfDay } from "./time-format";
import { isNote, withNotes } from "./useNotes";

interface MessageStreamProps {
  conversation: Conversation;
  customerName: string;
  /** E-mail address of the visitor; "" while unknown. */
  address: string;
  notes: ChatNote[];
  onNoteTyped: (note: ChatNote, text: string) => void;
  /** Answer to a form of the page. */
  refused: RefusedForm | undefined;
  onReply: (message: ChatMessage) => void;
  /** Time, products, and the origin of the shop, whose product links are drawn as cards. */
  page: Pick<ConsoleData, "now" | "timezone" | "origin" | "products" | "sales" | "mail" | "userId">;
}

type TextAndCards = Pick<ChatMessage, "message" | "cards">;

/** Messages of a conversation: the seller's on the right, the customer's on the left. */
export function MessageStream(props: MessageStreamProps) {
  const { conversation, customerName, page } = props;
  const { timezone, origin } = page;
  const { store, typists, state, resend, cancel } = conversation;
  const messages = useMemo(() => joinPictures(store.messages), [store.messages]);
  const products = useProducts(latestProductIds(messages, origin), page.products);
  const partsOf = (one: TextAndCards) => messageParts(one, products, origin);
  const viewer = useLargePicture();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container needs keyboard access
    <div className="message-stream" role="log" aria-label="Messages" tabIndex={0}>
      <div className="message-stream-items">
        <EarlierNote first={messages[0]} />
        <Entries {...props} messages={messages} partsOf={partsOf} />
        {store.unsent.filter(isTextOnly).map((message) => (
          <Unsent
            key={message.id}
            message={message}
            parts={partsOf(withCards(message))}
            {...{ timezone, customerName, resend, cancel }}
          />
        ))}
        <UnsentFiles unsent={store.unsent} isOffline={isOffline(state)} resend={resend} cancel={cancel} />
        <TypingIndicator typists={typists} customerName={customerName} />
      </div>
      {viewer}
    </div>
  );
}

interface EntriesProps extends MessageStreamProps {
  messages: ChatMessage[];
  partsOf: (one: TextAndCards) => MessageParts;
}

/** Stored messages with the notes of staff among them. */
function Entries(props: EntriesProps) {
  const { messages, conversation, customerName, address, notes, onReply, page, partsOf } = props;
  const { timezone } = page;
  const entries = useMemo(() => withNotes(messages, notes), [messages, notes]);
  const sales = useConsoleCards(messages, page.sales?.cards);
  const read = lastRead(messages, "staff", conversation.reads);
  const dayOf = (one: ChatMessage | ChatNote | undefined) =>
    one ? dayName(one.timestamp.seconds, page.now, timezone) : null;
  const dayAt = (i: number) => (dayOf(entries[i]) === dayOf(entries[i - 1]) ? null : dayOf(entries[i]));
  return entries.map((entry, i) =>
    isNote(entry) ? (
      <NoteBubble
        key={`note-${entry.id}`}
        note={entry}
        day={dayAt(i)}
        timezone={timezone}
        isOwn={entry.staffId === page.userId}
        refused={props.refused}
        onTyped={props.onNoteTyped}
      />
    ) : (
      <StoredMessage
        key={entry.id}
        message={entry}
        parts={partsOf(entry)}
        day={dayAt(i)}
        {...{ customerName, address, sales, timezone, onReply, mail: mailOf(entry, page) }}
        seenAt={entry.id === read?.id ? read.seconds : undefined}
      />
    ),
  );
}

/** Returns the mail of a message, where it is shown in full. */
const mailOf = ({ id }: ChatMessage, { mail }: Pick<ConsoleData, "mail">) => (mail?.id === id ? mail : null);

/** Says that the answer of a very long conversation has its latest messages alone. */
const EarlierNote = ({ first }: { first: ChatMessage | undefined }) =>
  first && first.seq > 1 ? <span className="message-day">Earlier messages are left out</span> : null;

const isOffline = (state: Conversation["state"]) => state !== "connected" && !navigator.onLine;

const withCards = ({ message, card }: UnsentMessage): TextAndCards => ({
  message,
  ...(card && { cards: [card] }),
});

/** Shows who is typing, on the side where their message will stand. */
function TypingIndicator({ typists, customerName }: { typists: Typist[]; customerName: string }) {
  const colleagues = typists.filter(({ isStaff }) => isStaff).map(({ senderName }) => senderName);
  return (
    <>
      {typists.length > colleagues.length && <Typing names={[customerName]} side="" />}
      {colleagues.length > 0 && <Typing names={colleagues} side="me" />}
    </>
  );
}

function Typing({ names, side }: { names: string[]; side: "" | "me" }) {
  return (
    <div className={`message typing ${side}`}>
      <span className="message-author">
        <b>{names.join(", ")}</b>
        {names.length > 1 ? "are typing" : "is typing"}
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
  address: string;
  message: ChatMessage;
  /** Name that the visitor has given since; messages from before it have none. */
  customerName: string;
  parts: MessageParts;
  sales: SaleCardsData | null;
  /** Heading above the first message of a day. */
  day: string | null;
  timezone: string;
  /** Epoch seconds at which the visitor read the seller's messages up to this one. */
  seenAt: number | undefined;
  onReply: (message: ChatMessage) => void;
  /** Its mail, where that is shown in full. */
  mail: ConsoleData["mail"];
}

/** Returns the writer of a message, by the name that the visitor has given since. */
export const writerOf = ({ senderName }: Pick<ChatMessage, "senderName">, customerName: string) =>
  senderName === NEW_CUSTOMER ? customerName : senderName;

function StoredMessage(props: StoredMessageProps) {
  const { message, customerName, address, parts, sales, day, timezone, seenAt, onReply, mail } = props;
  return (
    <>
      {day && <span className="message-day">{day}</span>}
      <StaffBubble
        id={anchorOf(message)}
        isMine={message.isFromAdmin}
        by={writerOf(message, customerName)}
        quoted={message.replyTo}
        {...{ parts, sales, customerName }}
        cards={message.cards}
        actions={staffActions(message.chatId)}
      >
        {message.staffName && <span>{message.staffName}</span>}
        {cameByMail(message) && <MailLink message={message} isOpen={mail !== null} />}
        <time dateTime={new Date(message.timestamp.seconds * 1000).toISOString()}>
          {timeOfDay(message.timestamp.seconds, timezone)}
        </time>
        {seenAt !== undefined && <span>Seen {timeOfDay(seenAt, timezone)}</span>}
        <ReplyLink
          to={localTo(consoleUrl({ chat: message.chatId, reply: message.id }))}
          onReply={() => onReply(message)}
        />
      </StaffBubble>
      {mail && <FullMail mail={mail} address={address} />}
    </>
  );
}

interface UnsentProps extends Pick<Conversation, "resend" | "cancel"> {
  message: UnsentMessage;
  parts: MessageParts;
  timezone: string;
  customerName: string;
}

function Unsent({ message, parts, timezone, customerName, resend, cancel }: UnsentProps) {
  const isWaiting = message.failed && !message.rejected && !navigator.onLine;
  return (
    <StaffBubble
      isMine
      by={SUPPORT_TEAM}
      quoted={message.replyTo}
      {...{ parts, customerName }}
      isUnsent={message.failed && !isWaiting}
    >
      {message.sentAt !== undefined && <time>{timeOfDay(message.sentAt, timezone)}</time>}
      {isWaiting ? (
        <span>Waits for the connection</span>
      ) : message.failed ? (
        <>
          <span>Not sent</span>
          <button type="button" className="retry-link" onClick={() => resend(message)}>
            Try again
          </button>
          <button type="button" className="retry-link" onClick={() => cancel(message.id)}>
            Don't send
          </button>
        </>
      ) : (
        <span>Sending...</span>
      )}
    </StaffBubble>
  );
}

interface StaffBubbleProps {
  id?: string;
  /** Message to which it replies. */
  quoted: QuotedMessage | undefined;
  customerName: string;
  isMine: boolean;
  by: string;
  parts: MessageParts;
  isUnsent?: boolean;
  cards?: ChatMessage["cards"];
  sales?: SaleCardsData | null;
  actions?: CardActions;
  /** Follows the author. */
  children: ReactNode;
}

/** Message bubble: the seller's on the right, the customer's on the left. */
function StaffBubble(props: StaffBubbleProps) {
  const {
    id,
    quoted,
    customerName,
    isMine,
    by,
    isUnsent,
    parts,
    cards,
    sales,
    actions = {},
    children,
  } = props;
  return (
    <div className={`message${isMine ? " me" : ""}${isUnsent ? " unsent" : ""}`} id={id}>
      <span className="message-author">
        <b>{by}</b>
        {children}
      </span>
      <Quote quoted={quoted} by={quoted ? writerOf(quoted, customerName) : ""} />
      <MessageContent text={parts.text} {...{ cards, sales, actions }}>
        {parts.products.map((product) => (
          <MessageProduct key={product.id} product={product} />
        ))}
      </MessageContent>
    </div>
  );
}

/** Product in the seller's conversation, with its current price and stock. */
function MessageProduct({ product }: { product: MessageParts["products"][number] }) {
  const { name, options } = product;
  const { priceCents, stock, onHand } = offerOf(product, options?.color);
  const isSeveral = options && options.quantity > 1;
  return (
    <div className="message-product">
      <CardPicture product={product} options={options} sizes="40px" width={40} />
      <b>
        {isSeveral && `${options.quantity} × `}
        <ProductLink path={choicePath(product, options?.color)} name={name} />
      </b>
      <span className="message-product-price">
        {isSeveral ? `${dollars(priceCents)} each` : dollars(priceCents)}
      </span>
      {options && <CardOptions product={product} options={options} />}
      <Stock left={stock} onHand={onHand} lowStock={product.lowStock} />
    </div>
  );
}

/** Link to a product's page, in a new tab so that the conversation stays open. */
export function ProductLink({ path, name }: { path: string; name: string }) {
  return (
    <a href={localTo(path)} target="_blank" rel="noopener">
      {name}
    </a>
  );
}

interface StockProps {
  /** Pieces that can be sold; null for a deleted product. */
  left: number | null;
  /** Pieces that are there, with those on hold. */
  onHand?: number | null | undefined;
  /** Number of the product up to which it counts as low. */
  lowStock?: number | undefined;
}

/** Current stock of a product, in two figures where some of it is on hold. */
export function Stock({ left, onHand, lowStock }: StockProps) {
  const lowAt = useLowStock()(lowStock);
  if (left === null) return <span className="stock-level out">No longer sold</span>;
  const level = left === 0 ? " out" : left <= lowAt ? " low" : "";
  const text = [`${left} in stock`, left === 0 ? "Sold out" : `Only ${left} left`];
  const held = (onHand ?? left) - left;
  return (
    <span className={`stock-level${level}`}>
      {held > 0 ? `${onHand} on hand, ${held} on hold` : text[level ? 1 : 0]}
    </span>
  );
}
