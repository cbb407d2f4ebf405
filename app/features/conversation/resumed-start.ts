import { createChat } from "./client/api";
import { storeChat } from "./client/panel-storage";
import { startOnce, storedText, storeText } from "./client/unsent";

/** Sends the start again that an earlier page was left with, unless its text was changed, and stores its chat. */
export async function resumeStart(): Promise<void> {
  const { start, draft } = storedText("");
  if (!start) return;
  const first = JSON.parse(start.content) as Parameters<typeof createChat>[0];
  if (!first.initialMessage?.startsWith(draft.trim())) return;
  const started = await startOnce(first, (key) => createChat({ ...first, key })).catch(() => null);
  if (!started) return;
  storeText("", { draft: "" });
  storeChat({ chatId: started.chatId, seen: 0 });
}
