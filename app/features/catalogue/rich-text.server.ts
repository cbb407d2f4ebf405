import sanitizeHtml from "sanitize-html";

const RULES: sanitizeHtml.IOptions = {
  allowedTags: ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"],
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }, true) },
};

/** Replacements for headings, since h1 and h2 belong to the page, and for rules. */
const HEADINGS = { h1: "h3", h2: "h3", h5: "h4", h6: "h4", hr: "br" };
/** Block elements of other shops' descriptions; each becomes a line break. */
const BLOCKS =
  "address|article|aside|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|header|label|legend|main|option|pre|section|select|summary|table|tr";
const CELLS = "td|th";
const IMPORT_RULES: sanitizeHtml.IOptions = {
  ...RULES,
  allowedTags: [...(RULES.allowedTags || []), ...BLOCKS.split("|"), ...CELLS.split("|")],
  transformTags: { ...RULES.transformTags, ...HEADINGS },
};
const BLOCK_TAGS = new RegExp(`(?:\\s*</?(?:${BLOCKS})>\\s*)+`, "g");
const CELL_TAGS = new RegExp(`</?(?:${CELLS})>`, "g");
const KEPT_BLOCK = "</?(?:p|ul|ol|li|h3|h4|blockquote)>|<br />";
/** Line breaks beside an element that breaks the line itself. */
const REDUNDANT_BREAKS = new RegExp(`(?<=^|${KEPT_BLOCK})\\s*<hr />|<hr />\\s*(?=$|${KEPT_BLOCK})`, "g");

/**
 * Sanitises a description: a short list of tags, no attributes but `href`. Applied on writing and on reading.
 *
 * @param html any input
 */
export function sanitizeRichText(html: string): string {
  return sanitizeHtml(html, RULES);
}

/** Elements that break lines; in a text without them, its own line breaks count. */
const LINE_BREAKING = new RegExp(`</?(?:p|br|ul|ol|li|blockquote|h[1-6]|hr|${BLOCKS})\\b`, "i");

/**
 * Converts a typed or imported description to the stored form. Text without line-breaking elements keeps its own lines.
 *
 * @param text HTML or plain text
 */
export function richText(text: string): string {
  const html = LINE_BREAKING.test(text) ? text : paragraphs(text);
  const clean = blocksToBreaks(sanitizeHtml(html, IMPORT_RULES)).trim();
  // Without line-breaking elements left, the line ends are white space of the HTML source.
  return LINE_BREAKING.test(clean) ? clean : clean.replace(/\s*\n\s*/g, " ");
}

/** Replaces block elements by line breaks, using `<hr />`, which sanitised HTML never contains, as a marker. */
function blocksToBreaks(html: string): string {
  return html
    .replace(CELL_TAGS, " ")
    .replace(BLOCK_TAGS, "<hr />")
    .replace(REDUNDANT_BREAKS, "")
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
 * Converts a description to plain text, for search, meta descriptions and mails.
 *
 * @returns text with collapsed white space, not escaped
 */
export function plainText(html: string): string {
  const spaced = html.replace(/<(?:\/(?:p|li|h\d|ul|ol|blockquote)|br)\b[^>]*>/gi, "$& ");
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return decodeEntities(text).replace(/\s+/g, " ").trim();
}

/** Decodes the only entities that sanitize-html writes. */
function decodeEntities(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Shortens a description to at most 160 characters, cut between words. */
export function excerpt(text: string): string {
  return text.length > 160 ? `${text.slice(0, 157).replace(/\s+\S*$/, "")}…` : text;
}
