import { Link } from "@remix-run/react";
import type { Line } from "../client/connection";
import { consoleAddress, type Place, type Tab } from "./params";

const TABS: [Tab, string][] = [
  ["chats", "Chats"],
  ["responses", "Responses"],
  ["settings", "Settings"],
];

const STATES: Record<Line, string> = {
  connecting: "Connecting...",
  on: "Connected",
  off: "Connecting...",
  lost: "Disconnected",
};

interface ConsoleHeadProps {
  place: Place;
  unread: number;
  state: Line;
  onRetry: () => void;
}

/** The sidebar's title with its dot, and the three tabs. */
export function ConsoleHead({ place, unread, state, onRetry }: ConsoleHeadProps) {
  return (
    <>
      <header>
        <h2>Support Chat</h2>
        <span className="connection-state needs-script" role="status">
          <i className={state === "on" ? "connection-dot" : "connection-dot off"} aria-hidden="true" />
          {STATES[state]}
        </span>
        {state === "lost" && (
          <button type="button" className="btn" onClick={onRetry}>
            Reconnect
          </button>
        )}
        <noscript>
          <a className="btn" href={consoleAddress({ tab: place.tab, chat: place.chat })}>
            Refresh
          </a>
        </noscript>
      </header>
      <Tabs place={place} unread={unread} />
    </>
  );
}

function Tabs({ place, unread }: Pick<ConsoleHeadProps, "place" | "unread">) {
  return (
    <nav className="console-tabs" aria-label="Console">
      {TABS.map(([tab, name]) => (
        <Link
          key={tab}
          to={consoleAddress({ tab, chat: place.chat })}
          aria-current={tab === place.tab ? "page" : undefined}
          preventScrollReset
        >
          {name}
          {tab === "chats" && unread > 0 && (
            <span className="unread-count">
              <span className="visually-hidden">unread: </span>
              {unread}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
