import { useNavigate, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useShortcuts } from "~/ui/shortcuts";
import type { ChatView } from "../protocol";
import { consoleAddress, readPlace } from "./params";

const REPLY = "[data-reply]";
const QUICK = "[data-quick]";

/**
 * The console's keys: next and previous chat, reply, Quick Responses. A key pressed while the next chat is on its way
 * is for that chat, so it waits until that is drawn.
 */
export function useChatKeys(chats: ChatView[], shown: string | null): void {
  const navigate = useNavigate();
  const { location: ahead } = useNavigation();
  const waiting = useRef<string | null>(null);
  // What stands on the page: a screen may have been rendered and not be drawn yet.
  const drawn = useRef(shown);
  // The address is ahead of what is shown, and a navigation under way is ahead of the address.
  const heading = () => readPlace(new URLSearchParams((ahead ?? window.location).search)).chat;
  const step = (by: number) => {
    const at = chats.findIndex(({ id }) => id === heading());
    const next = chats[at === -1 ? 0 : at + by];
    if (next) navigate(consoleAddress({ chat: next.id }), { preventScrollReset: true });
  };
  const reach = (selector: string) => {
    if (heading() === drawn.current) press(selector);
    else waiting.current = selector;
  };
  useEffect(() => {
    drawn.current = shown;
    if (waiting.current) press(waiting.current);
    waiting.current = null;
  }, [shown]);
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    r: () => reach(REPLY),
    "/": () => reach(QUICK),
  });
}

function press(selector: string) {
  const element = document.querySelector<HTMLElement>(selector);
  if (element?.matches(QUICK)) element.click();
  else element?.focus();
}
