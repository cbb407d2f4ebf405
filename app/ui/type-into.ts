/** Fills a field as if it were typed, so that all who listen to it know. */
export function typeInto(id: string, text: string): void {
  const input = document.getElementById(id);
  if (!(input instanceof HTMLInputElement)) return;
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}
