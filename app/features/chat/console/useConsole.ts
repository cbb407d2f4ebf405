import { useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { CLOSED } from "../limits";
import { connect, type Line, type Live } from "../client/connection";
import type { ChatView } from "../protocol";
import { beep, primeBeep } from "./notification-sound";
import { markRead } from "./calls";
import { type Heard, hear, stillNews, unreadIn, withHeard } from "./chat-list";

const NONE: ChatView[] = [];

/**
 * The console's list, live: a customer's message beeps, raises its chat's unread count or adds the chat at the top, and
 * is read at once where that chat is open and seen (back office 4, Chat console).
 *
 * @param loaded what the server listed; null when it couldn't
 * @param openId the chat that is open
 */
export function useConsole(loaded: ChatView[] | null, openId: string | null) {
  const [heard, setHeard] = useState<Heard[]>([]);
  const room = useAdminRoom((chat) => {
    beep();
    setHeard((before) => hear(before, chat, Date.now()));
  });
  // Loaded anew, the list knows what was news.
  useEffect(() => {
    if (loaded) setHeard((before) => stillNews(before, Date.now()));
  }, [loaded]);
  const chats = useMemo(() => withHeard(loaded ?? NONE, heard), [loaded, heard]);
  const open = chats.find(({ id }) => id === openId);
  const changed = (chat: ChatView) => setHeard((before) => hear(before, chat, Date.now()));
  useReading(open, changed);
  const { state, retry, talkLine } = useBothLines(room, openId !== null);
  return { chats, unread: unreadIn(chats), state, retry, changed, talkLine };
}

/** What is said comes over two lines, the console's and the open conversation's own: it takes both to be connected. */
function useBothLines(room: ReturnType<typeof useAdminRoom>, isOpen: boolean) {
  const [state, onLine] = useState<Line>("connecting");
  const live = useRef<Live | null>(null);
  const talkLine = useMemo(() => ({ live, onLine }), []);
  const retry = () => {
    if (room.state !== "on") room.retry();
    if (isOpen && state !== "on") live.current?.reconnect();
  };
  return { state: isOpen && room.state === "on" ? state : room.state, retry, talkLine };
}

function useAdminRoom(told: (chat: ChatView) => void) {
  const [state, setState] = useState<Line>("connecting");
  const live = useRef<Live>();
  const { revalidate } = useRevalidator();
  const latest = useRef({ told, revalidate });
  latest.current = { told, revalidate };
  useEffect(() => {
    const stopPriming = primeBeep();
    const opened = connect({
      query: () => "room=admin",
      onEvent: (event) => event.event === "new-user-message" && latest.current.told(event.data.chat),
      onLine(line) {
        setState(line);
        if (line === "on") opened.say({ event: "join-admin" });
      },
      // The session has ended, or the right to be here: the page, read anew, leads to where one signs in.
      onEnd: (code) => code === CLOSED.sessionEnded && latest.current.revalidate(),
    });
    live.current = opened;
    return () => {
      stopPriming();
      opened.say({ event: "leave-admin" });
      opened.close();
    };
  }, []);
  return { state, retry: () => live.current?.reconnect() };
}

/** What is said in the open chat is read as soon as somebody can see it. */
function useReading(open: ChatView | undefined, changed: (chat: ChatView) => void) {
  const latest = useRef({ open, changed });
  latest.current = { open, changed };
  const waiting = open !== undefined && open.unreadCount > 0;
  const id = open?.id;
  useEffect(() => {
    if (!waiting || !id) return;
    const read = () => {
      if (document.hidden) return;
      const { open, changed } = latest.current;
      if (open) changed({ ...open, unreadCount: 0 });
      markRead(id).catch(() => showToast("error", "Failed to mark messages as read"));
    };
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [waiting, id]);
}
