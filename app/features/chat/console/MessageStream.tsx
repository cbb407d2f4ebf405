import type { ReactNode } from "react";
import { SUPPORT_TEAM } from "../limits";
import type { ChatMessage } from "../protocol";
import { dayName, timeOfDay } from "./time-format";
import type { Outgoing, useTalk } from "./useTalk";

interface MessageStreamProps {
  talk: ReturnType<typeof useTalk>;
  /** The customer's. */
  name: string;
  now: number;
  timezone: string;
}

/** What was said: the seller's messages on the right, the customer's on the left (back office 2). */
export function MessageStream({ talk, name, now, timezone }: MessageStreamProps) {
  const { messages, outgoing, isTyping, send } = talk;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="message-stream" role="log" aria-label="Messages" tabIndex={0}>
      <div className="message-stream-items">
        {messages.map((message, i) => {
          const day = dayName(message.timestamp.seconds, now, timezone);
          const before = messages[i - 1];
          const isNewDay = !before || dayName(before.timestamp.seconds, now, timezone) !== day;
          return <Said key={message.id} message={message} day={isNewDay ? day : null} timezone={timezone} />;
        })}
        {outgoing.map((entry) => (
          <OnItsWay key={entry.id} entry={entry} timezone={timezone} onRetry={() => send(entry.message)} />
        ))}
        {isTyping && (
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
        )}
      </div>
    </div>
  );
}

interface SaidProps {
  message: ChatMessage;
  /** Told above it where a new day begins. */
  day: string | null;
  timezone: string;
}

function Said({ message, day, timezone }: SaidProps) {
  return (
    <>
      {day && <span className="message-day">{day}</span>}
      <Bubble isMine={message.isFromAdmin} by={message.senderName} text={message.message}>
        <time dateTime={new Date(message.timestamp.seconds * 1000).toISOString()}>
          {timeOfDay(message.timestamp.seconds, timezone)}
        </time>
      </Bubble>
    </>
  );
}

interface OnItsWayProps {
  entry: Outgoing;
  timezone: string;
  onRetry: () => void;
}

function OnItsWay({ entry, timezone, onRetry }: OnItsWayProps) {
  return (
    <Bubble isMine by={SUPPORT_TEAM} text={entry.message} isUnsent={entry.hasFailed}>
      <time>{timeOfDay(entry.at, timezone)}</time>
      {entry.hasFailed ? (
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
  children: ReactNode;
}

function Bubble({ isMine, by, text, isUnsent = false, children }: BubbleProps) {
  return (
    <div className={`message${isMine ? " me" : ""}${isUnsent ? " unsent" : ""}`}>
      <span className="message-author">
        <b>{by}</b>
        {children}
      </span>
      <p>{text}</p>
    </div>
  );
}
