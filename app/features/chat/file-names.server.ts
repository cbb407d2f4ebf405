const MAX_NAME = 100;
/** Characters kept of the end of a long name, with its extension. */
const NAME_END = 20;
const EXTENSIONS: Record<string, RegExp> = {
  "image/jpeg": /\.jpe?g$/i,
  "image/png": /\.png$/i,
  "image/gif": /\.gif$/i,
  "application/pdf": /\.pdf$/i,
};
const EXTENSION: Record<string, string> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/gif": ".gif",
  "application/pdf": ".pdf",
};

/** Cleans the name that a sender gave a file: no path, control or invisible characters, at most 100 characters. */
export function cleanFileName(name: string): string {
  const base = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const visible = base
    // Browsers encode these in the header of a form's file.
    .replace(/%(?:22|0a|0d)/gi, " ")
    .replace(/[\p{C}\p{Zl}\p{Zp}"<>|:*?]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+/, "")
    .trim();
  const letters = [...visible];
  if (letters.length === 0) return "file";
  if (letters.length <= MAX_NAME) return visible;
  return [...letters.slice(0, MAX_NAME - NAME_END - 1), "…", ...letters.slice(-NAME_END)].join("");
}

/**
 * Builds the Content-Disposition of a file. The extension follows the content, so that a saved file opens as what it is.
 *
 * @param name as cleanFileName returned it
 */
export function contentDisposition(kind: "inline" | "attachment", name: string, contentType: string): string {
  const isNamedSo = EXTENSIONS[contentType]?.test(name) ?? true;
  const fileName = isNamedSo ? name : name + (EXTENSION[contentType] ?? "");
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
