/** Lists the controls and totals of a page that lie beneath toasts, by their text or name. Runs in the browser. */
export function coveredByToasts(): string[] {
  const step = 6;
  const covered = new Set<string>();
  for (const toast of document.querySelectorAll(".toast-list .toast")) {
    const { left, right, top, bottom } = toast.getBoundingClientRect();
    for (let x = left; x < right; x += step)
      for (let y = top; y < bottom; y += step) {
        const part = document
          .elementsFromPoint(x, y)
          .find((one) => !one.closest(".toasts"))
          ?.closest(
            "a[href], button, input, select, textarea, summary, label, h1, .price-tag, .chat-asked, .form-error, .cart-total",
          );
        if (part) covered.add(part.ariaLabel ?? part.textContent ?? part.className);
      }
  }
  return [...covered];
}
