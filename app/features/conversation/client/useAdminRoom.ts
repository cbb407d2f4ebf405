import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import { CLOSED } from "~/features/chat/limits";
import type { ChatNote, ChatView, ServerEvent } from "~/features/chat/protocol";
import { closeNotification } from "~/features/push/workers";
import { useLatest } from "~/ui/latest";
import type { Unread } from "~/ui/UnreadCount";
import { readUnread, type UnreadCounts } from "./api";
import { type Connection, type ConnectionState, connect, useRetryOnNavigation } from "./connection";

type NewMessage = Extract<ServerEvent, { event: "new-user-message" }>["data"];

interface AdminRoomOptions {
  /** Called for a visitor's message, after the sound. */
  onMessage(data: NewMessage): void;
  /** Receives a chat that staff have changed, null for a deleted one, and the name of who assigned it to a colleague. */
  onUpdate(chatId: string, chat: ChatView | null, assignedBy?: string): void;
  /** Receives a note of staff, also one that has been changed. */
  onNote?(note: ChatNote): void;
  /** Receives the ids of a note that is taken back. */
  onNoteRemoved?(note: Pick<ChatNote, "chatId" | "id">): void;
  /** Reports that the connection is back: events may have been missed. */
  onReconnected?(): void;
}

/**
 * Connects to the admin room, which reports visitors' messages and colleagues' changes, and counts the unread messages.
 *
 * @returns `unread` is null until the counts are read
 */
export function useAdminRoom(options: AdminRoomOptions) {
  const [counts, dispatch] = useReducer(unreadReducer, NO_COUNTS);
  const setUnread = useCallback(
    (chatId: string, count: number) => dispatch({ type: "changed", chatId, count }),
    [],
  );
  const onEvent = ({ event, data }: ServerEvent) => {
    if (event === "new-user-message") {
      setUnread(data.chatId, data.chat.unreadCount);
      playSound();
      options.onMessage(data);
    }
    if (event === "chat-updated") {
      setUnread(data.chatId, data.chat?.unreadCount ?? 0);
      if (!data.chat?.unreadCount) void closeNotification("staff", data.chatId);
      options.onUpdate(data.chatId, data.chat, data.assignedBy);
    }
    if (event === "new-note") options.onNote?.(data);
    if (event === "note-removed") options.onNoteRemoved?.(data);
  };
  const onConnected = (wasLost: boolean) => {
    dispatch({ type: "connected" });
    readUnread().then(
      ({ chats, isMore }) => dispatch({ type: "loaded", counts: chats, isMore }),
      // The badge keeps its number; the next connection reads again.
      () => undefined,
    );
    if (wasLost) options.onReconnected?.();
  };
  const { state, reconnect } = useAdminConnection({ onEvent, onConnected });
  const unread = useMemo(() => totalUnread(counts), [counts]);
  return { state, reconnect, unread, setUnread };
}

interface ConnectionHandlers {
  onEvent(event: ServerEvent): void;
  /** Called when the connection has opened. @param wasLost events may have been missed */
  onConnected(wasLost: boolean): void;
}

/** Keeps a connection to the admin room open while the component is mounted. */
function useAdminConnection(handlers: ConnectionHandlers) {
  const [state, setState] = useState<ConnectionState>("connecting");
  const connection = useRef<Connection>();
  const { revalidate } = useRevalidator();
  const latest = useLatest({ ...handlers, revalidate });
  useRetryOnNavigation();
  useEffect(() => {
    const cancelSound = enableSound();
    let wasLost = false;
    const opened = connect({
      query: () => "room=admin",
      joinEvent: (visible) => ({ event: "join-admin", data: { visible } }),
      onEvent: (event) => latest.current.onEvent(event),
      onStateChange(next) {
        setState(next);
        if (next === "connected") latest.current.onConnected(wasLost);
        wasLost = next !== "connected";
      },
      // Reloading redirects to the sign-in page when the session or the role has ended.
      onEnd: (code) => code === CLOSED.sessionEnded && latest.current.revalidate(),
    });
    connection.current = opened;
    return () => {
      cancelSound();
      opened.send({ event: "leave-admin" });
      opened.close();
    };
  }, [latest]);
  return { state, reconnect: () => connection.current?.reconnect() };
}

/** Unread messages of the latest unread chats: a read of the server's counts, and the changes that live events reported. */
interface UnreadState {
  /** null before the first read. */
  loaded: UnreadCounts | null;
  /** There were more unread chats than the read has. */
  isMore: boolean;
  /** Changes that the read may not contain. */
  live: UnreadCounts;
  /** Changes since the current connection was opened, which the next read may not contain. */
  sinceConnected: UnreadCounts;
}

export type UnreadAction =
  | { type: "connected" }
  | { type: "loaded"; counts: UnreadCounts; isMore: boolean }
  | { type: "changed"; chatId: string; count: number };

export const NO_COUNTS: UnreadState = { loaded: null, isMore: false, live: {}, sinceConnected: {} };

/** Applies an action. A read replaces the events before its connection, since some may have been missed. */
export function unreadReducer(state: UnreadState, action: UnreadAction): UnreadState {
  switch (action.type) {
    case "connected":
      return { ...state, sinceConnected: {} };
    case "loaded":
      return { ...state, loaded: action.counts, isMore: action.isMore, live: state.sinceConnected };
    case "changed": {
      const change = { [action.chatId]: action.count };
      return {
        ...state,
        live: { ...state.live, ...change },
        sinceConnected: { ...state.sinceConnected, ...change },
      };
    }
  }
}

/** Returns the number of unread messages; null before the first read. */
export function totalUnread({ loaded, live, isMore }: UnreadState): Unread | null {
  if (!loaded) return null;
  return { count: Object.values({ ...loaded, ...live }).reduce((sum, count) => sum + count, 0), isMore };
}

const TONE_HERTZ = 880;
const TONE_SECONDS = 0.12;
const VOLUME = 0.15;
/** Fades out at the end, since an abrupt end clicks. */
const FADE_SECONDS = 0.015;

/** Seconds between two sounds, however many messages come. */
const TONE_PAUSE = 1;

let audio: AudioContext | undefined;
let silentUntil = 0;

/**
 * Enables the sound on the first key or pointer press, which browsers require.
 *
 * @returns a function that stops waiting for the press
 */
function enableSound(): () => void {
  const waiting = new AbortController();
  const enable = () => {
    audio ??= new AudioContext();
    void audio.resume();
    waiting.abort();
  };
  for (const press of ["pointerdown", "keydown"])
    window.addEventListener(press, enable, { signal: waiting.signal });
  return () => waiting.abort();
}

/** Plays the sound once; silent before the first press, and for messages that come right after another one. */
function playSound(): void {
  if (audio?.state !== "running" || audio.currentTime < silentUntil) return;
  silentUntil = audio.currentTime + TONE_PAUSE;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const end = audio.currentTime + TONE_SECONDS;
  tone.frequency.value = TONE_HERTZ;
  volume.gain.setValueAtTime(VOLUME, end - FADE_SECONDS);
  volume.gain.linearRampToValueAtTime(0, end);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(end);
}
