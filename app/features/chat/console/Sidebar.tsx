import { Link } from "@remix-run/react";
import { UnreadCount } from "~/ui/UnreadCount";
import type { ConnectionState } from "../client/connection";
import { NEW_CUSTOMER } from "../limits";
import type { ChatView } from "../protocol";
import { ListFilters } from "./ListFilters";
import type { ConsoleData } from "./page.server";
import { CHATS_PER_PAGE, type ConsoleParams, consoleUrl, type Tab } from "./params";
import { ResponsesTab } from "./ResponsesTab";
import type { RejectedForm } from "./rejected-form";
import { SettingsTab } from "./SettingsTab";
import { timeOrDay, useNow, waitingTime } from "./time-format";
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
  const { params, responses, settings, push } = page;
  return (
    <div className={params.tab === "chats" ? "console-sidebar" : "console-sidebar console-sidebar-wide"}>
      <Header params={params} live={live} />
      {params.tab === "chats" && <ChatList page={page} chats={live.chats} />}
      {params.tab === "responses" && (
        <ResponsesTab params={params} responses={responses} rejected={rejected} />
      )}
      {params.tab === "settings" && (
        <SettingsTab params={params} settings={settings} push={push} rejected={rejected} />
      )}
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
          {tab === "chats" && <UnreadCount count={unread} />}
        </Link>
      ))}
    </nav>
  );
}

function ChatList({ page, chats }: { page: ConsoleData; chats: ChatView[] }) {
  const { params, timezone } = page;
  const now = useNow(page.now);
  const hasMore = page.chats?.hasMore ?? false;
  const { q, filter } = params;
  const empty = q || filter ? "No conversations match." : "No conversations yet.";
  return (
    <nav className="chat-list" aria-label="Conversations">
      <ListFilters params={params} />
      {page.chats === null && <p className="hint-box">Failed to fetch chats</p>}
      {page.chats !== null && chats.length === 0 && <p className="hint-box">{empty}</p>}
      {chats.map((chat) => (
        <ChatLink
          key={chat.id}
          chat={chat}
          now={now}
          timezone={timezone}
          assignee={page.staff.find(({ id }) => id === chat.assigneeId)?.name}
          params={params}
        />
      ))}
      {hasMore && (
        <Link
          className="chat-row more"
          to={consoleUrl({ chat: params.chat, q, filter, show: params.limit + CHATS_PER_PAGE })}
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
  now: number;
  timezone: string;
  /** Name of the member of staff who looks after the chat. */
  assignee: string | undefined;
  params: ConsoleParams;
}

const SENDER_LABELS: Partial<Record<ChatView["lastSender"], string>> = { staff: "You: ", auto: "Auto: " };

function ChatLink({ chat, now, timezone, assignee, params }: ChatLinkProps) {
  const { id, userName, userEmail, lastMessage, unreadCount, lastSender } = chat;
  const { q, filter, limit } = params;
  return (
    <Link
      to={consoleUrl({ chat: id, q, filter, show: limit })}
      className={unreadCount > 0 ? "chat-row has-unread" : "chat-row"}
      aria-current={id === params.chat ? "true" : undefined}
      preventScrollReset
    >
      <b className="truncate">{userName || NEW_CUSTOMER}</b>
      <ChatTime chat={chat} now={now} timezone={timezone} />
      {userEmail && <span className="mail truncate">{userEmail}</span>}
      <span className="chat-list-message truncate">
        {SENDER_LABELS[lastSender]}
        {lastMessage}
      </span>
      {(unreadCount > 0 || assignee) && (
        <span className="chat-list-marks">
          <UnreadCount count={unreadCount} />
          {assignee && (
            <span className="assignee" title={`Assigned to ${assignee}`}>
              <span className="visually-hidden">assigned to {assignee}</span>
              <span aria-hidden="true">{assignee.slice(0, 1)}</span>
            </span>
          )}
        </span>
      )}
    </Link>
  );
}

/** Waiting time of an unanswered chat, else the time of its last message. */
function ChatTime({ chat, now, timezone }: Pick<ChatLinkProps, "chat" | "now" | "timezone">) {
  const { waitingSince, lastMessageTime } = chat;
  const { seconds } = waitingSince ?? lastMessageTime;
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} className={waitingSince ? "waiting" : undefined}>
      {waitingSince && <span className="visually-hidden">waiting for </span>}
      {waitingSince ? waitingTime(seconds, now) : timeOrDay(seconds, now, timezone)}
    </time>
  );
}
