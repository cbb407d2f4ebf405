import { useLocation, useRouteLoaderData } from "@remix-run/react";
import {
  type ComponentType,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import {
  ASK_BUTTON,
  OPEN_CHAT,
  reportAnswers,
  sendKeptStarts,
  useWaitingAnswers,
} from "~/features/chat/open-chat";
import { Icon } from "~/ui/Icon";
import { listen } from "~/ui/listen";
import { useNavigate } from "~/ui/navigation";
import { isPlainClick } from "~/ui/plain-click";
import { showToast } from "~/ui/Toasts";
import { claimStorage, hasStart, storedChat, storedPanelView } from "../client/storage";
import type { PanelProps, PanelState } from "./ChatPanel";

/** Delay before the page asks for news, so that the request stays out of the first load. */
const IDLE_DELAY_MS = 1500;
const CLOSED: PanelState = { view: "closed", isOnline: false };
/** Gap between the button and other controls, and its largest offset, px. */
const GAP = 4;
const MAX_OFFSET = 300;
const CHAT_PAGES = /^\/chat\b/;

/** Request to open the panel, on a chat or on the latest one. */
export interface OpenRequest {
  chatId: string | undefined;
  /** Product that the reader asks about. */
  productId: string | null;
  /** Fields of the product's page at the press: the reader may leave the page before the panel has loaded. */
  fields: FormData | null;
}

interface ChatWidgetProps {
  /** Selectors of what the button does not cover: of all, and of what it must not where it would have to move far. */
  clearOf: string[];
  /** Unread answers, as the server counted them. */
  answers?: number;
}

/** Chat widget of the page's reader; another account gets a new one. */
export function ChatWidget(props: ChatWidgetProps) {
  return <Widget key={useReaderId()} {...props} />;
}

/**
 * Button at the bottom right, with the panel it opens. The panel is loaded on the first request, or when this browser
 * has a chat that may have new messages.
 */
function Widget({ clearOf, answers = 0 }: ChatWidgetProps) {
  const { pathname, key } = useLocation();
  const button = useRef<HTMLAnchorElement & HTMLButtonElement>(null);
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [{ view, isOnline }, setState] = useState(CLOSED);
  const unread = useWaitingAnswers(answers);
  // The counts of another reader are not this one's.
  useEffect(() => reportAnswers(null), []);
  useEffect(sendKeptStarts, []);
  const load = useCallback(async () => {
    const panel = await import("./ChatPanel");
    await panel.loadPanelStyles();
    setPanel(() => panel.ChatPanel);
  }, []);
  const [request, setRequest] = useOpenRequest(load);
  const onHandled = useCallback(() => setRequest(null), [setRequest]);
  useNews(load, setState);
  useClearOf(button, clearOf, key + view);
  if (CHAT_PAGES.test(pathname)) return null;
  return (
    <aside aria-label="Chat">
      <Launcher isProduct={isProductPage(pathname)} button={button} isHidden={view !== "closed"}>
        <Icon name="message-circle" />
        {isOnline && <span className="chat-launcher-online" aria-hidden="true" />}
        <span className="chat-launcher-label">Ask us</span>
        {unread > 0 && (
          <span className="chat-launcher-count">
            {unread}
            <span className="visually-hidden"> unread</span>
          </span>
        )}
      </Launcher>
      {Panel && (
        <Panel request={request} onHandled={onHandled} button={button} shown={view} onState={setState} />
      )}
    </aside>
  );
}

const isProductPage = (pathname: string) => pathname.startsWith("/products/");

interface LauncherProps {
  isProduct: boolean;
  button: RefObject<HTMLAnchorElement & HTMLButtonElement>;
  isHidden: boolean;
  children: ReactNode;
}

/** Link to the chat; on the page of a product, the button that takes its options along. */
function Launcher({ isProduct, button, isHidden, children }: LauncherProps) {
  const props = {
    className: "chat-launcher",
    ref: button,
    hidden: isHidden,
    children,
    onPointerDown: keepPointer,
  };
  return isProduct ? <button {...ASK_BUTTON} {...props} /> : <a href="/chat?ask" {...props} />;
}

/** Makes a press that began on the button end there: the button may move meanwhile, with the page's scrolling. */
const keepPointer = ({ currentTarget, pointerId }: PointerEvent<HTMLElement>) =>
  currentTarget.setPointerCapture(pointerId);

/** The server has no layout, and React warns about layout effects there. */
const useEarlyEffect = import.meta.env.SSR ? useEffect : useLayoutEffect;

/**
 * Returns the account of the page's reader, "" for an anonymous visitor. Claims the stored chat for them before any
 * component reads it.
 */
function useReaderId(): string {
  const admin = useRouteLoaderData("routes/admin") as { userId: string } | undefined;
  const shop = useRouteLoaderData("routes/_shop") as { user: { id: string } | null } | undefined;
  const isKnown = admin !== undefined || shop !== undefined;
  const userId = admin?.userId ?? shop?.user?.id ?? null;
  const [readerId, setReaderId] = useState(userId);
  useEarlyEffect(() => {
    // An error page has no loader data: the storage keeps its owner.
    if (!isKnown) return;
    claimStorage(userId);
    setReaderId(userId);
  }, [isKnown, userId]);
  return readerId ?? "";
}

/** Turns the page's event and clicks on links to /chat into requests for the panel. */
function useOpenRequest(load: () => Promise<void>) {
  const navigate = useNavigate();
  const [request, setRequest] = useState<OpenRequest | null>(null);
  useEffect(() => {
    const open = (chatId?: string, productId: string | null = null) => {
      if (CHAT_PAGES.test(window.location.pathname))
        return navigate(chatId ? `/chat/${chatId}` : "/chat?ask");
      const isAbout = window.location.pathname === `/products/${productId}`;
      const form = isAbout && document.querySelector<HTMLFormElement>("#buy");
      setRequest({ chatId, productId, fields: form ? new FormData(form) : null });
      load().catch(() => showToast("error", "Unable to open support chat."));
    };
    const onOpenEvent = (event: Event) =>
      open((event as CustomEvent<{ chatId?: string } | null>).detail?.chatId);
    const onClick = (event: MouseEvent) => {
      const link =
        event.target instanceof Element &&
        event.target.closest<HTMLAnchorElement>('a[href="/chat?ask"],a[href^="/chat?product"],[value=ask]');
      if (!link || !isPlainClick(event) || CHAT_PAGES.test(window.location.pathname)) return;
      event.preventDefault();
      // The first click of a double-click has opened it, or closed it and brought the button.
      if (event.detail > 1) return;
      open(
        undefined,
        link.href ? new URLSearchParams(link.search).get("product") : window.location.pathname.slice(10),
      );
    };
    const ignoreEvents = listen(window, [OPEN_CHAT], onOpenEvent, true);
    // Before the notice of a page that is offline, since a loaded panel opens without a request.
    const ignoreClicks = listen(window, ["click"], onClick, true);
    return () => {
      ignoreEvents();
      ignoreClicks();
    };
  }, [load, navigate]);
  return [request, setRequest] as const;
}

/** Asks for the status and new messages once the page is idle: cached pages are the same for everyone. */
function useNews(load: () => Promise<void>, setState: (state: PanelState) => void) {
  useEffect(() => {
    const ask = async () => {
      if (hasStart()) await import("../resumed-start").then((module) => module.resumeStart());
      if (storedChat() || storedPanelView() !== "closed") return load();
      const response = await fetch("/api/chat/settings");
      const { isOnline } = (await response.json()) as { isOnline?: boolean };
      setState({ ...CLOSED, isOnline: isOnline === true });
    };
    // A panel that was open on the previous page is restored without the delay.
    const delay = storedPanelView() === "closed" ? IDLE_DELAY_MS : 0;
    const timer = setTimeout(() => ask().catch(() => undefined), delay);
    return () => clearTimeout(timer);
  }, [load, setState]);
}

/**
 * Moves the button up where it would cover a part of the page, and hides it where it would have to move far.
 *
 * @param scene changes with the page's content
 */
function useClearOf(button: RefObject<HTMLElement | null>, clearOf: string[], scene: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scene has other controls
  useEffect(() => {
    let frame = 0;
    const update = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const { current } = button;
        if (!current?.offsetWidth) return;
        const offset = clearOf
          .map((parts) => offsetAbove(current, document.querySelectorAll(parts)))
          .find((up) => up <= MAX_OFFSET);
        current.style.setProperty("--chat-launcher-up", `-${offset}px`);
        current.toggleAttribute("data-away", offset === undefined);
      });
    };
    const observer = new ResizeObserver(update);
    observer.observe(document.body);
    const ignore = listen(window, ["scroll", "resize"], update);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      ignore();
    };
  }, [button, clearOf, scene]);
}

/** Computes the smallest upward offset at which the button covers none of the parts, px. */
function offsetAbove(
  { offsetTop, offsetLeft, offsetWidth, offsetHeight }: HTMLElement,
  controls: Iterable<Element>,
) {
  const inColumn = [...controls]
    // A closed description has a place.
    .filter((control) => control.checkVisibility())
    .map((control) => control.getBoundingClientRect())
    .filter(({ width, left, right }) => width && left < offsetLeft + offsetWidth && right > offsetLeft)
    .sort((a, b) => b.bottom - a.bottom);
  let top = offsetTop;
  for (const control of inColumn)
    if (control.top < top + offsetHeight + GAP && control.bottom > top - GAP)
      top = control.top - offsetHeight - GAP;
  return offsetTop - top;
}
