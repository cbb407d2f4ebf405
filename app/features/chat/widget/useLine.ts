import { useEffect, useRef, useState } from "react";
import { CLOSED } from "../limits";
import { connect, type Line, type Live } from "../client/connection";
import type { ServerEvent } from "../protocol";
import { readSettings } from "../client/api";

interface LineOptions {
  /** null: the lobby's. */
  chatId: string | null;
  /** Which of them it is to be isn't known yet: no line is opened. */
  waits: boolean;
  /** seq of the last message with none missing before it. */
  known(): number;
  onEvent(event: ServerEvent): void;
  onDeleted(): void;
  /** Nothing comes any more, and nobody said why: is the chat still there? */
  onLost(): void;
}

/**
 * The live connection of a chat, or of the lobby, and whether the seller is there: asked anew each time the line is
 * there again.
 *
 * @returns `online` null until it is known
 */
export function useLine(options: LineOptions) {
  const { chatId, waits } = options;
  const [line, setLine] = useState<Line>("connecting");
  const [online, setOnline] = useState<boolean | null>(null);
  const live = useRef<Live | null>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (waits) return;
    live.current = connect({
      query: () => (chatId ? `chat=${encodeURIComponent(chatId)}&after=${latest.current.known()}` : ""),
      onEvent(event) {
        if (event.event === "chat-status-change") setOnline(event.data.isOnline);
        else latest.current.onEvent(event);
      },
      onLine(now) {
        setLine(now);
        if (now === "lost") latest.current.onLost();
        // Failures are ignored (spec 7).
        if (now === "on") readSettings().then(({ isOnline }) => setOnline(isOnline), ignored);
      },
      onEnd: (code) => code === CLOSED.chatGone && latest.current.onDeleted(),
    });
    return () => live.current?.close();
  }, [chatId, waits]);
  return { line, online, live };
}

const ignored = () => undefined;
