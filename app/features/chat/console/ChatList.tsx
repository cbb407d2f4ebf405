import { Link } from "@remix-run/react";
import { NEW_CUSTOMER } from "../limits";
import type { ChatView } from "../protocol";
import { shortly } from "./time-format";
import type { ConsolePage } from "./page.server";
import { CHATS_SHOWN, consoleAddress } from "./params";

/** The conversations, latest first (back office 2, Chats tab). */
export function ChatList({ page, chats }: { page: ConsolePage; chats: ChatView[] }) {
  const { place, now, timezone } = page;
  const hasMore = (page.chats?.total ?? 0) > place.shown;
  return (
    <nav className="chat-list" aria-label="Conversations">
      {page.chats === null && <p className="hint-box">Failed to fetch chats</p>}
      {page.chats !== null && chats.length === 0 && <p className="hint-box">No conversations yet.</p>}
      {chats.map((chat) => (
        <ChatLink
          key={chat.id}
          chat={chat}
          time={shortly(chat.lastMessageTime.seconds, now, timezone)}
          isOpen={chat.id === place.chat}
          shown={place.shown}
        />
      ))}
      {hasMore && (
        <Link
          className="more"
          to={consoleAddress({ chat: place.chat, show: place.shown + CHATS_SHOWN })}
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
  shown: number;
}

function ChatLink({ chat, time, isOpen, shown }: ChatLinkProps) {
  const { id, userName, userEmail, lastMessage, unreadCount } = chat;
  return (
    <Link
      to={consoleAddress({ chat: id, show: shown })}
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
