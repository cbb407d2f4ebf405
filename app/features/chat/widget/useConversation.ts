import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { CLOSED, NEW_CUSTOMER } from "../limits";
import type { ServerEvent } from "../protocol";
import { type Happening, lastSeq, NOTHING_SAID, talkAfter } from "./bubbles";
import { postMessage, Refusal, readChat, readSettings, words } from "./calls";
import { connect, type Line, type Live } from "./live";

/** Spec 9: how long the typing indicator stands, and how long after the last key it is taken back, milliseconds. */
const TYPING_FOR = 3000;
const STOP_AFTER = 2000;

/** What a panel or page shows of a chat, and what can be done in it. */
export type Conversation = ReturnType<typeof useConversation>;

/**
 * A chat, live: its messages, the line, who is writing.
 *
 * @param chatId null before one has begun: then only the line to the lobby is held
 * @param onGone the chat is not this reader's, or no more
 */
export function useConversation(chatId: string | null, onGone: () => void) {
  const [talk, happen] = useReducer(talkAfter, NOTHING_SAID);
  const [name, setName] = useState(NEW_CUSTOMER);
  const [typist, setTypist] = useTypist();
  const known = useRef(talk);
  known.current = talk;
  const onEvent = useCallback(
    ({ event, data }: ServerEvent) => {
      if (event === "new-message" && data.chatId === chatId) {
        happen({ type: "stored", message: data });
        if (data.isFromAdmin) setTypist(null);
      }
      if (event === "user-typing" && data.chatId === chatId)
        setTypist(data.isTyping ? data.senderName : null);
    },
    [chatId, setTypist],
  );
  const { line, online, live } = useLive(chatId, () => lastSeq(known.current), onEvent, onGone);
  useEffect(() => {
    if (!chatId) return;
    readChat(chatId).then(
      ({ chat, messages }) => {
        setName(chat.userName);
        happen({ type: "read", messages });
      },
      // Failures are ignored (spec 7), but a chat that can't be read can't be written to either.
      (error) => error instanceof Refusal && [403, 404].includes(error.status) && onGone(),
    );
  }, [chatId, onGone]);
  const send = async (message: string, id: string = crypto.randomUUID()) => {
    if (chatId && message.trim()) await post({ chatId, message, senderName: name, id }, happen);
  };
  const typing = useTyping(live, chatId, name);
  return { talk, name, typist, line, online, send, typing, reconnect: () => live.current?.reconnect() };
}

/** Shows a message at once, and what became of it when that is known. */
async function post(
  posting: { chatId: string; message: string; senderName: string; id: string },
  happen: (happening: Happening) => void,
): Promise<void> {
  const { id, message } = posting;
  happen({ type: "sending", id, message });
  try {
    happen({ type: "stored", message: await postMessage({ ...posting, isFromAdmin: false }) });
  } catch (error) {
    happen({ type: "failed", id });
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

/** The line; the settings are read anew each time it is there again. */
function useLive(
  chatId: string | null,
  after: () => number,
  onEvent: (event: ServerEvent) => void,
  onGone: () => void,
) {
  const [line, setLine] = useState<Line>("connecting");
  const [online, setOnline] = useState(false);
  const live = useRef<Live | null>(null);
  const latest = useRef(after);
  latest.current = after;
  useEffect(() => {
    live.current = connect({
      chatId,
      after: () => latest.current(),
      onEvent(event) {
        if (event.event === "chat-status-change") setOnline(event.data.isOnline);
        else onEvent(event);
      },
      onLine(now) {
        setLine(now);
        if (now === "on")
          readSettings().then(
            ({ isOnline }) => setOnline(isOnline),
            () => undefined,
          );
      },
      onEnd: (code) => code === CLOSED.chatGone && onGone(),
    });
    return () => live.current?.close();
  }, [chatId, onEvent, onGone]);
  return { line, online, live };
}

/** Tells the others on every change, and 2 s after the last one that it was the last; `false`: it is sent. */
function useTyping(live: { current: Live | null }, chatId: string | null, senderName: string) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return (isTyping: boolean) => {
    clearTimeout(timer.current);
    if (!chatId) return;
    const stop = () => live.current?.send("stop-typing", { chatId, senderName });
    if (!isTyping) return stop();
    live.current?.send("typing", { chatId, senderName });
    timer.current = setTimeout(stop, STOP_AFTER);
  };
}
