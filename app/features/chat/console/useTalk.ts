import { type MutableRefObject, useEffect, useMemo, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { newId } from "../client-id";
import { SUPPORT_TEAM } from "../limits";
import { connect, type Line, type Live } from "../client/connection";
import type { ChatMessage } from "../protocol";
import { TYPING_FOR, typingTold } from "../client/typing";
import { postReply, Refusal } from "./calls";

/** Status of a reply whose id another message has. */
const ID_TAKEN = 409;

/** A reply on its way. */
export interface Outgoing {
  id: string;
  message: string;
  /** Epoch seconds. */
  at: number;
  hasFailed: boolean;
}

/** The line of the open conversation. */
export interface TalkLine {
  live: MutableRefObject<Live | null>;
  /** Is told how it stands. */
  onLine(line: Line): void;
}

/**
 * One conversation, live: what was loaded, what is said since, and replies on their way.
 *
 * @param loaded in order
 * @param replied told when a reply was stored
 * @param line the conversation's own; must stay the same
 */
export function useTalk(
  chatId: string,
  loaded: ChatMessage[],
  replied: (stored: ChatMessage) => void,
  line: TalkLine,
) {
  const [live, setLive] = useState<ChatMessage[]>([]);
  const messages = useMemo(() => inOrder([...loaded, ...live]), [loaded, live]);
  const add = (message: ChatMessage) => setLive((before) => [...before, message]);
  const { isTyping, typing } = useRoom(chatId, messages.at(-1)?.seq ?? 0, add, line);
  const { outgoing, send } = useSending(chatId, (stored) => {
    add(stored);
    replied(stored);
  });
  const known = new Map(messages.map(({ id, message }) => [id, message]));
  const reply = (message: string) => {
    typing.stopped();
    return send(message);
  };
  // Another message may have a reply's id: then it isn't said yet.
  const unsaid = outgoing.filter(({ id, message }) => known.get(id) !== message);
  return { messages, outgoing: unsaid, isTyping, typing, send: reply };
}

function inOrder(messages: ChatMessage[]): ChatMessage[] {
  const once = new Map(messages.map((message) => [message.seq, message]));
  return [...once.values()].sort((a, b) => a.seq - b.seq);
}

/** Joins the chat's room, and leaves it with the conversation; tells whether the customer is typing, and tells them. */
function useRoom(chatId: string, lastSeq: number, said: (message: ChatMessage) => void, line: TalkLine) {
  const [isTyping, setTyping] = useState(false);
  const latest = useRef({ lastSeq, said });
  latest.current = { lastSeq, said };
  const { live, onLine } = line;
  useEffect(() => {
    let quiet: number | undefined;
    const show = (now: boolean) => {
      window.clearTimeout(quiet);
      setTyping(now);
      if (now) quiet = window.setTimeout(setTyping, TYPING_FOR, false);
    };
    onLine("connecting");
    live.current = connect({
      query: () => `chat=${encodeURIComponent(chatId)}&after=${latest.current.lastSeq}`,
      onEvent(event) {
        if (event.event === "user-typing") show(event.data.isTyping);
        if (event.event !== "new-message") return;
        if (!event.data.isFromAdmin) show(false);
        latest.current.said(event.data);
      },
      onLine,
    });
    return () => {
      window.clearTimeout(quiet);
      live.current?.close();
    };
  }, [chatId, live, onLine]);
  const typing = useMemo(
    () => typingTold((event) => live.current?.say({ event, data: { chatId, senderName: SUPPORT_TEAM } })),
    [chatId, live],
  );
  return { isTyping, typing };
}

function useSending(chatId: string, stored: (message: ChatMessage) => void) {
  const [outgoing, setOutgoing] = useState<Outgoing[]>([]);
  const set = (entry: Outgoing, former = entry.id) =>
    setOutgoing((before) => [...before.filter(({ id }) => id !== former), entry]);
  /**
   * @returns whether it was stored. What has failed is sent again under its own id, so that it is never there twice;
   *   where another message has that id, under a new one.
   */
  const send = async (message: string): Promise<boolean> => {
    const again = outgoing.find((entry) => entry.message === message);
    if (again && !again.hasFailed) return false;
    const entry = { id: again?.id ?? newId(), message, at: Math.floor(Date.now() / 1000), hasFailed: false };
    set(entry);
    try {
      stored(await postReply(chatId, entry.id, message));
      setOutgoing((before) => before.filter(({ id }) => id !== entry.id));
      return true;
    } catch (error) {
      const isTaken = error instanceof Refusal && error.status === ID_TAKEN;
      set({ ...entry, hasFailed: true, ...(isTaken && { id: newId() }) }, entry.id);
      showToast("error", "Failed to send message");
      return false;
    }
  };
  return { outgoing, send };
}
