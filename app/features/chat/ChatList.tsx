import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import type { ListedChat } from "./pages.server";

/** Conversations of this browser and account, with their unread answers. */
export function ChatList({ chats }: { chats: ListedChat[] }) {
  return (
    <section className="chat-mine" aria-label="My conversations">
      <ul>
        {chats.map((chat) => (
          <li key={chat.id} className={chat.unreadCount > 0 ? "is-unread" : undefined}>
            <Link to={`/chat/${chat.id}`} prefetch="none">
              <span className="chat-mine-mark" aria-hidden="true">
                <Icon name="message-circle" />
              </span>
              <span className="chat-mine-last">
                <span className="truncate">{lastLine(chat)}</span>
              </span>
              <ChatState chat={chat} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const lastLine = ({ lastMessage, lastSender }: ListedChat) =>
  `${lastSender === "visitor" ? "You: " : ""}${lastMessage || "New conversation"}`;

function ChatState({ chat: { at, time, state, unreadCount } }: { chat: ListedChat }) {
  return (
    <span className="chat-mine-state">
      <time dateTime={new Date(at * 1000).toISOString()}>{time}</time>
      <span className={state}>{state === "open" ? "Open" : "Closed"}</span>
      {unreadCount > 0 && (
        <span className="chat-mine-count">
          {unreadCount}
          <span className="visually-hidden"> unread</span>
        </span>
      )}
    </span>
  );
}
