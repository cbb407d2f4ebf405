import { Link } from "@remix-run/react";
import { useEffect, useState } from "react";
import { storedDraft } from "~/ui/drafts";
import { UnreadCount } from "~/ui/UnreadCount";
import type { ConnectionState } from "../client/connection";
import { NEW_CUSTOMER } from "../limits";
import type { ChatView } from "../protocol";
import { ListFilters } from "./ListFilters";
import type { ConsoleData } from "./page.server";
import { CHATS_PER_PAGE, type ConsoleParams, consoleUrl, type Tab } from "./params";
import { replyDraftKey } from "./ReplyBox";
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
  /** Chat that is open or about to be. */
  current: string | null;
  live: LiveConsole;
  rejected: RejectedForm | undefined;
}

/** Sidebar with the list of chats, the responses or the settings. */
export function Sidebar({ page, current, live, rejected }: SidebarProps) {
  const { params, responses, settings, push } = page;
  return (
    <div className={params.tab === "chats" ? "console-sidebar" : "console-sidebar console-sidebar-wide"}>
      <Header params={params} live={live} />
      {params.tab === "chats" && <ChatList page={page} current={current} chats={live.chats} />}
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

interface ChatListProps extends Pick<SidebarProps, "page" | "current"> {
  chats: ChatView[];
}

function ChatList({ page, current, chats }: ChatListProps) {
  const { params, staff, userId } = page;
  const drafts = useDrafts(chats, userId, current);
  const nameOf = (id: string | null) => staff.find((one) => one.id === id)?.name;
  const now = useNow(page.now);
  const hasMore = page.chats?.hasMore ?? false;
  const { q, filter, report } = params;
  const empty = q || filter || report ? "No conversations match." : "No conversations yet.";
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
          page={page}
          isCurrent={chat.id === current}
          assignee={nameOf(chat.assigneeId)}
          writer={chat.lastStaffId === userId ? "You" : nameOf(chat.lastStaffId)}
          draft={drafts.get(chat.id)}
        />
      ))}
      {hasMore && (
        <Link
          className="chat-row more"
          to={consoleUrl({ chat: params.chat, q, filter, report, show: params.limit + CHATS_PER_PAGE })}
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
  page: Pick<ConsoleData, "params" | "timezone">;
  isCurrent: boolean;
  /** Name of the member of staff who looks after the chat. */
  assignee: string | undefined;
  /** Name of the member of staff who wrote last; missing for none, and for a former one. */
  writer: string | undefined;
  /** Reply that this device keeps. */
  draft: string | undefined;
}

function ChatLink({ chat, now, page, isCurrent, assignee, writer, draft }: ChatLinkProps) {
  const { id, userName, unreadCount } = chat;
  const { q, filter, report, limit } = page.params;
  return (
    <Link
      to={consoleUrl({ chat: id, q, filter, report, show: limit })}
      className={unreadCount > 0 ? "chat-row has-unread" : "chat-row"}
      aria-current={isCurrent ? "true" : undefined}
      preventScrollReset
    >
      <b className="truncate">{userName || NEW_CUSTOMER}</b>
      <ChatTime chat={chat} now={now} timezone={page.timezone} />
      <LastLine chat={chat} writer={writer} draft={isCurrent ? undefined : draft} />
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

/** Last message with its writer, or the reply that is being written. */
function LastLine({ chat, writer, draft }: Pick<ChatLinkProps, "chat" | "writer" | "draft">) {
  const { lastMessage, lastSender } = chat;
  const label = { visitor: "", staff: `${writer ?? "Team"}: `, auto: "Auto: " }[lastSender];
  return (
    <span className="chat-list-message truncate">
      {draft ? <b className="draft">Draft: </b> : label && <b>{label}</b>}
      {draft || lastMessage}
    </span>
  );
}

/** Reads the replies that this device keeps; anew when another chat opens. */
function useDrafts(chats: ChatView[], userId: string, current: string | null): Map<string, string> {
  const [drafts, setDrafts] = useState(new Map<string, string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving a chat leaves its draft
  useEffect(() => {
    setDrafts(new Map(chats.map(({ id }) => [id, storedDraft(replyDraftKey(userId, id))])));
  }, [chats, userId, current]);
  return drafts;
}

/** Waiting time of an unanswered chat, else the time of its last message. */
function ChatTime({ chat, now, timezone }: Pick<ChatLinkProps, "chat" | "now"> & { timezone: string }) {
  const { waitingSince, lastMessageTime } = chat;
  const { seconds } = waitingSince ?? lastMessageTime;
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} className={waitingSince ? "waiting" : undefined}>
      {waitingSince && <span className="visually-hidden">waiting for </span>}
      {waitingSince ? waitingTime(seconds, now) : timeOrDay(seconds, now, timezone)}
    </time>
  );
}
