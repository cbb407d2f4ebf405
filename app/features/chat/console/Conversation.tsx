import { Form, Link } from "@remix-run/react";
import { useRef, useState } from "react";
import { Icon } from "~/ui/Icon";
import { NEW_CUSTOMER } from "../limits";
import type { ChatMessage } from "../protocol";
import type { History } from "../rooms";
import { CartCard } from "./CartCard";
import { dateAndTime } from "./time-format";
import { MessageStream } from "./MessageStream";
import type { ConsolePage } from "./page.server";
import { consoleAddress } from "./params";
import { ReplyBox } from "./ReplyBox";
import type { Refused } from "./rejected-form";
import type { useConsole } from "./useConsole";
import { useTalk } from "./useTalk";

interface ConversationProps {
  page: ConsolePage;
  history: History;
  live: ReturnType<typeof useConsole>;
  refused: Refused | undefined;
}

/** An open conversation: header, what was in the cart, messages, and the reply. */
export function Conversation({ page, history: { chat, messages }, live, refused }: ConversationProps) {
  const { place, timezone, responses, cart } = page;
  const [isQuick, setQuick] = useState(place.isQuick);
  const input = useRef<HTMLTextAreaElement>(null);
  const closeQuick = () => {
    setQuick(false);
    document.querySelector<HTMLElement>("[data-quick]")?.focus();
  };
  const replied = ({ message, timestamp }: ChatMessage) => {
    const listed = live.chats.find(({ id }) => id === chat.id) ?? chat;
    live.changed({ ...listed, lastMessage: message, lastMessageTime: timestamp });
    // On success the input clears, unless something else stands there by now (back office 4).
    if (input.current?.value.trim() === message) input.current.value = "";
  };
  const talk = useTalk(chat.id, messages, replied, live.talkLine);
  return (
    <div className="conversation">
      <TalkHead
        page={page}
        chat={chat}
        isQuick={isQuick}
        onQuick={() => (isQuick ? closeQuick() : setQuick(true))}
      />
      {cart && cart.lines.length > 0 && <CartCard cart={cart} />}
      <MessageStream talk={talk} name={chat.userName || NEW_CUSTOMER} now={page.now} timezone={timezone} />
      <ReplyBox
        chatId={chat.id}
        input={input}
        responses={responses?.filter(({ isActive }) => isActive) ?? []}
        isQuick={isQuick}
        onQuickChosen={() => setQuick(false)}
        onQuickClosed={closeQuick}
        fill={place.fill}
        refused={refused}
        send={talk.send}
        typing={talk.typing}
      />
    </div>
  );
}

interface TalkHeadProps {
  page: ConsolePage;
  chat: History["chat"];
  isQuick: boolean;
  onQuick: () => void;
}

function TalkHead({ page, chat, isQuick, onQuick }: TalkHeadProps) {
  const { place, timezone } = page;
  const started = `Started ${dateAndTime(chat.createdAt.seconds, timezone)}`;
  return (
    <header>
      <Link className="tool-button back" to={consoleAddress()} aria-label="Back to chats">
        <Icon name="arrow-left" />
      </Link>
      <div className="grow">
        <h2 className="truncate">{chat.userName || NEW_CUSTOMER}</h2>
        <p className="truncate">{chat.userEmail ? `${chat.userEmail} · ${started}` : started}</p>
      </div>
      <QuickToggle chatId={chat.id} isQuick={isQuick} onQuick={onQuick} />
      <Link
        className="btn quiet"
        to={consoleAddress({ tab: place.tab, chat: chat.id, delete: chat.id })}
        preventScrollReset
      >
        <Icon name="trash-2" className="i s" />
        <span>Delete Chat</span>
      </Link>
    </header>
  );
}

function QuickToggle({
  chatId,
  isQuick,
  onQuick,
}: {
  chatId: string;
  isQuick: boolean;
  onQuick: () => void;
}) {
  return (
    <Form
      method="get"
      action="/admin/chat"
      onSubmit={(event) => {
        event.preventDefault();
        onQuick();
      }}
    >
      <input type="hidden" name="chat" value={chatId} />
      <button
        type="submit"
        className="btn"
        name={isQuick ? undefined : "quick"}
        value="1"
        aria-haspopup="menu"
        aria-expanded={isQuick}
        aria-controls="quick"
        data-quick
      >
        <Icon name="zap" className="i s" />
        <span>Quick Responses</span>
      </button>
    </Form>
  );
}
