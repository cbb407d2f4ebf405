import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  detailsTyped,
  forgetAll,
  handOver,
  keepDetails,
  keepShown,
  keepWords,
  remember,
  remembered,
  shownBefore,
  wordsFor,
} from "./storage";

/** A browser's store, in a Worker that has none. */
function store(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

const refusing = {
  getItem() {
    throw new Error("The browser keeps nothing.");
  },
} as unknown as Storage;

beforeEach(() => {
  vi.stubGlobal("localStorage", store());
  vi.stubGlobal("sessionStorage", store());
});
afterEach(() => vi.unstubAllGlobals());

describe("what one reader leaves to the next", () => {
  const use = () => {
    remember({ chatId: "c", seen: 3 });
    keepWords("c", { draft: "Private" });
    keepDetails({ userName: "Ines", userEmail: "ines@mail.example" });
    keepShown("open");
  };
  const NOTHING = [null, "", "", "closed"];
  const left = () => [remembered(), wordsFor("c").draft, detailsTyped().userName, shownBefore()];

  it.each([
    ["signs out", null],
    ["gives way to another account", "other"],
  ])("is nothing when an account %s", (_, next) => {
    handOver("account");
    use();
    handOver(next);
    expect(left()).toEqual(NOTHING);
  });

  it("is all of it for the same account, and for an anonymous visitor who stays or signs in", () => {
    const ALL = [{ chatId: "c", seen: 3 }, "Private", "Ines", "open"];
    handOver(null);
    use();
    for (const reader of [null, "account", "account"]) {
      handOver(reader);
      expect(left()).toEqual(ALL);
    }
  });

  it("goes tab by tab: one that was left open forgets what it typed when its page is read anew", () => {
    handOver("account");
    use();
    const tab = sessionStorage;
    vi.stubGlobal("sessionStorage", store());
    handOver(null);
    vi.stubGlobal("sessionStorage", tab);
    handOver(null);
    expect(left()).toEqual(NOTHING);
  });

  it("is nothing at once when the chat is closed to the reader", () => {
    use();
    forgetAll();
    expect(left()).toEqual(NOTHING);
  });
});

describe("what a browser remembers of its chat", () => {
  it("is the chat and how far it was seen, until it is forgotten", () => {
    expect(remembered()).toBeNull();
    remember({ chatId: "c", seen: 3 });
    expect(remembered()).toEqual({ chatId: "c", seen: 3 });
    remember(null);
    expect(remembered()).toBeNull();
  });

  it("is nothing where something else stands in its place", () => {
    for (const text of ["{", "null", "7", '"c"', '{"chatId":1,"seen":2}', '{"chatId":"c"}']) {
      localStorage.setItem("emporia:chat", text);
      expect(remembered(), text).toBeNull();
    }
  });

  it("keeps draft and what could not be sent, of one chat at a time", () => {
    keepWords("a", { draft: "Do you" });
    keepWords("a", { unsent: [{ id: "1", message: "Hello" }] });
    expect(wordsFor("a")).toEqual({ draft: "Do you", unsent: [{ id: "1", message: "Hello" }] });
    expect(wordsFor("b")).toEqual({ draft: "", unsent: [] });
    keepWords("b", { draft: "Hi" });
    expect(wordsFor("a")).toEqual({ draft: "", unsent: [] });
  });

  it("leaves out unsent words that make no sense", () => {
    const unsent = [{ id: 1, message: "x" }, null, { id: "2", message: "fit" }];
    localStorage.setItem("emporia:chat-words", JSON.stringify({ of: "a", draft: 5, unsent }));
    expect(wordsFor("a")).toEqual({ draft: "", unsent: [{ id: "2", message: "fit" }] });
  });

  it("knows how the panel stood in this tab", () => {
    expect(shownBefore()).toBe("closed");
    keepShown("bar");
    expect(shownBefore()).toBe("bar");
    sessionStorage.setItem("emporia:chat-shown", '{"shown":"wide"}');
    expect(shownBefore()).toBe("closed");
  });

  it("is nothing, without a fault, in a browser that keeps nothing", () => {
    vi.stubGlobal("localStorage", refusing);
    vi.stubGlobal("sessionStorage", refusing);
    remember({ chatId: "c", seen: 1 });
    keepShown("open");
    expect(remembered()).toBeNull();
    expect(shownBefore()).toBe("closed");
    expect(wordsFor("c")).toEqual({ draft: "", unsent: [] });
  });
});
