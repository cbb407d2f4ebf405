import { useLocation, useNavigate } from "@remix-run/react";
import { type ComponentType, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { showToast } from "~/ui/Toasts";
import type { PanelProps, PanelState } from "./ChatPanel";
import { remembered, shownBefore } from "../client/storage";
import { OPEN_CHAT } from "./open-chat";
import { useReader } from "./useReader";

/** Milliseconds after which a page that is at rest asks for what is new. */
const AT_REST = 1500;
const CLOSED: PanelState = { shown: "closed", unread: 0, online: false };
/** What the button keeps between itself and others, and how far it moves up for them, px. */
const AIR = 8;
const FAR = 240;
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

/** The widget of this page's reader: another account's begins anew. */
export function ChatWidget(props: ChatWidgetProps) {
  return <Widget key={useReader()} {...props} />;
}

/**
 * The button at the bottom right, and what it opens (spec 2, Support chat widget). The panel is loaded when it is first
 * wanted, or when this browser has a chat that may have news.
 */
function Widget({ clearOf }: ChatWidgetProps) {
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
  const opener = useFocusBack(shown, button);
  const onTaken = useCallback(() => setWish(null), [setWish]);
  useNews(load, setState);
  useClearOf(button, clearOf, key + shown);
  if (PAGES.test(pathname)) return null;
  return (
    <aside aria-label="Chat">
      <a className="chat-launcher" href="/chat" ref={button} hidden={shown !== "closed"}>
        <Icon name="message-circle" />
        {online && <span className="chat-launcher-online" aria-hidden="true" />}
        <span className="chat-launcher-label">Ask us</span>
        {unread > 0 && (
          <span className="chat-launcher-count">
            {unread}
            <span className="visually-hidden"> unread</span>
          </span>
        )}
      </a>
      {Panel && <Panel wish={wish} onTaken={onTaken} opener={opener} onState={setState} />}
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

/** When the panel closes, and the button is to be seen again, the focus goes back to where it was, or else there. */
function useFocusBack(shown: PanelState["shown"], button: RefObject<HTMLElement | null>) {
  const opener = useRef<Element | null>(null);
  const before = useRef(shown);
  useEffect(() => {
    const hasClosed = shown === "closed" && before.current !== "closed";
    before.current = shown;
    const places = hasClosed ? [opener.current, button.current] : [];
    const place = places.find((element) => element?.checkVisibility() && element !== document.body);
    if (place instanceof HTMLElement) place.focus();
  }, [shown, button]);
  return opener;
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
 * The button gives way where it would lie over one that the page is about: it moves up, and where it would have to go
 * far, out of sight.
 *
 * @param scene changes with what is on the page
 */
function useClearOf(button: RefObject<HTMLElement | null>, clearOf: string, scene: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scene has other buttons
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const { current } = button;
        if (!current?.offsetWidth) return;
        const up = wayUp(current, document.querySelectorAll(clearOf));
        current.style.setProperty("--chat-launcher-up", `${-up}px`);
        current.toggleAttribute("data-away", up > FAR);
      });
    };
    const grown = new ResizeObserver(look);
    grown.observe(document.body);
    window.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      cancelAnimationFrame(frame);
      grown.disconnect();
      window.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [button, clearOf, scene]);
}

/** How far up the button must go from its own place to lie over none of them, px. */
function wayUp(
  { offsetTop, offsetLeft, offsetWidth, offsetHeight }: HTMLElement,
  controls: Iterable<Element>,
) {
  const near = [...controls]
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, left, right }) => width && left < offsetLeft + offsetWidth && right > offsetLeft)
    .sort((one, other) => other.bottom - one.bottom);
  let top = offsetTop;
  for (const control of near)
    if (control.top < top + offsetHeight + AIR && control.bottom > top - AIR)
      top = control.top - offsetHeight - AIR;
  return offsetTop - top;
}
