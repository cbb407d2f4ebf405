import { useRouteLoaderData } from "@remix-run/react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Answerer } from "~/features/chat/rooms";
import { authorLabel, staffLabel } from "~/features/chat/staff-label";
import { formatReplyTime } from "~/features/chat/time";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { useSite } from "~/ui/site";
import type { ConnectionState } from "../client/connection";
import { storePanelView } from "../client/panel-storage";
import type { PanelView } from "../client/storage";
import type { Focus } from "./useView";
import type { VisitorChat } from "./useVisitorChat";

interface FrameProps {
  takesFocus: RefObject<Focus>;
  setView(view: PanelView): void;
}

interface PanelProps extends FrameProps {
  chat: VisitorChat;
  /** The panel has no input field yet. */
  isSearching: boolean;
  children: ReactNode;
}

/** Panel frame: header, notices and content. */
export function Panel({ chat, takesFocus, isSearching, setView, children }: PanelProps) {
  const { state, isOnline, reconnect } = chat;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!takesFocus.current || isSearching) return;
    // On a touch screen the keyboard would cover the messages, unless it is there already.
    const isTyping = takesFocus.current === "field" || matchMedia("(pointer: fine)").matches;
    const field = isTyping && panel.current?.querySelector("textarea");
    (field || panel.current)?.focus();
  }, [takesFocus, isSearching]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setView("closed");
  };
  return (
    <section
      className="chat"
      role="dialog"
      aria-labelledby="chat-t"
      tabIndex={-1}
      ref={panel}
      onKeyDown={onKeyDown}
    >
      <ChatHead
        answerer={chat.person}
        state={state}
        isOnline={isOnline}
        controls={<FrameButtons hasChat={chat.store.messages.length > 0} setView={setView} />}
      >
        <h2 id="chat-t">Support Chat</h2>
        <span role="status">{availability(state, isOnline, chat.answerer?.back)}</span>
      </ChatHead>
      <div>
        <ConnectionNote state={state} reconnect={reconnect} />
        <StaffNote />
      </div>
      {children}
    </section>
  );
}

function availability(state: ConnectionState, isOnline: boolean | null, back = ""): string | null {
  if (!state.startsWith("connect")) return null;
  if (isOnline !== null) return isOnline ? "Online" : back || "Away";
  return state === "connecting" ? "Connecting..." : null;
}

interface ChatHeadProps extends Pick<VisitorChat, "isOnline"> {
  answerer: Answerer | null;
  /** Missing without a live connection. */
  state?: ConnectionState;
  controls?: ReactNode;
  children: ReactNode;
}

/** Head of the chat: the person who answers, no name before they are known, and how soon they usually do while online, with the hours. */
export function ChatHead({ answerer, state, isOnline, controls, children }: ChatHeadProps) {
  const { name } = useSite();
  const label = answerer && (answerer.answererName ? staffLabel(answerer) : name);
  const seconds = isOnline ? answerer?.replySeconds : null;
  return (
    <header className="chat-head">
      <Face answerer={answerer} state={state} isOnline={isOnline} />
      <div className="chat-head-text">
        {children}
        <p>
          {label}
          {seconds != null && ` usually replies in ${formatReplyTime(seconds)}`}
        </p>
        {answerer?.hours && <p>{answerer.hours}</p>}
      </div>
      {controls}
    </header>
  );
}

/** Picture of the person who answers, else their initial, with the connection state. */
function Face({ answerer, state, isOnline }: Pick<ChatHeadProps, "answerer" | "state" | "isOnline">) {
  const { name } = useSite();
  return (
    <span className="chat-face">
      {answerer?.answererPicture ? (
        <Picture image={answerer.answererPicture} alt="" sizes="40px" width={40} />
      ) : (
        <span aria-hidden="true">{answerer && (answerer.answererName || name)[0]}</span>
      )}
      {state && <ConnectionDot state={state} isAway={isOnline === false} />}
    </span>
  );
}

