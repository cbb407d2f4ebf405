import sanitizeHtml from "sanitize-html";

const RULES: sanitizeHtml.IOptions = {
  allowedTags: ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"],
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }, true) },
};

/** Headings as a description has them: the page's own stand above. A rule is a line's end. */
const HEADINGS = { h1: "h3", h2: "h3", h5: "h4", h6: "h4", hr: "br" };
/** What other shops build lines of: each ends one, and isn't kept. */
const LINES =
  "address|article|aside|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|header|label|legend|main|option|pre|section|select|summary|table|tr";
const CELLS = "td|th";
const WRITTEN: sanitizeHtml.IOptions = {
  ...RULES,
  allowedTags: [...(RULES.allowedTags || []), ...LINES.split("|"), ...CELLS.split("|")],
  transformTags: { ...RULES.transformTags, ...HEADINGS },
};
const LINE_ENDS = new RegExp(`(?:\\s*</?(?:${LINES})>\\s*)+`, "g");
const CELL_ENDS = new RegExp(`</?(?:${CELLS})>`, "g");
const BLOCK = "</?(?:p|ul|ol|li|h3|h4|blockquote)>|<br />";
/** A line's end where another element ends it anyway. */
const NEEDLESS = new RegExp(`(?<=^|${BLOCK})\\s*<hr />|<hr />\\s*(?=$|${BLOCK})`, "g");

/**
 * A description as it may be stored and shown: a narrow list of tags, no attributes but a link's address
 * (budgets: Safe). Applied when written and when shown.
 *
 * @param html whatever was typed or imported
 */
export function sanitizeRichText(html: string): string {
  return sanitizeHtml(html, RULES);
}

/** Elements that break lines themselves: where there are none, a text's own lines count. */
const BREAKS = new RegExp(`</?(?:p|br|ul|ol|li|blockquote|h[1-6]|hr|${LINES})\\b`, "i");

/**
 * A description that was typed or imported, as it may be stored. Text whose elements break no lines keeps its own.
 *
 * @param text rich or plain
 */
export function richText(text: string): string {
  const html = BREAKS.test(text) ? text : paragraphs(text);
  const clean = inLines(sanitizeHtml(html, WRITTEN)).trim();
  // What broke the lines is gone: their ends were only white space, as they were in the elements.
  return BREAKS.test(clean) ? clean : clean.replace(/\s*\n\s*/g, " ");
}

/** Clean HTML without the elements that only end lines, its words kept apart: `<hr />` is in none, so it marks them. */
function inLines(html: string): string {
  return html
    .replace(CELL_ENDS, " ")
    .replace(LINE_ENDS, "<hr />")
    .replace(NEEDLESS, "")
    .replaceAll("<hr />", "<br />");
}

function paragraphs(text: string): string {
  const lines = text.trim().replace(/\r\n?/g, "\n");
  if (!lines.includes("\n")) return lines;
  return lines
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replaceAll("\n", "<br>")}</p>`)
    .join("");
}

/**
 * A description without its tags, for search, meta descriptions and mails.
 *
 * @param html rich text
 * @returns plain text, white space folded; not HTML: escape it like any other text
 */
export function plainText(html: string): string {
  const spaced = html.replace(/<(?:\/(?:p|li|h\d|ul|ol|blockquote)|br)\b[^>]*>/gi, "$& ");
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return decodeEntities(text).replace(/\s+/g, " ").trim();
}

/** sanitize-html escapes what it leaves; these are the only entities it writes. */
function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
