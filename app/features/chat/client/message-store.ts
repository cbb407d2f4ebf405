import type { ChatMessage } from "../protocol";

/** What a reader has written and the shop has not confirmed yet. */
export interface Unsent {
  /** The client's: sent again under the same one, so that it is stored once. */
  id: string;
  message: string;
  failed: boolean;
  /** The shop said no: it waits for its button. What only did not arrive is sent when the line is back. */
  refused?: boolean;
}

/** A conversation as the panel knows it; messages by seq. */
export interface Talk {
  messages: ChatMessage[];
  unsent: Unsent[];
}

/**
 * What happens to it. `sentAs` is the id of the reader's own message that was stored; `nextId` is another id for one
 * whose own was taken.
 */
export type Happening =
  | { type: "read"; messages: ChatMessage[] }
  | { type: "stored"; message: ChatMessage; sentAs?: string }
  | { type: "sending"; id: string; message: string }
  | { type: "failed"; id: string; refused?: boolean; nextId?: string };

/**
 * A conversation that has not been read yet.
 *
 * @param unsent what an earlier page or visit could not send
 */
export function talkBefore(unsent: Omit<Unsent, "failed">[]): Talk {
  return { messages: [], unsent: unsent.map((one) => ({ ...one, failed: true })) };
}

/** The conversation after something happened: a message is in it once, whichever way it came (spec 4). */
export function talkAfter(talk: Talk, happening: Happening): Talk {
  switch (happening.type) {
    case "read":
      return withMessages(talk, happening.messages);
    case "stored": {
      const unsent = talk.unsent.filter(({ id }) => id !== happening.sentAs);
      return withMessages({ ...talk, unsent }, [happening.message]);
    }
    case "sending": {
      const { id, message } = happening;
      const sending = { id, message, failed: false };
      if (!talk.unsent.some((one) => one.id === id)) return { ...talk, unsent: [...talk.unsent, sending] };
      return { ...talk, unsent: talk.unsent.map((one) => (one.id === id ? sending : one)) };
    }
    case "failed": {
      const { id, refused, nextId = id } = happening;
      const failed = (one: Unsent) =>
        one.id === id ? { ...one, id: nextId, failed: true, ...(refused && { refused }) } : one;
      return { ...talk, unsent: talk.unsent.map(failed) };
    }
  }
}

/** @returns seq of the last message; 0 for none */
export const lastSeq = ({ messages }: Talk) => messages.at(-1)?.seq ?? 0;

/**
 * seq of the last message with none missing before it: what came after it is asked for when the line is back. One may
 * come by POST while those before it are still on their way.
 */
export function knownUpTo({ messages }: Talk): number {
  let known = 0;
  for (const { seq } of messages) if (seq === known + 1) known = seq;
  return known;
}

function withMessages({ messages, unsent }: Talk, come: ChatMessage[]): Talk {
  const all = new Map([...messages, ...come].map((message) => [message.id, message]));
  return {
    messages: [...all.values()].sort((one, other) => one.seq - other.seq),
    // Another message may have its id: then it isn't said yet.
    unsent: unsent.filter(({ id, message }) => all.get(id)?.message !== message),
  };
}
