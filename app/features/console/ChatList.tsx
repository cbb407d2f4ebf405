import { useEffect, useState } from "react";
import { businessName } from "~/domain/enums";
import { PERIOD_NAMES } from "~/domain/periods";
import { CHATS_PER_PAGE, type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { type ChatFilter, type ChatReport, NEW_CUSTOMER } from "~/features/chat/limits";
import type { ListedChat } from "~/features/chat/operations/list.server";
import { visitorNumber } from "~/features/chat/visitor-label";
import { storedDraft } from "~/ui/drafts";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { UnreadCount } from "~/ui/UnreadCount";
import { ChatSearch } from "./ChatSearch";
import type { ConsoleData } from "./page.server";
import { replyDraftKey } from "./ReplyBox";
import { dayName, timeOfDay, timeOrDay, useNow, waitingTime } from "./time-format";

interface ChatListProps {
  page: ConsoleData;
  /** Chat that is open or about to be. */
  current: string | null;
  chats: ListedChat[];
  /** Number of chats of each filter; null when the list could not be read. */
  counts: Record<ChatFilter, number> | null;
}

/** List of conversations with its search and filters. */
export function ChatList({ page, current, chats, counts }: ChatListProps) {
  const { params, staff, userId } = page;
  const drafts = useDrafts(chats, userId, current);
  const nameOf = (id: string | null) => staff.find((one) => one.id === id)?.name;
  const now = useNow(page.now);
  const hasMore = page.chats?.hasMore ?? false;
  const { q, filter, report } = params;
  return (
    <nav className="chat-list" aria-label="Conversations">
      <ListFilters params={params} counts={counts} />
      {page.chats === null && <p className="hint-box">Failed to fetch chats</p>}
      {page.chats !== null && chats.length === 0 && <NoChats params={params} />}
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

function NoChats({ params: { q, filter, report, chat } }: { params: ConsoleParams }) {
  const isFiltered = Boolean(q || filter || report);
  return (
    <div className="empty-state">
      <span className="empty-state-icon">
        <Icon name="message-square-text" />
      </span>
      <p>{isFiltered ? "No conversations match." : "No conversations yet."}</p>
      {isFiltered && (
        <div className="button-row">
          <Link className="btn" to={consoleUrl({ chat })}>
            Clear Filters
          </Link>
        </div>
      )}
    </div>
  );
}

interface ChatLinkProps {
  chat: ListedChat;
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
      <span className="chat-list-who truncate">
        <b>{userName || NEW_CUSTOMER}</b>
        <small>
          {" "}
          {chat.userEmail || (isUnnamed(chat) && `${visitorNumber(id)}, ${began(chat, now, page.timezone)}`)}
        </small>
      </span>
      <ChatTime chat={chat} now={now} timezone={page.timezone} />
      <LastLine chat={chat} writer={writer} draft={isCurrent ? undefined : draft} />
      {(unreadCount > 0 || assignee || chat.state === "closed") && (
        <span className="chat-list-marks">
          {chat.state === "closed" && <small>Closed</small>}
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

/** Visitors without a name are told apart by their number and when they began. */
const isUnnamed = ({ userName }: ListedChat) => !userName || userName === NEW_CUSTOMER;

function began({ createdAt: { seconds } }: ListedChat, now: number, timezone: string): string {
  const day = dayName(seconds, now, timezone);
  const time = timeOfDay(seconds, timezone);
  return `began ${day === "Today" ? time : `${day}, ${time}`}`;
}

/** Last message with its writer, the earlier one that a search found, or the reply that is being written. */
function LastLine({ chat, writer, draft }: Pick<ChatLinkProps, "chat" | "writer" | "draft">) {
  const { lastMessage, lastSender, found, isNote } = chat;
  const by = { visitor: "", staff: `${writer ?? "Team"}: `, auto: "Auto: " }[lastSender];
  const label = found ? (isNote ? "Note: " : "Earlier: ") : by;
  return (
    <span className="chat-list-message truncate">
      {draft ? <b className="draft">Draft: </b> : label && <b>{label}</b>}
      {draft || found || lastMessage}
    </span>
  );
}

/** Reads the replies that this device keeps; anew when another chat opens. */
function useDrafts(chats: ListedChat[], userId: string, current: string | null): Map<string, string> {
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
      {waitingSince && (
        <>
          <Icon name="clock" className="i s" />
          <span className="visually-hidden">waiting for </span>
        </>
      )}
      {waitingSince ? waitingTime(seconds, now) : timeOrDay(seconds, now, timezone)}
    </time>
  );
}

const FILTERS: [ChatFilter, string][] = [
  ["unanswered", "Unanswered"],
  ["mine", "Mine"],
  ["open", "Open"],
  ["closed", "Closed"],
];

const REPORTS: Record<ChatReport, string> = {
  begun: "Begun",
  sold: "Begun and became sales",
  answered: "Begun and answered",
  paid: "With receipts",
};

/** Search and filters of the list of chats; both are in the URL. */
function ListFilters({ params, counts }: { params: ConsoleParams } & Pick<ChatListProps, "counts">) {
  const { q, filter, chat, report } = params;
  return (
    <div className="chat-filters">
      {report && <Report params={params} report={report} />}
      <ChatSearch params={params} />
      <div className="chat-filter-links">
        {FILTERS.map(([name, label]) => (
          <Link
            key={name}
            className="chat-filter"
            to={consoleUrl({ chat, q, report, filter: name === filter ? null : name })}
            aria-current={name === filter ? "true" : undefined}
            preventScrollReset
          >
            {label} {counts && <span>{counts[name]}</span>}
          </Link>
        ))}
      </div>
    </div>
  );
}

/** Names the figure of the dashboard whose chats are listed; a link lists all again. */
function Report({ params, report: { kind, scope } }: ReportProps) {
  const period = scope.period === "all" ? "this-month" : scope.period;
  const parts = [
    REPORTS[kind],
    PERIOD_NAMES[period].toLowerCase(),
    scope.business && businessName(scope.business),
  ];
  return (
    <p className="chat-report">
      {parts.filter(Boolean).join(", ")}{" "}
      <Link to={consoleUrl({ chat: params.chat, q: params.q, filter: params.filter })} preventScrollReset>
        All chats
      </Link>
    </p>
  );
}

interface ReportProps {
  params: ConsoleParams;
  report: NonNullable<ConsoleParams["report"]>;
}
