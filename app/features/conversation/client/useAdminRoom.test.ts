import { describe, expect, it } from "vitest";
import { unreadLabel } from "~/ui/UnreadCount";
import { NO_COUNTS, totalUnread, type UnreadAction, unreadReducer } from "./useAdminRoom";

const totalAfter = (...actions: UnreadAction[]) =>
  totalUnread(actions.reduce(unreadReducer, NO_COUNTS))?.count;
const changed = (chatId: string, count: number): UnreadAction => ({ type: "changed", chatId, count });
const loaded = (counts: Record<string, number>): UnreadAction => ({
  type: "loaded",
  counts,
  isMore: false,
});

describe("unread counts of all chats", () => {
  it("are unknown before the first read", () => {
    expect(totalAfter({ type: "connected" }, changed("a", 2))).toBeUndefined();
  });

  it("add up the read and the changes since", () => {
    expect(totalAfter(loaded({ a: 2, b: 1 }), changed("a", 0), changed("c", 4))).toBe(5);
  });

  it("keep a change that arrived before the read of its connection", () => {
    expect(totalAfter({ type: "connected" }, changed("a", 3), loaded({ a: 2 }))).toBe(3);
  });

  it("drop the changes of an earlier connection, once the new one's read has arrived", () => {
    const before: UnreadAction[] = [loaded({ a: 1 }), changed("a", 3), { type: "connected" }];
    expect(totalAfter(...before)).toBe(3);
    expect(totalAfter(...before, loaded({}))).toBe(0);
  });

  it("say that there are more than the read has", () => {
    const state = unreadReducer(NO_COUNTS, { type: "loaded", counts: { a: 2 }, isMore: true });
    const unread = totalUnread(unreadReducer(state, changed("b", 1)));
    expect(unread && unreadLabel(unread)).toBe("3+");
  });
});
