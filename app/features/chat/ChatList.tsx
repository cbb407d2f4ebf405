import { Link } from "@remix-run/react";
import type { ListedChat } from "./pages.server";

/** Conversations of this browser and account, with their unread answers. */
export function ChatList({ chats }: { chats: ListedChat[] }) {
  if (chats.length === 0) return null;
  return (
    <section className="chat-mine" aria-labelledby="chat-mine">
      <h2 id="chat-mine">My conversations</h2>
      <ul>
        {chats.map(({ id, lastMessage, state, unreadCount, time, at }) => (
          <li key={id}>
            <Link to={`/chat/${id}`} prefetch="none">
              <span className="truncate">{lastMessage || "New conversation"}</span>
              <span className="soft">
                <time dateTime={new Date(at * 1000).toISOString()}>{time}</time>
                {state === "closed" && ", closed"}
              </span>
              {unreadCount > 0 && (
                <span className="chat-launcher-count">
                  {unreadCount}
                  <span className="visually-hidden"> unread</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
