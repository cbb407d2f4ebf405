import { useLocation, useNavigate } from "@remix-run/react";
import { MessageCircle } from "lucide-react";
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import type { PanelProps, PanelState } from "./ChatPanel";
import { remembered, shownBefore } from "./memory";
import { OPEN_CHAT } from "./opening";

/** Milliseconds after which a page that is at rest asks for what is new. */
const AT_REST = 1500;
const CLOSED: PanelState = { shown: "closed", unread: 0, online: false };
/** The pages of chats are the chat. */
const PAGES = /^\/chat\b/;

/** What the panel is to open: a chat, or the latest. */
export interface Wish {
  chatId: string | undefined;
}

interface ChatWidgetProps {
  /** What the button must never lie over: it gives way. */
  clearOf: string;
}

/**
 * The button at the bottom right, and what it opens (spec 2, Support chat widget). The panel is loaded when it is first
 * wanted, or when this browser has a chat that may have news.
 */
export function ChatWidget({ clearOf }: ChatWidgetProps) {
  const { pathname, key } = useLocation();
  const button = useRef<HTMLAnchorElement>(null);
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [{ shown, unread, online }, setState] = useState(CLOSED);
  const load = useCallback(async () => {
    const { ChatPanel, withStyles } = await import("./ChatPanel");
    await withStyles();
    setPanel(() => ChatPanel);
  }, []);
  const [wish, setWish] = useWish(load);
  const onTaken = useCallback(() => setWish(null), [setWish]);
  useNews(load, setState);
  useClearOf(button, clearOf, key + shown);
  if (PAGES.test(pathname)) return null;
  return (
    <aside aria-label="Chat">
      <a className="ask" href="/chat" ref={button} hidden={shown !== "closed"}>
        <MessageCircle className="i" aria-hidden="true" />
        {online && <span className="ask-on" aria-hidden="true" />}
        <span className="ask-t">Ask us</span>
        {unread > 0 && (
          <span className="ask-new">
            {unread}
            <span className="sr"> unread</span>
          </span>
        )}
      </a>
      {Panel && <Panel wish={wish} onTaken={onTaken} button={button} onState={setState} />}
    </aside>
  );
}

/** Hears the event, and links to /chat, which open the panel in place of the page. */
function useWish(load: () => Promise<void>) {
  const navigate = useNavigate();
  const [wish, setWish] = useState<Wish | null>(null);
  useEffect(() => {
    const open = (chatId?: string) => {
      if (PAGES.test(window.location.pathname)) return navigate(chatId ? `/chat/${chatId}` : "/chat");
      setWish({ chatId });
      load().catch(() => showToast("error", "Unable to open support chat."));
    };
    const heard = (event: Event) => open((event as CustomEvent<{ chatId?: string } | null>).detail?.chatId);
    const clicked = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a[href="/chat"]');
      const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
      if (!link || !plain || PAGES.test(window.location.pathname)) return;
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
  return [wish, setWish] as const;
}

/** Pages are the same for everyone: whether the seller is there and has written is asked once the page is at rest. */
function useNews(load: () => Promise<void>, setState: (state: PanelState) => void) {
  useEffect(() => {
    const ask = async () => {
      if (remembered() || shownBefore() !== "closed") return load();
      const answer = await fetch("/api/chat/settings");
      const { isOnline } = (await answer.json()) as { isOnline?: boolean };
      setState({ ...CLOSED, online: isOnline === true });
    };
    // Nobody has asked for it: without an answer there is no news. A panel that stood open is back at once.
    const timer = setTimeout(() => ask().catch(() => undefined), shownBefore() === "closed" ? AT_REST : 0);
    return () => clearTimeout(timer);
  }, [load, setState]);
}

/**
 * The button gives way where it would lie over one that the page is about.
 *
 * @param scene changes with what is on the page
 */
function useClearOf(button: RefObject<HTMLElement | null>, clearOf: string, scene: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scene has other buttons
  useEffect(() => {
    let observer: IntersectionObserver | undefined;
    const look = () => {
      observer?.disconnect();
      const { current } = button;
      if (current?.offsetWidth)
        observer = watching(current, clearOf, (over) => current.toggleAttribute("data-away", over));
    };
    look();
    window.addEventListener("resize", look);
    return () => {
      window.removeEventListener("resize", look);
      observer?.disconnect();
    };
  }, [button, clearOf, scene]);
}

/** @param onOver told whether any of what `clearOf` selects lies where the button stands when it hasn't given way */
function watching(button: HTMLElement, clearOf: string, onOver: (over: boolean) => void) {
  const over = new Set<Element>();
  const { clientWidth, clientHeight } = document.documentElement;
  const { offsetTop: top, offsetLeft: left, offsetWidth, offsetHeight } = button;
  const margin = [top, clientWidth - left - offsetWidth, clientHeight - top - offsetHeight, left];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) over[isIntersecting ? "add" : "delete"](target);
      onOver(over.size > 0);
    },
    { rootMargin: margin.map((side) => `${-Math.max(0, side)}px`).join(" ") },
  );
  for (const control of document.querySelectorAll(clearOf)) observer.observe(control);
  return observer;
}
