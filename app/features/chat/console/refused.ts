/** What the console's action answers when it refused (http/form-action.server.ts). */
export interface Refused {
  lastResult: {
    initialValue?: Record<string, unknown> | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  failure: string | null;
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

/** What is said when a form never arrived. */
const UNSENT: Record<string, string> = {
  send: "Failed to send message",
  deleteChat: "Failed to delete chat",
  addResponse: "Failed to create predefined response",
  updateResponse: "Failed to update response",
  deleteResponse: "Failed to delete response",
  settings: "Failed to save settings",
};

/**
 * Sends a form of the console on; when the connection is gone, the page stays and says so.
 *
 * @param request the form
 * @param pass asks the server
 */
export async function sendOn(request: Request, pass: () => Promise<unknown>): Promise<unknown> {
  const form = await request.clone().formData();
  try {
    return await pass();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { intent = "", ...initialValue } = Object.fromEntries(form);
    const refused: Refused = { lastResult: { initialValue }, failure: UNSENT[String(intent)] ?? null };
    return refused;
  }
}
