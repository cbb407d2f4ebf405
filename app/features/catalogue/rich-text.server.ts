import sanitizeHtml from "sanitize-html";

const RULES: sanitizeHtml.IOptions = {
  allowedTags: ["p", "br", "ul", "ol", "li", "strong", "b", "em", "i", "u", "h3", "h4", "blockquote", "a"],
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["https", "mailto"],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: "nofollow noopener" }, true) },
};

/**
 * A description as it may be stored and shown: a narrow list of tags, no attributes but a link's address
 * (budgets: Safe). Applied when written and when shown.
 *
 * @param html whatever was typed or imported
 */
export function sanitizeRichText(html: string): string {
  return sanitizeHtml(html, RULES);
}

/**
 * A description that was typed or imported, as it may be stored. Text without any tag keeps its lines: as paragraphs.
 *
 * @param text rich or plain
 */
export function richText(text: string): string {
  return sanitizeRichText(/<\/?[a-z]/i.test(text) ? text : paragraphs(text)).trim();
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
