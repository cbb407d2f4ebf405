/** What the console's action answers when it refused (http/form-action.server.ts). */
export interface Refused {
  lastResult: {
    initialValue?: Record<string, unknown> | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  failure: string | null;
}

/** The refusal of one of these acts; the page's other forms hold what they held. */
export function refusalOf(refused: Refused | undefined, ...intents: string[]): Refused | undefined {
  return intents.includes(String(refused?.lastResult?.initialValue?.intent)) ? refused : undefined;
}

/** What the reader had typed into a field; `fallback` where nothing of the kind was sent. */
export function typed(refused: Refused | undefined, name: string, fallback = ""): string {
  const value = refused?.lastResult?.initialValue?.[name];
  return typeof value === "string" ? value : fallback;
}

/** What is wrong with a field. */
export function wrong(refused: Refused | undefined, name: string): string | undefined {
  return refused?.lastResult?.error?.[name]?.[0];
}

/** What the console's forms were to do. */
const ACTS: Record<string, string> = {
  send: "send message",
  deleteChat: "delete chat",
  addResponse: "create predefined response",
  updateResponse: "update response",
  deleteResponse: "delete response",
  settings: "save settings",
};

/** What is said when a form never arrived (back office 8). */
export const unsentInWords = (intent: string, why: string) => `Failed to ${ACTS[intent] ?? "send"}. ${why}`;
