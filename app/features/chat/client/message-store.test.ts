import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../protocol";
import { knownUpTo, lastSeq, type Talk, talkAfter, talkBefore } from "./message-store";

const said = (seq: number, id = `m${seq}`): ChatMessage => ({
  id,
  chatId: "c",
  message: `said ${seq}`,
  isFromAdmin: false,
  senderName: "Tolu",
  timestamp: { seconds: seq, nanoseconds: 0 },
  seq,
});
const NOTHING = talkBefore([]);
const idsOf = ({ messages }: Talk) => messages.map(({ id }) => id);
const stored = (talk: Talk, message: ChatMessage) => talkAfter(talk, { type: "stored", message });

describe("a conversation's bubbles", () => {
  it("a message that came by POST and by the line is there once (spec 4)", () => {
    const talk = [said(1), said(2), said(2), said(1)].reduce(stored, NOTHING);
    expect(idsOf(talk)).toEqual(["m1", "m2"]);
  });

  it("stands in the order of seq, whichever way it came", () => {
    const talk = talkAfter(stored(stored(NOTHING, said(4)), said(2)), {
      type: "read",
      messages: [said(1), said(2), said(3)],
    });
    expect(idsOf(talk)).toEqual(["m1", "m2", "m3", "m4"]);
  });

  it("catches up from the last message that has all before it, not from the last one", () => {
    const talk = [said(1), said(2), said(5)].reduce(stored, NOTHING);
    expect(knownUpTo(talk)).toBe(2);
    expect(lastSeq(talk)).toBe(5);
    expect(knownUpTo(NOTHING)).toBe(0);
  });

  it("500 missed messages come in at once, in order and without a double", () => {
    const all = Array.from({ length: 500 }, (_, at) => said(at + 1));
    const talk = talkAfter([said(499), said(500)].reduce(stored, NOTHING), {
      type: "read",
      messages: all.reverse(),
    });
    expect(talk.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
  });

  it("what is sent shows at once, waits, and gives way to what was stored under its id", () => {
    const sending = talkAfter(NOTHING, { type: "sending", id: "mine", message: "said 1" });
    expect(sending.unsent).toEqual([{ id: "mine", message: "said 1", failed: false }]);
    const done = stored(sending, said(1, "mine"));
    expect(done.unsent).toEqual([]);
    expect(idsOf(done)).toEqual(["mine"]);
  });

  it("what failed says so, and keeps its place and its id when it is sent again", () => {
    let talk = talkAfter(NOTHING, { type: "sending", id: "a", message: "first" });
    talk = talkAfter(talk, { type: "sending", id: "b", message: "second" });
    talk = talkAfter(talk, { type: "failed", id: "a" });
    expect(talk.unsent.map(({ id, failed }) => [id, failed])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    talk = talkAfter(talk, { type: "sending", id: "a", message: "first" });
    expect(talk.unsent.map(({ id, failed }) => [id, failed])).toEqual([
      ["a", false],
      ["b", false],
    ]);
  });

  it("what has another message's id stays unsent, and goes on under a new id", () => {
    const sending = talkAfter(NOTHING, { type: "sending", id: "m1", message: "Mine" });
    let talk = stored(sending, said(1));
    expect(talk.unsent).toEqual([{ id: "m1", message: "Mine", failed: false }]);
    talk = talkAfter(talk, { type: "failed", id: "m1", refused: true, nextId: "new" });
    expect(talk.unsent).toEqual([{ id: "new", message: "Mine", failed: true, refused: true }]);
    talk = talkAfter(talk, { type: "sending", id: "new", message: "Mine" });
    talk = talkAfter(talk, {
      type: "stored",
      message: { ...said(2, "new"), message: "Mine" },
      sentAs: "new",
    });
    expect(talk.unsent).toEqual([]);
    expect(idsOf(talk)).toEqual(["m1", "new"]);
  });

  it("what was stored in the server's words is not unsent any more", () => {
    const sending = talkAfter(NOTHING, { type: "sending", id: "mine", message: "a\r\nb" });
    const message = { ...said(1, "mine"), message: "a\nb" };
    expect(talkAfter(sending, { type: "stored", message, sentAs: "mine" }).unsent).toEqual([]);
  });

  it("what an earlier visit could not send waits, unless it had arrived all the same", () => {
    const talk = talkBefore([
      { id: "lost", message: "Lost" },
      { id: "m1", message: "said 1" },
    ]);
    expect(talk.unsent.every(({ failed }) => failed)).toBe(true);
    const read = talkAfter(talk, { type: "read", messages: [said(1)] });
    expect(read.unsent.map(({ id }) => id)).toEqual(["lost"]);
  });
});
