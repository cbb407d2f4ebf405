import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestError } from "./api";
import { clearStorage, storeChat, storePanelView } from "./panel-storage";
import { claimStorage, storedChat, storedPanelView } from "./storage";
import { startOnce, storeDetails, storedDetails, storedText, storeText, storeUnsent } from "./unsent";

function memoryStorage(): Storage {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  } as Storage;
}

const blockedStorage = {
  getItem() {
    throw new Error("Storage is blocked.");
  },
} as unknown as Storage;

beforeEach(() => {
  vi.stubGlobal("localStorage", memoryStorage());
  vi.stubGlobal("sessionStorage", memoryStorage());
});
afterEach(() => vi.unstubAllGlobals());

function storeEntries() {
  storeChat({ chatId: "c", seen: 3 });
  storeText("c", { draft: "Private" });
  storeDetails({ userName: "Ines", userEmail: "ines@mail.example" });
  storePanelView("open");
}

const storedEntries = () => [
  storedChat(),
  storedText("c").draft,
  storedDetails().userName,
  storedPanelView(),
];
const empty = [null, "", "", "closed"];
const entries = [{ chatId: "c", seen: 3 }, "Private", "Ines", "open"];

describe("claimStorage", () => {
  it.each([
    ["signs out", null],
    ["is replaced by another account", "other"],
  ])("removes the entries when an account %s", (_, next) => {
    claimStorage("account");
    storeEntries();
    claimStorage(next);
    expect(storedEntries()).toEqual(empty);
  });

  it("keeps the entries of the same account, and of an anonymous visitor who signs in with details of their own", () => {
    claimStorage(null);
    storeEntries();
    for (const reader of [null, "account", "account"]) {
      claimStorage(reader);
      expect(storedEntries()).toEqual(reader ? entries.with(2, "") : entries);
    }
  });

  it("clears each tab on its next page load", () => {
    claimStorage("account");
    storeEntries();
    const tab = sessionStorage;
    vi.stubGlobal("sessionStorage", memoryStorage());
    claimStorage(null);
    vi.stubGlobal("sessionStorage", tab);
    claimStorage(null);
    expect(storedEntries()).toEqual(empty);
  });
});

describe("clearStorage", () => {
  it("removes all entries", () => {
    storeEntries();
    clearStorage();
    expect(storedEntries()).toEqual(empty);
  });
});

describe("stored entries", () => {
  it("contain the chat and the read position until they are removed", () => {
    expect(storedChat()).toBeNull();
    storeChat({ chatId: "c", seen: 3 });
    expect(storedChat()).toEqual({ chatId: "c", seen: 3 });
    storeChat({ chatId: "c", seen: 3, isOver: true });
    expect(storedChat()).toEqual({ chatId: "c", seen: 3, isOver: true });
    storeChat(null);
    expect(storedChat()).toBeNull();
  });

  it("ignore invalid values", () => {
    for (const text of ["{", "null", "7", '"c"', '{"chatId":1,"seen":2}', '{"chatId":"c"}']) {
      localStorage.setItem("emporia:chat", text);
      expect(storedChat(), text).toBeNull();
    }
  });

  it("contain the draft and unsent messages of each chat", () => {
    storeText("a", { draft: "Do you" });
    storeText("a", { unsent: [{ id: "1", message: "Hello" }] });
    expect(storedText("b")).toEqual({ draft: "", unsent: [] });
    storeText("b", { draft: "Hi" });
    expect(storedText("a")).toEqual({ draft: "Do you", unsent: [{ id: "1", message: "Hello" }] });
  });

  it("keep the unsent messages of another tab until this one has restored them", () => {
    const theirs = { id: "theirs", message: "Written in another tab" };
    const own = { id: "own", message: "Written here" };
    storeText("a", { unsent: [theirs] });
    for (const [unsent, stored] of [
      [[], [theirs]],
      [[own], [theirs, own]],
      [[], [theirs]],
    ] as const) {
      storeUnsent("a", [...unsent]);
      expect(storedText("a").unsent).toEqual(stored);
    }
    expect(storeUnsent("a")).toEqual([theirs]);
    storeUnsent("a", []);
    expect(storedText("a").unsent).toEqual([]);
  });

  it("keep unsent messages in the order of writing, whichever tab stores its own again", () => {
    const own = { id: "first", message: "Written here" };
    const theirs = { id: "second", message: "Written in another tab later" };
    storeUnsent("a", [own]);
    storeText("a", { unsent: [own, theirs] });
    storeUnsent("a", [{ ...own, message: "Refused" }]);
    expect(storedText("a").unsent).toEqual([{ ...own, message: "Refused" }, theirs]);
  });

  it("keep the key of a start until it is answered, for the same content", async () => {
    const keys: string[] = [];
    const start = (message: string, outcome: () => Promise<void>) =>
      startOnce({ message }, (key) => {
        keys.push(key);
        return outcome();
      }).catch(() => undefined);
    const lose = () => Promise.reject(new TypeError("The connection is lost."));
    const refuse = () => Promise.reject(new RequestError(409, "Another start"));
    for (const outcome of [lose, lose, refuse, lose]) await start("Hello", outcome);
    await start("Another", lose);
    await start("Another", () => Promise.resolve());
    await start("Another", lose);
    const [first, again, refused, next, other, stored, anew] = keys;
    expect([again, refused, stored]).toEqual([first, first, other]);
    expect(new Set([first, next, other, anew]).size).toBe(4);
    expect(first).toMatch(/^[\da-f]{32}$/);
  });

  it("leave out invalid unsent messages", () => {
    const unsent = [{ id: 1, message: "x" }, null, { id: "2", message: "fit" }];
    localStorage.setItem("emporia:chat-text", JSON.stringify({ a: { unsent } }));
    expect(storedText("a")).toEqual({ draft: "", unsent: [{ id: "2", message: "fit" }] });
  });

  it("contain the view of the panel for the tab", () => {
    expect(storedPanelView()).toBe("closed");
    storePanelView("bar");
    expect(storedPanelView()).toBe("bar");
    sessionStorage.setItem("emporia:chat-panel", '{"view":"wide"}');
    expect(storedPanelView()).toBe("closed");
  });

  it("are empty in a browser that blocks storage", () => {
    vi.stubGlobal("localStorage", blockedStorage);
    vi.stubGlobal("sessionStorage", blockedStorage);
    storeChat({ chatId: "c", seen: 1 });
    storePanelView("open");
    expect(storedChat()).toBeNull();
    expect(storedPanelView()).toBe("closed");
    expect(storedText("c")).toEqual({ draft: "", unsent: [] });
  });
});
