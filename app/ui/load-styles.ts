/**
 * Adds a style sheet to the page, once, for a component that is loaded when it is first wanted. On the server it does
 * nothing: what is rendered there links its sheet itself.
 *
 * @throws Error when it does not load
 */
export function loadStyles(href: string): Promise<void> {
  if (typeof document === "undefined" || document.querySelector(`link[href="${href}"]`))
    return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${href} did not load.`));
    document.head.appendChild(link);
  });
}
