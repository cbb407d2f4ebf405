import { useEffect, useState } from "react";
import type { Snapshot } from "../pages.server";
import type { ChatMessage } from "../protocol";
import { SnapCard } from "./SnapCard";

interface BubbleProps {
  message: ChatMessage;
  /** What this message brought with it from the cart. */
  cart?: Snapshot | null | undefined;
  /** Said after the time. */
  state?: string | undefined;
}

/** A message in its bubble: the seller's left, the visitor's right (spec 2). */
export function Bubble({ message, cart, state }: BubbleProps) {
  const { senderName, isFromAdmin, timestamp } = message;
  return (
    <div className={isFromAdmin ? "chat-msg" : "chat-msg me"}>
      <span className="chat-who">
        {senderName}, <LocalTime seconds={timestamp.seconds} />
        {state && `, ${state}`}
      </span>
      {cart ? (
        <SnapCard cart={cart} message={message.message} />
      ) : (
        <p className="chat-say">{message.message}</p>
      )}
    </div>
  );
}

/** The reader's own time; until a script can tell it, and without one, UTC. */
function LocalTime({ seconds }: { seconds: number }) {
  const date = new Date(seconds * 1000);
  const iso = date.toISOString();
  const [text, setText] = useState(`${iso.slice(0, 16).replace("T", " ")} UTC`);
  useEffect(() => setText(localTime(new Date(seconds * 1000))), [seconds]);
  return <time dateTime={iso}>{text}</time>;
}

function localTime(date: Date): string {
  const isToday = date.toDateString() === new Date().toDateString();
  const day = { month: "short", day: "numeric" } as const;
  return date.toLocaleString("en", {
    hour: "2-digit",
    minute: "2-digit",
    ...(!isToday && day),
    hour12: false,
  });
}
