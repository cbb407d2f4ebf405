import { type RefObject, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { newId } from "../client-id";
import { NEW_CUSTOMER } from "../limits";
import type { Live } from "./connection";
import type { ServerEvent } from "../protocol";
import { TYPING_FOR, typingTold } from "./typing";
import { type Happening, knownUpTo, talkAfter, talkBefore, type Unsent } from "./message-store";
import { postMessage, Refusal, readChat, words } from "./api";
import { keepWords, wordsFor } from "./storage";
import { useLine } from "../widget/useLine";

/** What a panel or page shows of a chat, and what can be done in it. */
export type Conversation = ReturnType<typeof useConversation>;

/** Status of a message whose id another one has. */
const ID_TAKEN = 409;

/** Why a chat can't go on here: the seller deleted it, or it isn't this reader's. */
export type Gone = "deleted" | "foreign";

/**
 * A chat, live: its messages, the line, who is writing. Another chat is another call: key what calls it by the chat.
 *
 * @param chatId null before one has begun: then only the line to the lobby is held
 * @param waits no line is opened yet
 */
export function useConversation(chatId: string | null, onGone: (why: Gone) => void, waits = false) {
  const [talk, happen] = useReducer(talkAfter, chatId, (id) => talkBefore(id ? wordsFor(id).unsent : []));
  const [name, setName] = useState<string | null>(null);
  const [typist, setTypist] = useTypist();
  const known = useRef(talk);
  known.current = talk;
  const onEvent = ({ event, data }: ServerEvent) => {
    if (event === "new-message" && data.chatId === chatId) {
      happen({ type: "stored", message: data });
      if (data.isFromAdmin) setTypist(null);
    }
    if (event === "user-typing" && data.chatId === chatId) setTypist(data.isTyping ? data.senderName : null);
  };
  const read = useReading(chatId, onGone, (chat, messages) => {
    setName(chat.userName);
    happen({ type: "read", messages });
  });
  const { line, online, live } = useLine({
    chatId,
    waits,
    known: () => knownUpTo(known.current),
    onEvent,
    onDeleted: () => onGone("deleted"),
    onLost: read,
  });
  const senderName = name ?? NEW_CUSTOMER;
  const { typing, send } = useSaying(chatId, senderName, live, happen);
  useKept(chatId, talk.unsent);
  useSendingOn(line === "on" && name !== null, talk.unsent, send);
  return {
    talk,
    name: senderName,
    typist,
    line,
    online,
    send,
    typing,
    reconnect: () => live.current?.reconnect(),
  };
}

/** Reads the chat at once, and again whenever somebody asks whether it is still there. */
function useReading(
  chatId: string | null,
  onGone: (why: Gone) => void,
  onRead: (
    ...read: [chat: { userName: string }, messages: Awaited<ReturnType<typeof readChat>>["messages"]]
  ) => void,
) {
  const latest = useRef({ onGone, onRead });
  latest.current = { onGone, onRead };
  const read = useCallback(async () => {
    if (!chatId) return;
    try {
      const { chat, messages } = await readChat(chatId);
      latest.current.onRead(chat, messages);
    } catch (error) {
      // Failures are ignored (spec 7), but a chat that can't be read can't be written to either.
      const status = error instanceof Refusal && error.status;
      if (status === 404) latest.current.onGone("deleted");
      if (status === 403) latest.current.onGone("foreign");
    }
  }, [chatId]);
  useEffect(() => void read(), [read]);
  return read;
}

/** How the reader speaks: that they write, and what. */
function useSaying(
  chatId: string | null,
  senderName: string,
  live: RefObject<Live>,
  happen: (happening: Happening) => void,
) {
  const typing = useMemo(
    () => typingTold((event) => chatId && live.current?.say({ event, data: { chatId, senderName } })),
    [chatId, live, senderName],
  );
  const send = async (message: string, id = newId()) => {
    typing.stopped();
    if (chatId && message.trim()) await post({ chatId, message, senderName, id }, happen);
  };
  return { typing, send };
}

/** What is not said yet is kept for the next page. */
function useKept(chatId: string | null, unsent: Unsent[]): void {
  useEffect(() => {
    if (chatId) keepWords(chatId, { unsent: unsent.map(({ failed: _, ...one }) => one) });
  }, [chatId, unsent]);
}

/** When the line is there again, what could not be sent meanwhile is sent: one after the other, each under its id. */
function useSendingOn(
  isReady: boolean,
  unsent: Unsent[],
  send: (message: string, id: string) => Promise<void>,
): void {
  const latest = useRef({ unsent, send });
  latest.current = { unsent, send };
  useEffect(() => {
    if (!isReady) return;
    let isOver = false;
    const sendOn = async () => {
      const waiting = latest.current.unsent.filter(({ failed, refused }) => failed && !refused);
      for (const { id, message } of waiting) if (!isOver) await latest.current.send(message, id);
    };
    void sendOn();
    return () => {
      isOver = true;
    };
  }, [isReady]);
}

/** Shows a message at once, and what became of it when that is known. */
async function post(
  posting: { chatId: string; message: string; senderName: string; id: string },
  happen: (happening: Happening) => void,
): Promise<void> {
  const { id, message } = posting;
  happen({ type: "sending", id, message });
  try {
    happen({ type: "stored", message: await postMessage({ ...posting, isFromAdmin: false }), sentAs: id });
  } catch (error) {
    const status = error instanceof Refusal ? error.status : 500;
    const nextId = status === ID_TAKEN ? newId() : id;
    happen({ type: "failed", id, refused: status < 500, nextId });
    showToast("error", words(error, "Failed to send message. Please try again."));
  }
}

/** Who is writing, for 3 s after each sign of it. */
function useTypist() {
  const [typist, set] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  const setTypist = useCallback((name: string | null) => {
    clearTimeout(timer.current);
    set(name);
    if (name !== null) timer.current = setTimeout(() => set(null), TYPING_FOR);
  }, []);
  return [typist, setTypist] as const;
}
