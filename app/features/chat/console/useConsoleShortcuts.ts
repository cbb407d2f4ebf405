import { useNavigate, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useShortcuts } from "~/ui/shortcuts";
import type { ChatView } from "../protocol";
import { NO_FOCUS } from "./Conversation";
import { consoleUrl, parseConsoleParams } from "./params";

const REPLY = "[data-reply]";
const QUICK = "[data-quick]";
const RECORD = "[data-record]";
const HOLD = "[data-hold]";

/**
 * Registers the console's shortcuts: next and previous chat, reply, Quick Responses, Record sale, Set aside. A key pressed during the
 * navigation to a chat applies to that chat, so it waits for its rendering.
 */
export function useConsoleShortcuts(chats: ChatView[], openChatId: string | null): void {
  const navigate = useNavigate();
  const { location: nextLocation } = useNavigation();
  const pendingSelector = useRef<string | null>(null);
  // A navigation is ahead of the URL, and the URL is ahead of the rendered chat.
  const renderedChat = useRef(openChatId);
  const targetChat = () =>
    parseConsoleParams(new URLSearchParams((nextLocation ?? window.location).search)).chat;
  const step = (by: number) => {
    const at = chats.findIndex(({ id }) => id === targetChat());
    const next = chats[at === -1 ? 0 : at + by];
    if (next) navigate(consoleUrl({ chat: next.id }), { preventScrollReset: true, state: NO_FOCUS });
  };
  const pressWhenRendered = (selector: string) => {
    if (targetChat() === renderedChat.current) press(selector);
    else pendingSelector.current = selector;
  };
  useEffect(() => {
    renderedChat.current = openChatId;
    if (pendingSelector.current) press(pendingSelector.current);
    pendingSelector.current = null;
  }, [openChatId]);
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    w: () => pressWhenRendered(REPLY),
    r: () => pressWhenRendered(RECORD),
    h: () => pressWhenRendered(HOLD),
    "/": () => pressWhenRendered(QUICK),
  });
}

function press(selector: string) {
  const element = document.querySelector<HTMLElement>(selector);
  if (selector === REPLY) element?.focus();
  else element?.click();
}
