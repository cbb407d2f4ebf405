import { Link } from "@remix-run/react";
import type { ConnectionState } from "../client/connection";
import { NEW_CUSTOMER } from "../limits";
import type { ChatView } from "../protocol";
import type { ConsoleData } from "./page.server";
import { CHATS_PER_PAGE, type ConsoleParams, consoleUrl, type Tab } from "./params";
import { ResponsesTab } from "./ResponsesTab";
import type { RejectedForm } from "./rejected-form";
import { SettingsTab } from "./SettingsTab";
import { timeOrDay } from "./time-format";
import type { LiveConsole } from "./useConsole";

const TABS: [Tab, string][] = [
  ["chats", "Chats"],
  ["responses", "Responses"],
  ["settings", "Settings"],
];

const STATE_LABELS: Record<ConnectionState, string> = {
  connecting: "Connecting...",
  connected: "Connected",
  reconnecting: "Connecting...",
  disconnected: "Disconnected",
};

interface SidebarProps {
  page: ConsoleData;
  live: LiveConsole;
  rejected: RejectedForm | undefined;
}

/** Sidebar with the list of chats, the responses or the settings. */
export function Sidebar({ page, live, rejected }: SidebarProps) {
  const { params, responses, settings } = page;
  return (
    <div className={params.tab === "chats" ? "console-sidebar" : "console-sidebar console-sidebar-wide"}>
      <Header params={params} live={live} />
      {params.tab === "chats" && <ChatList page={page} chats={live.chats} />}
      {params.tab === "responses" && (
        <ResponsesTab params={params} responses={responses} rejected={rejected} />
      )}
      {params.tab === "settings" && <SettingsTab params={params} settings={settings} rejected={rejected} />}
    </div>
  );
}

interface HeaderProps {
  params: ConsoleParams;
  live: LiveConsole;
}

/** Title with the connection state, and the tabs. */
function Header({ params, live: { unread, state, reconnect } }: HeaderProps) {
  return (
    <>
      <header>
        <h2>Support Chat</h2>
        <span className="connection-state needs-script" role="status">
          <i className={state === "connected" ? "connection-dot" : "connection-dot off"} aria-hidden="true" />
          {STATE_LABELS[state]}
        </span>
        {state === "disconnected" && (
          <button type="button" className="btn" onClick={reconnect}>
            Reconnect
          </button>
        )}
        <noscript>
          <a className="btn" href={consoleUrl({ tab: params.tab, chat: params.chat })}>
            Refresh
          </a>
        </noscript>
      </header>
      <Tabs params={params} unread={unread} />
    </>
  );
}

function Tabs({ params, unread }: { params: ConsoleParams; unread: number }) {
  return (
    <nav className="console-tabs" aria-label="Console">
      {TABS.map(([tab, name]) => (
        <Link
          key={tab}
          to={consoleUrl({ tab, chat: params.chat })}
          aria-current={tab === params.tab ? "page" : undefined}
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

function ChatList({ page, chats }: { page: ConsoleData; chats: ChatView[] }) {
  const { params, now, timezone } = page;
  const hasMore = (page.chats?.total ?? 0) > params.limit;
  return (
    <nav className="chat-list" aria-label="Conversations">
      {page.chats === null && <p className="hint-box">Failed to fetch chats</p>}
      {page.chats !== null && chats.length === 0 && <p className="hint-box">No conversations yet.</p>}
      {chats.map((chat) => (
        <ChatLink
          key={chat.id}
          chat={chat}
          time={timeOrDay(chat.lastMessageTime.seconds, now, timezone)}
          isOpen={chat.id === params.chat}
          limit={params.limit}
        />
      ))}
      {hasMore && (
        <Link
          className="more"
          to={consoleUrl({ chat: params.chat, show: params.limit + CHATS_PER_PAGE })}
          preventScrollReset
        >
          Show older chats
        </Link>
      )}
    </nav>
  );
}

interface ChatLinkProps {
  chat: ChatView;
  time: string;
  isOpen: boolean;
  limit: number;
}

function ChatLink({ chat, time, isOpen, limit }: ChatLinkProps) {
  const { id, userName, userEmail, lastMessage, unreadCount } = chat;
  return (
    <Link
      to={consoleUrl({ chat: id, show: limit })}
      className={unreadCount > 0 ? "has-unread" : undefined}
      aria-current={isOpen ? "true" : undefined}
      preventScrollReset
    >
      <b className="truncate">{userName || NEW_CUSTOMER}</b>
      <time dateTime={new Date(chat.lastMessageTime.seconds * 1000).toISOString()}>{time}</time>
      {userEmail && <span className="mail truncate">{userEmail}</span>}
      <span className="chat-list-message truncate">{lastMessage}</span>
      {unreadCount > 0 && (
        <span className="unread-count">
          <span className="visually-hidden">unread: </span>
          {unreadCount}
        </span>
      )}
    </Link>
  );
}
