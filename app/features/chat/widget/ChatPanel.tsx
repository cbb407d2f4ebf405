import { type MutableRefObject, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import chatCss from "~/features/chat/widget/chat.css?url";
import { showToast } from "~/ui/Toasts";
import { lastSeq } from "../client/message-store";
import type { Wish } from "./ChatWidget";
import { Details } from "./StartDetails";
import { Messages } from "./Messages";
import {
  forgetAll,
  keepShown,
  moveWords,
  type Remembered,
  remember,
  remembered,
  type Shown,
  shownBefore,
} from "../client/storage";
import { Bar, Panel } from "./Panel";
import { latestChat } from "./StartChatForm.";
import { type Conversation, type Gone, useConversation } from "../client/useConversation";
import { Write } from "./Composer";

/** What the button shows of the panel. */
export interface PanelState {
  shown: Shown;
  unread: number;
  online: boolean;
}

export interface PanelProps {
  wish: Wish | null;
  /** The wish is taken up. */
  onTaken(): void;
  /** Is told where the focus goes back to when the panel closes. */
  opener: MutableRefObject<Element | null>;
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
export function ChatPanel({ wish, onTaken, opener, onState }: PanelProps) {
  const [chat, setChat] = useChat();
  const [gone, setGone] = useState<Gone | null>(null);
  const { shown, onShow, isWanted } = useShown(opener);
  const { setAsking, ...asking } = useAsking(wish !== null);
  const asked = useRef<string>();
  useEffect(() => {
    if (!wish) return;
    onTaken();
    setGone(null);
    asked.current = wish.chatId;
    onShow("open");
    const known = wish.chatId ?? remembered()?.chatId;
    setAsking(!known);
    if (known) return setChat(resumed(known));
    void latestChat().then((chatId) => {
      if (chatId) setChat(resumed(chatId));
      setAsking(false);
    });
  }, [wish, onTaken, onShow, setChat, setAsking]);
  const onGone = (why: Gone) => {
    if (why === "foreign" && asked.current) showToast("error", "Unable to open support chat.");
    if (chat && why === "deleted") moveWords(chat.chatId);
    if (why === "foreign") forgetAll();
    setGone(why);
    setChat(null);
  };
  // Another chat begins with nothing said, and with a line of its own.
  const one = { chat, setChat, ...asking, gone, onGone, shown, onShow, isWanted, onState };
  return <OneChat key={chat?.chatId} {...one} />;
}

interface OneChatProps extends Pick<PanelProps, "onState"> {
  chat: Remembered | null;
  setChat(chat: Remembered | null): void;
  /** Whether this reader has a chat is not known yet. */
  isAsking: boolean;
  /** No line is opened yet. */
  waits: boolean;
  gone: Gone | null;
  onGone(why: Gone): void;
  shown: Shown;
  onShow(shown: Shown): void;
  isWanted: RefObject<boolean>;
}

function OneChat({ chat, setChat, isAsking, waits, gone, onGone, shown, onShow, ...rest }: OneChatProps) {
  const { isWanted, onState } = rest;
  const conversation = useConversation(chat?.chatId ?? null, onGone, waits);
  const { talk, line, online, reconnect } = conversation;
  const last = lastSeq(talk);
  const seen = chat?.seen ?? 0;
  const unread = talk.messages.filter(({ isFromAdmin, seq }) => isFromAdmin && seq > seen).length;
  useEffect(() => {
    if (shown === "open" && chat && last > seen) setChat({ ...chat, seen: last });
  }, [shown, chat, seen, last, setChat]);
  useEffect(() => onState({ shown, unread, online: online === true }), [onState, shown, unread, online]);
  if (shown === "closed") return null;
  const frame = { line, online, reconnect, isWanted, isAsking, onShow };
  if (shown === "bar") return <Bar {...frame} unread={unread} />;
  return (
    <Panel {...frame}>
      {chat ? (
        <Talk chatId={chat.chatId} conversation={conversation} />
      ) : isAsking ? (
        <p className="chat-day">One moment...</p>
      ) : (
        <Details gone={gone} online={online} onBegun={(chatId) => setChat({ chatId, seen: 0 })} />
      )}
    </Panel>
  );
}

/** The conversation, and the field to write in. */
export function Talk({ chatId, conversation }: { chatId: string; conversation: Conversation }) {
  const { send, typing } = conversation;
  const onSend = (text: string) => {
    send(text);
    return true;
  };
  return (
    <>
      <Messages {...conversation} />
      <Write chatId={chatId} placeholder="Type your message..." typing={typing} onSend={onSend} />
    </>
  );
}

/** The chat that this browser is in, kept for its next page and visit. */
function useChat() {
  const [chat, set] = useState(remembered);
  const setChat = useCallback((next: Remembered | null) => {
    remember(next);
    set(next);
  }, []);
  return [chat, setChat] as const;
}

/** Which line is wanted is known once the first wish is taken up; one that is held then stays. */
function useAsking(isWished: boolean) {
  const [isAsking, setAsking] = useState(isWished);
  const waits = useRef(isWished);
  waits.current &&= isAsking;
  return { isAsking, waits: waits.current, setAsking };
}

/** A chat that is taken up: what was seen of it before stays seen. */
function resumed(chatId: string): Remembered {
  const before = remembered();
  return before?.chatId === chatId ? before : { chatId, seen: 0 };
}

/** How much is to be seen; what opens notes where the focus was. */
function useShown(opener: PanelProps["opener"]) {
  const [shown, setShown] = useState(shownBefore);
  const isWanted = useRef(false);
  const isOpen = useRef(shown !== "closed");
  const onShow = useCallback(
    (next: Shown) => {
      // What was opened from a dialog takes its place, and gives the focus back to where the dialog would have.
      if (next === "open")
        for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) dialog.close();
      if (!isOpen.current) opener.current = document.activeElement;
      isOpen.current = next !== "closed";
      isWanted.current = true;
      keepShown(next);
      setShown(next);
    },
    [opener],
  );
  return { shown, onShow, isWanted };
}
