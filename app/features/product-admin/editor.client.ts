import purify from "dompurify";
import Squire from "squire-rte";

/** Tags that the server keeps (rich-text.server.ts). */
const TAGS = ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"];

/**
 * Mounts an editor that writes its HTML to a text field. Links use https, the only scheme that the server keeps. The file
 * is client-only, so that the Worker's bundle does not contain the editor.
 *
 * @param page editable element
 * @param text submitted field
 */
export function mountEditor(page: HTMLElement, text: HTMLTextAreaElement): Squire {
  const editor = new Squire(page, {
    blockTag: "P",
    sanitizeToDOMFragment: (html: string) =>
      purify.sanitize(toParagraphs(html), {
        ALLOWED_TAGS: TAGS,
        ALLOWED_ATTR: ["href"],
        RETURN_DOM_FRAGMENT: true,
      }),
  });
  // Lines that were typed before the editor was there.
  editor.setHTML(text.value.includes("<") ? text.value : text.value.replaceAll("\n", "<br>"));
  // Setting the HTML is no edit: an untouched description keeps its stored form.
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

/** Replacements for headings that are not allowed. */
const HEADINGS: Record<string, string> = { H1: "h3", H2: "h3", H5: "h4", H6: "h4" };
/** Block elements that become paragraphs. */
const BLOCKS =
  "div, section, article, header, footer, main, aside, figure, figcaption, address, pre, dt, dd, tr";
const KEPT_BLOCKS = "p, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote";

/**
 * Converts pasted HTML to paragraphs, so that lines survive the removal of their tags. It is parsed in a separate document,
 * which loads and runs nothing.
 */
function toParagraphs(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const heading of body.querySelectorAll(Object.keys(HEADINGS).join(", ")))
    rename(heading, HEADINGS[heading.tagName] ?? "h3");
  for (const cell of body.querySelectorAll("td, th")) cell.append(" ");
  for (const block of [...body.querySelectorAll(BLOCKS)].reverse()) {
    if (block.querySelector(KEPT_BLOCKS) || block.closest("li")) unwrap(block);
    else rename(block, "p");
  }
  for (const part of body.querySelectorAll("table, caption, thead, tbody, tfoot, td, th")) unwrap(part);
  if (body.querySelector(KEPT_BLOCKS)) wrapText(body);
  return body.innerHTML;
}

/** Wraps text between paragraphs in a paragraph. */
function wrapText(body: HTMLElement): void {
  let paragraph: HTMLElement | null = null;
  for (const node of [...body.childNodes]) {
    if (node instanceof Element && node.matches(KEPT_BLOCKS)) paragraph = null;
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
