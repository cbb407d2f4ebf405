import type { ChatMessage } from "../protocol";

/** What a reader has written and the shop has not confirmed yet. */
export interface Unsent {
  /** The client's: sent again under the same one, so that it is stored once. */
  id: string;
  message: string;
  failed: boolean;
}

/** A conversation as the panel knows it; messages by seq. */
export interface Talk {
  messages: ChatMessage[];
  unsent: Unsent[];
}

/** What happens to it. */
export type Happening =
  | { type: "read"; messages: ChatMessage[] }
  | { type: "stored"; message: ChatMessage }
  | { type: "sending"; id: string; message: string }
  | { type: "failed"; id: string };

export const NOTHING_SAID: Talk = { messages: [], unsent: [] };

/** The conversation after something happened: a message is in it once, whichever way it came (spec 4). */
export function talkAfter(talk: Talk, happening: Happening): Talk {
  switch (happening.type) {
    case "read":
      return happening.messages.reduce(withMessage, talk);
    case "stored":
      return withMessage(talk, happening.message);
    case "sending": {
      const { id, message } = happening;
      return {
        ...talk,
        unsent: [...talk.unsent.filter((one) => one.id !== id), { id, message, failed: false }],
      };
    }
    case "failed":
      return {
        ...talk,
        unsent: talk.unsent.map((one) => (one.id === happening.id ? { ...one, failed: true } : one)),
      };
  }
}

/** @returns seq of the last message; 0 for none */
export const lastSeq = ({ messages }: Talk) => messages.at(-1)?.seq ?? 0;

function withMessage({ messages, unsent }: Talk, message: ChatMessage): Talk {
  const waiting = unsent.filter(({ id }) => id !== message.id);
  if (messages.some(({ id }) => id === message.id)) return { messages, unsent: waiting };
  const all = [...messages, message].sort((one, other) => one.seq - other.seq);
  return { messages: all, unsent: waiting };
}
