import type { ReactNode } from "react";
import { isTextOnly, type UnsentMessage } from "../client/message-store";
import { UnsentFiles } from "../client/UnsentFiles";
import type { Conversation } from "../client/useConversation";
import { FileCards } from "../FileCards";
import { filesAmong, textBesideFiles } from "../files";
import { SUPPORT_TEAM } from "../limits";
import type { ChatMessage } from "../protocol";
import { dayName, timeOfDay } from "./time-format";

interface MessageStreamProps {
  conversation: Conversation;
  customerName: string;
  onRetry: (message: string) => void;
  now: number;
  timezone: string;
}

/** Messages of a conversation: the seller's on the right, the customer's on the left. */
export function MessageStream({ conversation, customerName, onRetry, now, timezone }: MessageStreamProps) {
  const { store, typist } = conversation;
  const { messages, unsent } = store;
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
              day={isNewDay ? day : null}
              timezone={timezone}
            />
          );
        })}
        {unsent.filter(isTextOnly).map((message) => (
          <Unsent
            key={message.id}
            message={message}
            timezone={timezone}
            onRetry={() => onRetry(message.message)}
          />
        ))}
        <UnsentFiles unsent={unsent} resend={conversation.resend} cancel={conversation.cancel} />
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
  /** Heading above the first message of a day. */
  day: string | null;
  timezone: string;
}

function StoredMessage({ message, day, timezone }: StoredMessageProps) {
  return (
    <>
      {day && <span className="message-day">{day}</span>}
      <Bubble
        isMine={message.isFromAdmin}
        by={message.senderName}
        text={message.message}
        cards={message.cards}
      >
        <time dateTime={new Date(message.timestamp.seconds * 1000).toISOString()}>
          {timeOfDay(message.timestamp.seconds, timezone)}
        </time>
      </Bubble>
    </>
  );
}

interface UnsentProps {
  message: UnsentMessage;
  timezone: string;
  onRetry: () => void;
}

function Unsent({ message, timezone, onRetry }: UnsentProps) {
  return (
    <Bubble isMine by={SUPPORT_TEAM} text={message.message} isUnsent={message.failed}>
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
  text: string;
  isUnsent?: boolean;
  cards?: ChatMessage["cards"];
  children: ReactNode;
}

function Bubble({ isMine, by, text, isUnsent = false, cards, children }: BubbleProps) {
  const files = filesAmong(cards);
  const ownText = textBesideFiles(text, files);
  return (
    <div className={`message${isMine ? " me" : ""}${isUnsent ? " unsent" : ""}`}>
      <span className="message-author">
        <b>{by}</b>
        {children}
      </span>
      {ownText && <p>{ownText}</p>}
      <FileCards files={files} />
    </div>
  );
}
