import { describe, expect, it } from "vitest";
import type { ChatMessage } from "~/features/chat/protocol";
import {
  type Action,
  initialStore,
  lastContiguousSeq,
  lastSeq,
  type MessageStore,
  messageReducer,
} from "./message-store";

const message = (seq: number, id = `m${seq}`): ChatMessage => ({
  id,
  chatId: "c",
  message: `text ${seq}`,
  isFromAdmin: false,
  senderName: "Tolu",
  timestamp: { seconds: seq, nanoseconds: 0 },
  seq,
});
const EMPTY = initialStore([], []);
const ids = ({ messages }: MessageStore) => messages.map(({ id }) => id);
const stored = (store: MessageStore, added: ChatMessage) =>
  messageReducer(store, { type: "stored", message: added });
const sending = (id: string, text: string): Action => ({ type: "sending", id, message: text, sentAt: 7 });

describe("the message store", () => {
  it("contains a message that arrives by POST and by the connection once", () => {
    const store = [message(1), message(2), message(2), message(1)].reduce(stored, EMPTY);
    expect(ids(store)).toEqual(["m1", "m2"]);
  });

  it("keeps a file with its progress until its message is stored, or until it is cancelled", () => {
    const file = new File(["%PDF-"], "a.pdf");
    const begun = [sending("m1", ""), sending("m2", "")].map((action) => ({ ...action, file }) as Action);
    const [one, two] = begun.reduce(messageReducer, EMPTY).unsent;
    expect([one, two]).toMatchObject([{ id: "m1", file, failed: false }, { id: "m2" }]);
    const store = [...begun, { type: "progress", id: "m1", progress: 0.5 } as const].reduce(
      messageReducer,
      EMPTY,
    );
    expect(store.unsent.map(({ progress }) => progress)).toEqual([0.5, undefined]);
    expect(stored(store, message(1)).unsent.map(({ id }) => id)).toEqual(["m2"]);
    expect(messageReducer(store, { type: "cancelled", id: "m2" }).unsent.map(({ id }) => id)).toEqual(["m1"]);
  });

  it("sorts by seq", () => {
    const store = messageReducer(stored(stored(EMPTY, message(4)), message(2)), {
      type: "loaded",
      messages: [message(1), message(2), message(3)],
    });
    expect(ids(store)).toEqual(["m1", "m2", "m3", "m4"]);
  });

  it("starts with the loaded messages", () => {
    expect(ids(initialStore([message(2), message(1)], []))).toEqual(["m1", "m2"]);
  });

  it("catches up from the last message without a gap before it", () => {
    const store = [message(1), message(2), message(5)].reduce(stored, EMPTY);
    expect(lastContiguousSeq(store)).toBe(2);
    expect(lastSeq(store)).toBe(5);
    expect(lastContiguousSeq(EMPTY)).toBe(0);
  });

  it("merges 500 missed messages in order and without duplicates", () => {
    const all = Array.from({ length: 500 }, (_, i) => message(i + 1));
    const store = messageReducer([message(499), message(500)].reduce(stored, EMPTY), {
      type: "loaded",
      messages: all.reverse(),
    });
    expect(store.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
  });

  it("replaces a message being sent by the stored one with its id", () => {
    const store = messageReducer(EMPTY, sending("mine", "text 1"));
    expect(store.unsent).toEqual([{ id: "mine", message: "text 1", sentAt: 7, failed: false }]);
    const done = stored(store, message(1, "mine"));
    expect(done.unsent).toEqual([]);
    expect(ids(done)).toEqual(["mine"]);
  });

  it("keeps the position and the id of a failed message on retry", () => {
    let store = messageReducer(EMPTY, sending("a", "first"));
    store = messageReducer(store, sending("b", "second"));
    store = messageReducer(store, { type: "failed", id: "a" });
    expect(store.unsent.map(({ id, failed }) => [id, failed])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    store = messageReducer(store, sending("a", "first"));
    expect(store.unsent.map(({ id, failed }) => [id, failed])).toEqual([
      ["a", false],
      ["b", false],
    ]);
  });

  it("keeps a message whose id is taken as unsent, and resends it under a new id", () => {
    let store = stored(messageReducer(EMPTY, sending("m1", "Mine")), message(1));
    expect(store.unsent).toMatchObject([{ id: "m1", message: "Mine", failed: false }]);
    store = messageReducer(store, { type: "failed", id: "m1", rejected: true, nextId: "new" });
    expect(store.unsent).toMatchObject([{ id: "new", message: "Mine", failed: true, rejected: true }]);
    store = messageReducer(store, { type: "failed", id: "new", rejected: true, reason: "Too large" });
    expect(store.unsent).toMatchObject([{ id: "new", reason: "Too large" }]);
    store = messageReducer(store, sending("new", "Mine"));
    store = messageReducer(store, {
      type: "stored",
      message: { ...message(2, "new"), message: "Mine" },
      sentId: "new",
    });
    expect(store.unsent).toEqual([]);
    expect(ids(store)).toEqual(["m1", "new"]);
  });

  it("removes a sent message that the server has normalised", () => {
    const store = messageReducer(EMPTY, sending("mine", "a\r\nb"));
    const normalised = { ...message(1, "mine"), message: "a\nb" };
    expect(messageReducer(store, { type: "stored", message: normalised, sentId: "mine" }).unsent).toEqual([]);
  });

  it("restores unsent messages of an earlier visit, except those that were stored", () => {
    const store = initialStore(
      [],
      [
        { id: "lost", message: "Lost" },
        { id: "m1", message: "text 1" },
      ],
    );
    expect(store.unsent.every(({ failed }) => failed)).toBe(true);
    const loaded = messageReducer(store, { type: "loaded", messages: [message(1)] });
    expect(loaded.unsent.map(({ id }) => id)).toEqual(["lost"]);
  });
});
