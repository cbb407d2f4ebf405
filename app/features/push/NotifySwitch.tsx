import { useCallback, useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";
import { useLatest } from "~/ui/latest";
import {
  browserSubscription,
  isOfKey,
  isPushDenied,
  isPushSupported,
  readPushKey,
  saveSubscription,
  turnOff,
  turnOn,
} from "./browser";

/** Chats whose visitor is notified in this browser; the shop knows, but only the browser can renew it. */
const STORAGE_KEY = "emporia:push-chats";
const MAX_CHATS = 20;

const NOTES = {
  unsupported:
    "This browser has no notifications. On an iPhone or iPad, add the shop to the home screen first.",
  denied: "This browser blocks our notifications. You can allow them in its settings for this site.",
  failed: "Notifications could not be changed. Please try again.",
};

export interface NotifyMeProps {
  chatId: string;
  /** Receives whether this browser is notified. */
  onChange(isOn: boolean): void;
}

/** Switch for notifications of answers, on request only; absent until the shop has answered with its key. */
export function NotifySwitch({ chatId, onChange }: NotifyMeProps) {
  const [key, setKey] = useState<string | null>(null);
  const [isOn, set] = useState(false);
  const latest = useLatest(onChange);
  const setOn = useCallback(
    (on: boolean) => {
      set(on);
      latest.current(on);
    },
    [latest],
  );
  const [note, setNote] = useState<keyof typeof NOTES | null>(null);
  useEffect(() => {
    const load = async () => {
      const key = await readPushKey();
      setKey(key);
      setOn(await renew(chatId, key));
    };
    load().catch(() => undefined);
  }, [chatId, setOn]);
  if (key === null) return null;
  const change = async () => {
    setNote(null);
    try {
      const failure = isOn ? await stop() : await start(chatId, key);
      setNote(failure);
      if (!failure) setOn(!isOn);
    } catch {
      setNote("failed");
    }
  };
  return (
    <div className="chat-notify">
      <button type="button" className="chat-link" aria-pressed={isOn} onClick={change}>
        <Icon name="bell" /> {isOn ? "We'll notify you. Turn off" : "Notify me"}
      </button>
      <p role="status">{note && NOTES[note]}</p>
    </div>
  );
}

/** Starts notifications. @returns the reason why the browser does not notify; null when it does */
async function start(chatId: string, key: string): Promise<"unsupported" | "denied" | null> {
  if (!isPushSupported()) return "unsupported";
  if (isPushDenied() || !(await turnOn("visitor", key, chatId))) return "denied";
  storeChats([chatId, ...storedChats().filter((id) => id !== chatId)].slice(0, MAX_CHATS));
  return null;
}

async function stop(): Promise<null> {
  await turnOff("visitor");
  storeChats([]);
  return null;
}

/** Renews the subscription to a chat: it may have ended with a session, or with former keys of browser or shop. */
async function renew(chatId: string, key: string): Promise<boolean> {
  if (!storedChats().includes(chatId)) return false;
  const subscription = await browserSubscription("visitor");
  if (!subscription) return false;
  if (!isOfKey(subscription, key)) return turnOn("visitor", key, chatId);
  await saveSubscription(subscription, chatId);
  return true;
}

function storedChats(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function storeChats(chatIds: string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(chatIds));
  } catch {
    // Without storage the subscription lasts until the browser renews its keys.
  }
}
