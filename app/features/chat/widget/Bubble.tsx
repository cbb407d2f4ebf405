import { useEffect, useState } from "react";
import type { ChatMessage } from "../protocol";

/** A message in its bubble: the seller's left, the visitor's right (spec 2). */
export function Bubble({
  message: { message, senderName, isFromAdmin, timestamp },
}: {
  message: ChatMessage;
}) {
  return (
    <div className={isFromAdmin ? "msg" : "msg me"}>
      <span className="who">
        {senderName}, <LocalTime seconds={timestamp.seconds} />
      </span>
      <p className={`say ${isFromAdmin ? "say-soft" : "say-mine"}`}>{message}</p>
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
