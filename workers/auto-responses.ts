import { matchingResponses, triggerKey } from "~/features/chat/trigger-matching";
import { SUPPORT_TEAM } from "~/features/chat/limits";
import type { ChatMessage } from "~/features/chat/protocol";
import type { Answers } from "~/features/chat/rooms";
import type { ChatLog } from "./chat-log.queries";

/** A trigger is answered once in this time (contract: Chat), in milliseconds. */
const ONCE_IN = 60_000;
/** The shop keeps quiet while a person has answered so lately, in milliseconds. */
const PERSON_WAS_HERE = 10 * 60_000;

/**
 * Says something in the shop's name, without a person.
 *
 * @param what part of the message's id; a client's id can't look like it
 */
export function postAsShop(log: ChatLog, what: string, message: string): ChatMessage {
  const id = `${log.chat().id}:${what}`;
  return log.append({ id, message, isFromAdmin: true, senderName: SUPPORT_TEAM, by: "shop" }, Date.now());
}

/** Stores what a visitor begins the chat with. */
export function appendFirst(log: ChatLog, message: string, senderName: string): ChatMessage {
  const id = crypto.randomUUID();
  return log.append({ id, message, isFromAdmin: false, senderName, by: "beginning" }, Date.now());
}

/**
 * Answers what the visitor has said since the last time (contract: Settled, Chat): the offline message once a chat,
 * and to each trigger its response.
 *
 * @returns what was said
 */
export function autoRespond(log: ChatLog, { settings, responses }: Answers): ChatMessage[] {
  const said: ChatMessage[] = [];
  if (!settings.isOnline && settings.offlineMessage && log.chat().offline_told === 0) {
    said.push(postAsShop(log, "offline", settings.offlineMessage));
    log.set({ offline_told: 1 });
  }
  if (settings.autoResponseEnabled) said.push(...answerTriggers(log, responses));
  log.set({ answered_seq: log.lastSeq() });
  return said;
}

function answerTriggers(log: ChatLog, responses: Answers["responses"]): ChatMessage[] {
  const now = Date.now();
  if (log.timeOfLatestBut(0, "seller") > now - PERSON_WAS_HERE) return [];
  const heard = log.after(log.chat().answered_seq).filter((message) => !message.isFromAdmin);
  return heard
    .flatMap(({ message }) => matchingResponses(message, responses))
    .flatMap(({ trigger, response }) => {
      const key = triggerKey(trigger);
      if (log.toldAt(key) > now - ONCE_IN) return [];
      log.setTold(key, now);
      return [postAsShop(log, `auto:${crypto.randomUUID()}`, response)];
    });
}
