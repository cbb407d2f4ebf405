import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { closeNotification } from "~/features/push/browser";
import { CLOSED } from "../limits";
import type { ChatView, ServerEvent } from "../protocol";
import { readUnread } from "./api";
import { type Connection, type ConnectionState, connect } from "./connection";
import { enableSound, playSound } from "./notification-sound";
import { NO_COUNTS, totalUnread, unreadReducer } from "./unread-counts";

type NewMessage = Extract<ServerEvent, { event: "new-user-message" }>["data"];

interface AdminRoomOptions {
  /** Receives a visitor's message, which has played the sound. */
  onMessage(data: NewMessage): void;
  /** Receives a chat that staff have changed; null for a deleted one. */
  onUpdate(chatId: string, chat: ChatView | null): void;
  /** Reports that the connection is back: events may have been missed. */
  onReconnected?(): void;
}

/**
 * Connects to the admin room, which reports visitors' messages and colleagues' changes, and counts the unread messages.
 *
 * @returns `unread` is null until the counts are read
 */
export function useAdminRoom(options: AdminRoomOptions) {
  const [counts, dispatch] = useReducer(unreadReducer, NO_COUNTS);
  const setUnread = useCallback(
    (chatId: string, count: number) => dispatch({ type: "changed", chatId, count }),
    [],
  );
  const onEvent = ({ event, data }: ServerEvent) => {
    if (event === "new-user-message") {
      setUnread(data.chatId, data.chat.unreadCount);
      playSound();
      options.onMessage(data);
    }
    if (event === "chat-updated") {
      setUnread(data.chatId, data.chat?.unreadCount ?? 0);
      if (!data.chat?.unreadCount) void closeNotification("staff", data.chatId);
      options.onUpdate(data.chatId, data.chat);
    }
  };
  const onConnected = (isFirst: boolean) => {
    dispatch({ type: "connected" });
    readUnread().then(
      (read) => dispatch({ type: "loaded", counts: read.chats }),
      // The badge keeps its number; the next connection reads again.
      () => undefined,
    );
    if (!isFirst) options.onReconnected?.();
  };
  const { state, reconnect } = useAdminConnection({ onEvent, onConnected });
  return { state, reconnect, unread: totalUnread(counts), setUnread };
}

interface ConnectionHandlers {
  onEvent(event: ServerEvent): void;
  onConnected(isFirst: boolean): void;
}

/** Keeps a connection to the admin room open while the component is mounted. */
function useAdminConnection(handlers: ConnectionHandlers) {
  const [state, setState] = useState<ConnectionState>("connecting");
  const connection = useRef<Connection>();
  const { revalidate } = useRevalidator();
  const latest = useRef({ ...handlers, revalidate });
  latest.current = { ...handlers, revalidate };
  useEffect(() => {
    const cancelSound = enableSound();
    let isFirst = true;
    const opened = connect({
      query: () => "room=admin",
      joinEvent: (visible) => ({ event: "join-admin", data: { visible } }),
      onEvent: (event) => latest.current.onEvent(event),
      onStateChange(next) {
        setState(next);
        if (next !== "connected") return;
        latest.current.onConnected(isFirst);
        isFirst = false;
      },
      // Reloading redirects to the sign-in page when the session or the role has ended.
      onEnd: (code) => code === CLOSED.sessionEnded && latest.current.revalidate(),
    });
    connection.current = opened;
    return () => {
      cancelSound();
      opened.send({ event: "leave-admin" });
      opened.close();
    };
  }, []);
  return { state, reconnect: () => connection.current?.reconnect() };
}