function FrameButtons({ hasChat, setView }: Pick<FrameProps, "setView"> & { hasChat: boolean }) {
  const isShop = useRouteLoaderData("routes/_shop") !== undefined;
  return (
    <>
      {isShop && hasChat && (
        <Link to="/chat" aria-label="My conversations">
          <Icon name="messages-square" />
        </Link>
      )}
      <button type="button" aria-label="Minimise" onClick={() => setView("bar")}>
        <Icon name="minus" />
      </button>
      <CloseButton setView={setView} />
    </>
  );
}

/** Bar of a minimised panel, with the last message. */
export function Bar({
  chat,
  unread,
  takesFocus,
  setView,
}: FrameProps & { chat: VisitorChat; unread: number }) {
  const last = chat.store.messages.at(-1);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!takesFocus.current) return;
    button.current?.focus();
    // Where a bar of the page takes the place of this one.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(".buy-bar-ask, .favourites-ask button")?.focus();
  }, [takesFocus]);
  return (
    <div className="chat-bar chat-head">
      <button type="button" className="chat-open" ref={button} onClick={() => setView("open")}>
        <Face answerer={chat.person} state={chat.state} isOnline={chat.isOnline} />
        <span className="chat-head-text">
          Support Chat
          {last && (
            <small className="truncate">{`${authorLabel(last, chat.answerer)}: ${last.message.split("\n", 1)[0]}`}</small>
          )}
        </span>
        {unread > 0 && (
          <span className="chat-bar-count">
            {unread}
            <span className="visually-hidden"> unread</span>
          </span>
        )}
        <Icon name="chevron-up" />
      </button>
      <CloseButton setView={setView} />
    </div>
  );
}

function CloseButton({ setView }: Pick<FrameProps, "setView">) {
  return (
    <button type="button" aria-label="Close chat" onClick={() => setView("closed")}>
      <Icon name="x" />
    </button>
  );
}

/**
 * Connection state: a green or red dot with its text alternative; grey while the first connection opens. It is hollow while
 * the shop is away: a full green dot means the same here and on the button.
 */
function ConnectionDot({ state, isAway }: { state: ConnectionState; isAway: boolean }) {
  const lost = ["Disconnected", " off"];
  const [name, look] = {
    connecting: ["Connecting", " wait"],
    connected: ["Connected", isAway ? " away" : ""],
    reconnecting: lost,
    disconnected: lost,
  }[state];
  return <span className={`chat-dot${look}`} role="img" aria-label={name} />;
}

/** Notice of a lost connection; its button appears once the first attempts have failed. */
export function ConnectionNote({ state, reconnect }: Pick<VisitorChat, "state" | "reconnect">) {
  const isLost = state === "reconnecting" || state === "disconnected";
  return <div role="status">{isLost && <p className="chat-note">{lossOf(state, reconnect)}</p>}</div>;
}

function lossOf(state: ConnectionState, reconnect: () => void): ReactNode {
  if (!navigator.onLine) return "You're offline. What you write waits here.";
  if (state === "reconnecting") return "Connection lost. Reconnecting...";
  return (
    <>
      Connection lost.{" "}
      <button type="button" className="chat-link" onClick={reconnect}>
        Reconnect
      </button>
    </>
  );
}

interface ShopData {
  user: { isAdmin: boolean; isManager: boolean; isSeller: boolean } | null;
}

/** Detects a member of staff, who writes as the shop. */
export function useIsStaff(): boolean {
  const shop = useRouteLoaderData("routes/_shop") as ShopData | undefined;
  const isAdminPage = useRouteLoaderData("routes/admin") !== undefined;
  const user = shop?.user;
  return isAdminPage || user?.isAdmin || user?.isManager || user?.isSeller || false;
}

/** Tells staff that they write as the shop here, and links to the console. */
export function StaffNote() {
  if (!useIsStaff()) return null;
  return (
    <p className="chat-note soft">
      You write as Support Team here.{" "}
      <a href="/admin/chat" onClick={() => storePanelView("bar")}>
        Answer customers in the console
      </a>
    </p>
  );
}
