import type { Snapshot } from "../pages.server";
import type { ChatMessage } from "../protocol";
import { saidAt } from "../time";
import { SnapCard } from "./SnapCard";

interface BubbleProps {
  message: ChatMessage;
  /** What this message brought with it from the cart. */
  cart?: Snapshot | null | undefined;
  /** Said after the time. */
  state?: string | undefined;
  /** When it was said, where a script can't tell the reader's own time. */
  time?: string | undefined;
}

/** A message in its bubble: the seller's left, the visitor's right (spec 2). */
export function Bubble({ message, cart, state, time }: BubbleProps) {
  const { senderName, isFromAdmin, timestamp } = message;
  const { seconds } = timestamp;
  return (
    <div className={isFromAdmin ? "chat-msg" : "chat-msg me"}>
      <span className="chat-author">
        {senderName}, <time dateTime={new Date(seconds * 1000).toISOString()}>{time ?? saidAt(seconds)}</time>
        {state && `, ${state}`}
      </span>
      {cart ? (
        <SnapCard cart={cart} message={message.message} />
      ) : (
        <p className="chat-bubble">{message.message}</p>
      )}
    </div>
  );
}
