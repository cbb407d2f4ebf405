import { SUPPORT_TEAM } from "~/features/chat/limits";
import { typedText } from "~/features/chat/message-links";
import type { ChatMessage, ProductCard } from "~/features/chat/protocol";
import { fillPlaceholders, matchingResponses, triggerKey } from "~/features/chat/responses";
import type { AutoReplies, ChatCartLine, InitialMessage } from "~/features/chat/rooms";
import type { ChatLog } from "./chat-log";

/** Milliseconds in which a trigger is answered once. */
const TRIGGER_INTERVAL_MS = 60_000;
/** Milliseconds without automatic responses after a person has written an answer. */
const PERSON_PRESENT_MS = 10 * 60_000;

/**
 * Appends an automatic message.
 *
 * @param suffix of the message's id, which differs from client ids by its colon
 */
export function postAsShop(log: ChatLog, suffix: string, message: string): ChatMessage {
  const id = `${log.chat().id}:${suffix}`;
  return log.append({ id, message, isFromAdmin: true, senderName: SUPPORT_TEAM, by: "shop" }, Date.now());
}

/** Appends the message that a visitor starts (`by` initial) or continues the chat with. */
export function appendFirst(
  log: ChatLog,
  initial: InitialMessage,
  by: "initial" | "person",
  id: string = crypto.randomUUID(),
): ChatMessage {
  const message = { ...initial, id, isFromAdmin: false, by };
  return log.append({ ...message, senderName: log.chat().user_name }, Date.now());
}

/**
 * Answers the visitor's messages since the last call: with the offline message, once per chat, and with the response to
 * each trigger.
 *
 * @returns the appended messages
 */
export function autoRespond(log: ChatLog, replies: AutoReplies): ChatMessage[] {
  const { isOnline, offlineMessage } = replies.settings;
  const about = {
    name: log.chat().user_name,
    product: "",
    pickup: replies.pickup,
    words: "",
    ...replies.place,
  };
  const appended: ChatMessage[] = [];
  if (!isOnline && offlineMessage && log.chat().offline_told === 0) {
    appended.push(postAsShop(log, "offline", fillPlaceholders(offlineMessage, about)));
    log.set({ offline_told: 1 });
  }
  for (const { trigger, text } of triggeredResponses(log, replies)) {
    if (log.lastTriggeredAt(trigger) > Date.now() - TRIGGER_INTERVAL_MS) continue;
    log.setTriggered(trigger, Date.now());
    appended.push(postAsShop(log, `auto:${crypto.randomUUID()}`, text));
  }
  log.set({ answered_seq: log.lastSeq() });
  return appended;
}

/** Marks the visitor's messages as answered if nothing answers them. @returns false for messages that are to be answered */
export function settleUnanswered(log: ChatLog, replies: AutoReplies): boolean {
  if (!replies.settings.isOnline || triggeredResponses(log, replies).length > 0) return false;
  log.set({ answered_seq: log.lastSeq() });
  return true;
}

/** Lists the responses to the visitor's messages since the last answer; none while a person writes. */
function triggeredResponses(log: ChatLog, { settings, responses, pickup, place }: AutoReplies) {
  if (!settings.autoResponseEnabled) return [];
  if (log.timeOfNthLatest(0, "staff") > Date.now() - PERSON_PRESENT_MS) return [];
  const lines = log.lines();
  const values = { name: log.chat().user_name, product: lines[0]?.name ?? "", pickup, ...place };
  const received = log.after(log.chat().answered_seq).filter((message) => !message.isFromAdmin);
  return received.flatMap((message) =>
    matchingResponses(typedText(message), responses).map(({ trigger, response }) => ({
      trigger: triggerKey(trigger),
      text: fillPlaceholders(response, { ...values, words: wordsFor(message, lines) }),
    })),
  );
}

/** Finds the words to engrave on what a message is about; "" for none. */
function wordsFor({ cards = [] }: ChatMessage, lines: ChatCartLine[]): string {
  const card = cards.find(({ type }) => type === "product") as ProductCard | undefined;
  const subject = card?.productId ?? lines[0]?.productId;
  const line = lines.find(({ productId, engraving }) => productId === subject && engraving);
  return card?.engraving ?? line?.engraving ?? "";
}
