import { useLocation, useNavigate } from "@remix-run/react";
import { MessageCircle } from "lucide-react";
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import type { PanelProps, PanelState } from "./ChatPanel";
import { remembered } from "./memory";
import { OPEN_CHAT } from "./opening";

/** Milliseconds after which a page that is at rest asks for what is new. */
const AT_REST = 1500;
const CLOSED: PanelState = { shown: "closed", unread: 0, online: false };

/** What the panel is to open: a chat, or the latest. `time` tells one wish from the next. */
export interface Wish {
  chatId: string | undefined;
  time: number;
}

/**
 * The button at the bottom right, and what it opens (spec 2, Support chat widget). The panel is loaded when it is first
 * wanted, or when this browser has a chat that may have news.
 */
export function ChatWidget() {
  const { pathname, key } = useLocation();
  const button = useRef<HTMLAnchorElement>(null);
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [state, setState] = useState(CLOSED);
  const load = useCallback(async () => {
    const { ChatPanel, withStyles } = await import("./ChatPanel");
    await withStyles();
    setPanel(() => ChatPanel);
  }, []);
  const wish = useWish(load);
  useNews(load, setState);
  useClearOf(button, key);
  // The pages of chats are the chat.
  if (/^\/chat\b/.test(pathname)) return null;
  return (
    <aside aria-label="Chat">
      <a className="ask" href="/chat" ref={button} hidden={state.shown !== "closed"}>
        <MessageCircle className="i" aria-hidden="true" />
        {state.online && <span className="on" aria-hidden="true" />}
        <span className="ask-t">Ask us</span>
        {state.unread > 0 && (
          <span className="count">
            {state.unread}
            <span className="sr"> unread</span>
          </span>
        )}
      </a>
      {Panel && <Panel wish={wish} button={button} onState={setState} />}
    </aside>
  );
}

/** Hears the event, and links to /chat, which open the panel in place of the page. */
function useWish(load: () => Promise<void>): Wish | null {
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish | null>(null);
  useEffect(() => {
    const open = (chatId?: string) => {
      const onPage = /^\/chat\b/.test(window.location.pathname);
      if (onPage) return navigate(chatId ? `/chat/${chatId}` : "/chat");
      setWish({ chatId, time: Date.now() });
      load().catch(() => showToast("error", "Unable to open support chat."));
    };
    const heard = (event: Event) => open((event as CustomEvent<{ chatId?: string } | null>).detail?.chatId);
    const clicked = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href="/chat"]');
      const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || !plain || /^\/chat\b/.test(window.location.pathname)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener(OPEN_CHAT, heard, true);
    document.addEventListener("click", clicked, true);
    return () => {
      window.removeEventListener(OPEN_CHAT, heard, true);
      document.removeEventListener("click", clicked, true);
    };
  }, [load, navigate]);
  return wish;
}

/** Pages are the same for everyone: whether the seller is there and has written is asked once the page is at rest. */
function useNews(load: () => Promise<void>, setState: (state: PanelState) => void) {
  useEffect(() => {
    const ask = async () => {
      if (remembered()) return load();
      const answer = await fetch("/api/chat/settings");
      const { isOnline } = (await answer.json()) as { isOnline?: boolean };
      setState({ ...CLOSED, online: isOnline === true });
    };
    // Nobody has asked for it: without an answer there is no news.
    const timer = setTimeout(() => ask().catch(() => undefined), AT_REST);
    return () => clearTimeout(timer);
  }, [load, setState]);
}

/** The button gives way where it would lie over one that the page is about. */
function useClearOf(button: RefObject<HTMLElement | null>, page: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other buttons
  useEffect(() => {
    const place = button.current?.getBoundingClientRect();
    if (!place?.width) return;
    const over = new Set<Element>();
    const { clientWidth, clientHeight } = document.documentElement;
    const margin = [place.top, clientWidth - place.right, clientHeight - place.bottom, place.left];
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) over[isIntersecting ? "add" : "delete"](target);
        button.current?.toggleAttribute("data-away", over.size > 0);
      },
      { rootMargin: margin.map((side) => `${-Math.floor(side)}px`).join(" ") },
    );
    for (const control of document.querySelectorAll("main :is(.btn, button, input, select, textarea)"))
      observer.observe(control);
    return () => observer.disconnect();
  }, [button, page]);
}
