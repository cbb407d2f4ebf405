/**
 * Listens to events.
 *
 * @param capture listens before the listeners of the elements inside
 * @returns a function that stops listening
 */
export function listen(
  target: EventTarget,
  types: string[],
  listener: (event: never) => void,
  capture = false,
): () => void {
  const listening = new AbortController();
  for (const type of types)
    target.addEventListener(type, listener as EventListener, { capture, signal: listening.signal });
  return () => listening.abort();
}
