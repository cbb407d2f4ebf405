import { ChevronUp, Minus, X } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import chatCss from "~/styles/chat.css?url";
import { lastSeq } from "./bubbles";
import type { Wish } from "./ChatWidget";
import { Details } from "./Details";
import { Dot } from "./Dot";
import { Messages } from "./Messages";
import { keepShown, type Remembered, remember, remembered, type Shown, shownBefore } from "./memory";
import { chatFrom } from "./starting";
import { type Conversation, useConversation } from "./useConversation";
import { Write } from "./Write";

/** What the button shows of the panel. */
export interface PanelState {
  shown: Shown;
  unread: number;
  online: boolean;
}

export interface PanelProps {
  wish: Wish | null;
  /** Where the focus goes back to. */
  button: RefObject<HTMLElement | null>;
  onState(state: PanelState): void;
}

/** Puts the chat's looks on the page, once; done when they are there. */
export function withStyles(): Promise<void> {
  if (document.querySelector(`link[href="${chatCss}"]`)) return Promise.resolve();
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: chatCss });
    link.onload = () => done();
    link.onerror = () => failed(new Error("The chat's style sheet did not load."));
    document.head.appendChild(link);
  });
}

/** The chat: closed, open or a bar (spec 4, Chat widget). Its line is held while it is closed, for the button's badge. */
export function ChatPanel({ wish, button, onState }: PanelProps) {
  const [chat, setChat] = useChat();
  const [shown, onShow] = useShown(wish, setChat, button);
  // Another chat begins with nothing said, and with a line of its own.
  return <OneChat key={chat?.chatId} {...{ chat, setChat, shown, onShow, onState }} />;
}

interface OneChatProps extends Pick<PanelProps, "onState"> {
  chat: Remembered | null;
  setChat(chat: Remembered | null): void;
  shown: Shown;
  onShow(shown: Shown): void;
}

function OneChat({ chat, setChat, shown, onShow, onState }: OneChatProps) {
  const onGone = useCallback(() => setChat(null), [setChat]);
  const conversation = useConversation(chat?.chatId ?? null, onGone);
  const { talk, online } = conversation;
  const last = lastSeq(talk);
  const seen = chat?.seen ?? 0;
  const unread = talk.messages.filter(({ isFromAdmin, seq }) => isFromAdmin && seq > seen).length;
  useEffect(() => {
    if (shown === "open" && chat && last > seen) setChat({ ...chat, seen: last });
  }, [shown, chat, seen, last, setChat]);
  useEffect(() => onState({ shown, unread, online }), [onState, shown, unread, online]);
  if (shown === "closed") return null;
  if (shown === "bar") return <Bar {...conversation} unread={unread} onShow={onShow} />;
  return (
    <Panel {...conversation} onShow={onShow}>
      {chat ? (
        <>
          <Messages {...conversation} />
          <Write
            placeholder="Type your message..."
            onTyping={conversation.typing}
            onSend={said(conversation)}
          />
        </>
      ) : (
        <Details onBegun={(chatId) => setChat({ chatId, seen: 0 })} />
      )}
    </Panel>
  );
}

const said = (conversation: Conversation) => (text: string) => {
  void conversation.send(text);
  return true;
};

/** The chat that this browser is in, kept for its next page and visit. */
function useChat() {
  const [chat, set] = useState(remembered);
  const setChat = useCallback((next: Remembered | null) => {
    remember(next);
    set(next);
  }, []);
  return [chat, setChat] as const;
}

/** Opens at each wish, on the chat it names or else on the latest; gives the focus back when it closes. */
function useShown(wish: Wish | null, setChat: (chat: Remembered) => void, button: PanelProps["button"]) {
  const [shown, set] = useState(shownBefore);
  const opener = useRef<Element | null>(null);
  const show = useCallback(
    (next: Shown) => {
      keepShown(next);
      set(next);
      if (next !== "closed") return;
      // The button is to be seen again only when this has been drawn.
      const back =
        opener.current?.isConnected && opener.current !== document.body ? opener.current : button.current;
      setTimeout(() => (back as HTMLElement | null)?.focus());
    },
    [button],
  );
  useEffect(() => {
    if (!wish) return;
    opener.current = document.activeElement;
    for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
    show("open");
    const chatId = wish.chatId ?? remembered()?.chatId;
    const take = (id: string | null) =>
      id && setChat({ chatId: id, seen: remembered()?.chatId === id ? (remembered()?.seen ?? 0) : 0 });
    // Whose cookie or account has a chat takes it up; without an answer their details are asked for.
    if (chatId) take(chatId);
    else chatFrom("/chat").then(take, () => undefined);
  }, [wish, show, setChat]);
  return [shown, show] as const;
}

interface FrameProps extends Conversation {
  onShow(shown: Shown): void;
}

function Panel({ line, onShow, children }: FrameProps & { children: ReactNode }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // A finger would bring up the keyboard over what was said.
    const field = matchMedia("(pointer: fine)").matches && panel.current?.querySelector("textarea");
    (field || panel.current)?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onShow("closed");
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
      <header className="chat-head">
        <Dot line={line} />
        <h2 id="chat-t">Support Chat</h2>
        <button type="button" className="icon-btn" aria-label="Minimise" onClick={() => onShow("bar")}>
          <Minus className="i" aria-hidden="true" />
        </button>
        <button type="button" className="icon-btn" aria-label="Close chat" onClick={() => onShow("closed")}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      {children}
    </section>
  );
}

function Bar({ line, unread, onShow }: FrameProps & { unread: number }) {
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => open.current?.focus(), []);
  return (
    <div className="chat-bar chat-head">
      <Dot line={line} />
      <button type="button" className="chat-open" ref={open} onClick={() => onShow("open")}>
        Support Chat
        {unread > 0 && (
          <span className="count">
            {unread}
            <span className="sr"> unread</span>
          </span>
        )}
        <ChevronUp className="i" aria-hidden="true" />
      </button>
      <button type="button" className="icon-btn" aria-label="Close chat" onClick={() => onShow("closed")}>
        <X className="i" aria-hidden="true" />
      </button>
    </div>
  );
}
