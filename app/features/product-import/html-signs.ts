import { decodeHTMLStrict } from "entities/decode";
import { splitList } from "~/records/cells";
import type { Draft, DraftCodes } from "./draft";

/** Entities such as `&amp;`, `&#39;` or `&eacute;`. */
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
const TAG = /<\/?[a-z][^>]*>/i;
/** A tag that is escaped once or more. */
const ESCAPED_TAG = /&(?:amp;)*lt;\/?[a-z]/i;

/** Decodes entities once: a name that shows `&amp;` on purpose says `&amp;amp;` in a file. */
export function decodeEntities(text: string): string {
  return ENTITY.test(text) ? decodeHTMLStrict(text) : text;
}

/** Splits a cell that holds a list, not at the semicolons of entities. */
export function splitEntityList(text: string): string[] {
  return splitList(text.replace(new RegExp(ENTITY, "gi"), (entity) => `${entity.slice(0, -1)}\\;`));
}

/** Decodes a description whose tags are escaped, once. */
function unescapeHtml(text: string): string {
  return ESCAPED_TAG.test(text) && !TAG.test(text) ? decodeHTMLStrict(text) : text;
}

/** Writes a text so that decodeEntities restores it. */
export function escapeEntities(text: string): string {
  return ENTITY.test(text) ? text.replaceAll("&", "&amp;") : text;
}

/** Writes a description so that unescapeHtml restores it. */
export function escapeHtmlText(text: string): string {
  return ESCAPED_TAG.test(text) && !TAG.test(text) ? text.replaceAll("&", "&amp;") : text;
}

/** Writes a text of several lines, or with tabs, in one. */
const inOneLine = (text: string) => text.replace(/\s*[\t\n\v\f\r\x85\u2028\u2029]\s*/g, " ").trim();

const decodeLine = (text: string) => inOneLine(decodeEntities(text));

/** Removes the apostrophe by which spreadsheets mark a code as text: `'0012345`. */
const plainCode = (code: string) => code.replace(/^'+\s*/, "");

const plainCodes = <T extends DraftCodes>(codes: T): T => ({
  ...codes,
  sku: plainCode(codes.sku),
  barcode: plainCode(codes.barcode),
});

/** Decodes the texts of a product, and its codes, with a note where entities change its name. */
export function decodeDraft(draft: Draft): Draft {
  const name = decodeEntities(draft.name);
  const note = `HTML signs were decoded: “${draft.name.slice(0, 60)}”`;
  return {
    ...draft,
    name: inOneLine(name),
    description: unescapeHtml(draft.description),
    category: decodeLine(draft.category),
    sourceCategory: decodeLine(draft.sourceCategory),
    colors: draft.colors.map(decodeLine),
    ...(draft.variants && {
      variants: draft.variants.map((each) => ({
        ...plainCodes(each),
        options: each.options.map(([name, value]): [string, string] => [decodeLine(name), decodeLine(value)]),
      })),
      listed:
        draft.listed?.map(([name, values]): [string, string[]] => [
          decodeLine(name),
          values.map(decodeLine),
        ]) ?? [],
    }),
    ...(draft.codes && { codes: plainCodes(draft.codes) }),
    ...(draft.key && { key: { ...draft.key, value: plainCode(draft.key.value) } }),
    cells: Object.fromEntries(Object.entries(draft.cells).map(([field, cell]) => [field, decodeLine(cell)])),
    notes: name === draft.name ? draft.notes : [...draft.notes, note],
  };
}
