import purify from "dompurify";
import Squire from "squire-rte";

/** What the server keeps as well (rich-text.server.ts). */
const TAGS = ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"];

/**
 * Makes an element an editor that keeps a text field's value. In a file of its own: it runs in browsers alone, and the
 * Worker's bundle must be without it.
 *
 * @param page what is written in
 * @param text the field that is sent
 */
export function editorOn(page: HTMLElement, text: HTMLTextAreaElement): Squire {
  const editor = new Squire(page, {
    blockTag: "P",
    sanitizeToDOMFragment: (html: string) =>
      purify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ["href"], RETURN_DOM_FRAGMENT: true }),
  });
  editor.setHTML(text.value);
  // Being filled is no change: what nobody touched stays as it was stored.
  let last = editor.getHTML();
  editor.addEventListener("input", () => {
    if (editor.getHTML() === last) return;
    last = editor.getHTML();
    text.value = page.textContent?.trim() ? editor.getHTML() : "";
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return editor;
}
