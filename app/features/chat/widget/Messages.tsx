import { useEffect, useRef } from "react";
import { Bubble } from "./Bubble";
import type { Unsent } from "./bubbles";
import type { Conversation } from "./useConversation";

/** What was said, what is on its way, who is writing and what is wrong with the line. */
export function Messages({ talk, name, typist, line, send, reconnect }: Conversation) {
  const log = useRef<HTMLDivElement>(null);
  const count = talk.messages.length + talk.unsent.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is at the bottom (spec 4)
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [count, typist, line]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
    <div className="log" role="log" aria-label="Messages" tabIndex={0} ref={log}>
      {talk.messages.map((message) => (
        <Bubble key={message.id} message={message} />
      ))}
      {talk.unsent.map((unsent) => (
        <Waiting
          key={unsent.id}
          unsent={unsent}
          name={name}
          onRetry={() => send(unsent.message, unsent.id)}
        />
      ))}
      {typist !== null && <Typing name={typist} />}
      {line === "lost" && (
        <p className="day">
          Connection lost.{" "}
          <button type="button" className="link" onClick={reconnect}>
            Reconnect
          </button>
        </p>
      )}
      {line === "off" && <p className="day">Connection lost. Reconnecting...</p>}
    </div>
  );
}

function Waiting({ unsent, name, onRetry }: { unsent: Unsent; name: string; onRetry: () => void }) {
  return (
    <div className="msg me">
      <span className="who">
        {name}, {unsent.failed ? "not sent" : "sending"}
      </span>
      <p className="say say-mine say-wait">{unsent.message}</p>
      {unsent.failed && (
        <button type="button" className="link" onClick={onRetry}>
          Send again
        </button>
      )}
    </div>
  );
}

function Typing({ name }: { name: string }) {
  const words = `${name || "Someone"} is writing`;
  return (
    <div className="msg">
      <span className="who">{words}</span>
      <p className="say say-soft typing" role="img" aria-label={words}>
        <i />
        <i />
        <i />
      </p>
    </div>
  );
}
