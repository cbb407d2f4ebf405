/** What the browsers' `fetch` says when there is nobody at the other end: Chromium, Firefox, Safari. */
const LOST = /failed to fetch|networkerror|load failed/i;

/** Whether an error means that the connection broke, rather than that something is wrong with the shop. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && LOST.test(error.message);
}
