import { useNavigate } from "@remix-run/react";
import { useShortcuts } from "~/ui/shortcuts";
import type { ChatView } from "../protocol";
import { consoleAddress, readPlace } from "./place";

/** The console's keys: next and previous chat, reply, Quick Responses. */
export function useChatKeys(chats: ChatView[]): void {
  const navigate = useNavigate();
  const step = (by: number) => {
    // The address is ahead of what is shown while a chat is being drawn.
    const { chat } = readPlace(new URLSearchParams(window.location.search));
    const at = chats.findIndex(({ id }) => id === chat);
    const next = chats[at === -1 ? 0 : at + by];
    if (next) navigate(consoleAddress({ chat: next.id }), { preventScrollReset: true });
  };
  const press = (selector: string, act: (element: HTMLElement) => void) => {
    const element = document.querySelector<HTMLElement>(selector);
    if (element) act(element);
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    r: () => press("[data-reply]", (input) => input.focus()),
    "/": () => press("[data-quick]", (button) => button.click()),
  });
}
