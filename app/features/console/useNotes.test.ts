import { describe, expect, it } from "vitest";
import type { ChatNote } from "~/features/chat/protocol";
import { mergeChanges, type NoteChange, withChange } from "./useNotes";

const at = (seconds: number) => ({ seconds, nanoseconds: 0 });
const written = (note: string, editedAt: number | null = null): ChatNote => ({
  ...{ id: "n", chatId: "a", note, staffId: "s", staffName: "Maren", timestamp: at(1) },
  editedAt: editedAt === null ? null : at(editedAt),
});
const reported = (note: ChatNote): NoteChange => ({ chatId: note.chatId, id: note.id, note, at: 0 });
const takenBack = (chatId: string): NoteChange => ({ chatId, id: "n", note: null, at: 0 });
const textsAfter = (loaded: ChatNote[], ...changes: NoteChange[]) =>
  mergeChanges(loaded, changes.reduce(withChange, [] as NoteChange[]), "a").map(({ note }) => note);

describe("notes of the open chat", () => {
  it("have the later of the loaded and the reported text", () => {
    expect(textsAfter([written("loaded", 3)], reported(written("reported", 2)))).toEqual(["loaded"]);
    expect(textsAfter([written("loaded", 3)], reported(written("reported", 4)))).toEqual(["reported"]);
    expect(textsAfter([], reported(written("first")), reported(written("second", 2)))).toEqual(["second"]);
  });

  it("lack what was taken back in their chat, also when its text is reported afterwards", () => {
    const loaded = [written("loaded")];
    expect(textsAfter(loaded, takenBack("a"), reported(written("late", 2)))).toEqual([]);
    expect(textsAfter(loaded, takenBack("b"))).toEqual(["loaded"]);
  });
});
