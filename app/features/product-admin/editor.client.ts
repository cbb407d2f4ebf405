import purify from "dompurify";
import Squire from "squire-rte";

/** What the server keeps as well (rich-text.server.ts). */
const TAGS = ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"];

/**
 * Makes an element an editor that keeps a text field's value. A bare address becomes a link by https, the only ones that
 * are kept. In a file of its own: it runs in browsers alone, and the
 * Worker's bundle must be without it.
 *
 * @param page what is written in
 * @param text the field that is sent
 */
export function mountEditor(page: HTMLElement, text: HTMLTextAreaElement): Squire {
  const editor = new Squire(page, {
    blockTag: "P",
    sanitizeToDOMFragment: (html: string) =>
      purify.sanitize(inParagraphs(html), {
        ALLOWED_TAGS: TAGS,
        ALLOWED_ATTR: ["href"],
        RETURN_DOM_FRAGMENT: true,
      }),
  });
  editor.setHTML(text.value);
  // Being filled is no change: what nobody touched stays as it was stored.
  let last = editor.getHTML();
  editor.addEventListener("input", () => {
    for (const link of page.querySelectorAll('a[href^="http:"]'))
      link.setAttribute("href", `https:${link.getAttribute("href")?.slice("http:".length)}`);
    if (editor.getHTML() === last) return;
    last = editor.getHTML();
    text.value = page.textContent?.trim() ? editor.getHTML() : "";
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return editor;
}

/** What a list of paragraphs has in place of the headings that it hasn't. */
const HEADINGS: Record<string, string> = { H1: "h3", H2: "h3", H5: "h4", H6: "h4" };
/** What stands on lines of its own elsewhere. */
const BLOCKS =
  "div, section, article, header, footer, main, aside, figure, figcaption, address, pre, dt, dd, tr";
const WITHIN = "p, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote";

/**
 * What is pasted, its lines kept as paragraphs where their own tags will go. Read apart from the page: nothing in it is
 * loaded or run.
 */
function inParagraphs(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const heading of body.querySelectorAll(Object.keys(HEADINGS).join(", ")))
    rename(heading, HEADINGS[heading.tagName] ?? "h3");
  for (const cell of body.querySelectorAll("td, th")) cell.append(" ");
  for (const block of [...body.querySelectorAll(BLOCKS)].reverse()) {
    if (block.querySelector(WITHIN) || block.closest("li")) unwrap(block);
    else rename(block, "p");
  }
  for (const part of body.querySelectorAll("table, caption, thead, tbody, tfoot, td, th")) unwrap(part);
  if (body.querySelector(WITHIN)) wrapText(body);
  return body.innerHTML;
}

/** What stands between paragraphs becomes one. */
function wrapText(body: HTMLElement): void {
  let paragraph: HTMLElement | null = null;
  for (const node of [...body.childNodes]) {
    if (node instanceof Element && node.matches(WITHIN)) paragraph = null;
    else if (paragraph) paragraph.appendChild(node);
    else if (node.textContent?.trim()) {
      paragraph = body.ownerDocument.createElement("p");
      node.replaceWith(paragraph);
      paragraph.appendChild(node);
    }
  }
}

function unwrap(element: Element): void {
  element.replaceWith(...Array.from(element.childNodes));
}

function rename(element: Element, tag: string): void {
  const other = element.ownerDocument.createElement(tag);
  while (element.firstChild) other.appendChild(element.firstChild);
  element.replaceWith(other);
}
