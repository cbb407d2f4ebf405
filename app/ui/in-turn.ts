const last: Record<string, Promise<unknown>> = {};

/**
 * Sends requests of one kind one after another, in all tabs of a browser with locks (a secure context): the next start of a
 * chat continues the first one's, and the cart is a cookie of the answer before.
 */
export async function inTurn<T>(kind: "cart" | "chat", request: () => Promise<T>): Promise<T> {
  if (navigator.locks) return navigator.locks.request(kind, request);
  const response = Promise.resolve(last[kind]).then(request);
  last[kind] = response.catch(() => null);
  return response;
}
