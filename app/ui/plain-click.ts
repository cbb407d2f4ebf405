/** Detects a click of the main button without a key held, which the browser would not open elsewhere. */
export const isPlainClick = ({
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: Pick<MouseEvent, "button" | "metaKey" | "ctrlKey" | "shiftKey" | "altKey">): boolean =>
  !(button || metaKey || ctrlKey || shiftKey || altKey);
