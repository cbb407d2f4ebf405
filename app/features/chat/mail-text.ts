import EmailReplyParser from "email-reply-parser";
import { decodeCharacters } from "./html-characters";

// Text of a mail as a conversation shows it. Loaded with the reader of mails alone.

/** Characters of an HTML part that are read, and of a text that the library reads: some of its patterns are cubic. */
export const MAX_HTML = 1_000_000;
const MAX_PARSED = 4000;
/** Longer lines are folded for the library, none of whose patterns needs them. */
const MAX_LINE = 160;
/** Stands before a line end that folding has added; no text of a message has it. */
const FOLD = "\uE000";

/** Elements that begin what a mail program quotes below the reply: Gmail, Outlook, Yahoo and Thunderbird. */
const QUOTE_BELOW =
  /^<(?:div|blockquote|hr)\b[^>]{0,500}?(?:gmail_(?:extra|attr|quote)|appendonsend|divRplyFwdMsg|yahoo_quoted|moz-cite-prefix|border-top:\s?solid #(?:E1E1E1|B5C4DF))/i;
const BLOCK = /^<\/?(?:p|div|br|tr|li|ul|ol|h[1-6]|table|blockquote|hr|pre|section|article)\b/i;
/** Elements whose content is no text, or is hidden, as the preview of a mail is. */
const HIDDEN = /^<(?:(?:style|script|head|title)\b|[a-z][^>]{0,500}?display:\s?none)/i;
/** Elements without an end tag. */
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
/** Elements whose content has no tags. */
const RAW_TEXT = new Set(["style", "script", "title"]);

/**
 * Converts HTML to text, in time that grows with its length alone.
 *
 * @param isReply leaves out quoted text
 */
export function htmlText(html: string, isReply: boolean): string {
  const source = html.slice(0, MAX_HTML);
  let text = "";
  let quotes = 0;
  const ends = hiddenEnds(source);
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf("<", at);
    const end = open < 0 ? source.length : open;
    if (quotes === 0) text += source.slice(at, end).replace(/\s+/g, " ");
    if (open < 0) break;
    const tag = tagAt(source, open);
    if (isReply && QUOTE_BELOW.test(tag)) break;
    if (BLOCK.test(tag)) text += "\n";
    if (isReply) quotes = Math.max(0, quotes + quoteStep(tag));
    at = ends.get(open) ?? afterTag(source, open, tag);
  }
  return decodeCharacters(text).replaceAll("\u00a0", " ");
}

function quoteStep(tag: string): number {
  if (/^<blockquote\b/i.test(tag)) return 1;
  return /^<\/blockquote\b/i.test(tag) ? -1 : 0;
}

/** Reads a tag; an unclosed one ends with the source. */
function tagAt(source: string, open: number): string {
  if (source.startsWith("<!--", open)) return "<!--";
  const close = source.indexOf(">", open);
  return source.slice(open, close < 0 ? source.length : close + 1);
}

/** Returns the position after a tag or a comment. */
function afterTag(source: string, open: number, tag: string): number {
  if (tag !== "<!--") return open + tag.length;
  const end = source.indexOf("-->", open);
  return end < 0 ? source.length : end + 3;
}

/** Finds the ends of elements whose content has no tags; a name without an end tag is searched once. */
function rawTextEnds(source: string): (name: string, from: number) => number {
  const missing = new Set<string>();
  return (name, from) => {
    if (!RAW_TEXT.has(name) || missing.has(name)) return from;
    const mark = new RegExp(`</${name}(?=[\\s/>])`, "gi");
    mark.lastIndex = from;
    const found = mark.exec(source);
    if (!found) missing.add(name);
    return found?.index ?? from;
  };
}

/** Open elements by name, from the first hidden one on: positions of hidden ones, -1 for others. */
type OpenElements = Map<string, number[]>;

/** Opens an element. @param position -1 for one that is not hidden */
function begin(opened: OpenElements, name: string, position: number): void {
  const outer = opened.get(name);
  if (outer) outer.push(position);
  else if (position >= 0) opened.set(name, [position]);
}

/** Closes the last element of a name. @returns its position; -1 for one that is not hidden, or without any */
function close(opened: OpenElements, name: string): number {
  const outer = opened.get(name);
  if (outer?.length === 1) opened.delete(name);
  return outer?.pop() ?? -1;
}

/**
 * Finds the ends of hidden elements, in one pass for all of them. One without an end tag hides nothing but its tag.
 *
 * @returns positions of their end tags, by those of their tags
 */
function hiddenEnds(source: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const opened: OpenElements = new Map();
  const rawEnd = rawTextEnds(source);
  for (let open = source.indexOf("<"); open >= 0; ) {
    const tag = tagAt(source, open);
    const [, slash, written = ""] = /^<(\/?)([a-z][^\s/>]*)/i.exec(tag) ?? [];
    const name = written.toLowerCase();
    if (slash) {
      const start = close(opened, name);
      if (start >= 0) ends.set(start, open);
    } else begin(opened, name, HIDDEN.test(tag) && !VOID.has(name) ? open : -1);
    const next = afterTag(source, open, tag);
    open = source.indexOf("<", slash ? next : rawEnd(name, next));
  }
  return ends;
}

/** First lines of the shop's mails, from which on a reply without quote marks repeats the mail. */
const OWN_MAIL =
  /^(?:here is (?:our answer|the answer of .{1,100}):|here is your .{1,40} of .{1,40}, [A-Z]{1,4}-\d{4}-\d{6}: .{1,40}\.|you asked us to tell you: .{1,400} can be bought again\. .{1,60}\.|.{1,100} wrote, and nobody has answered yet:)$/;

/**
 * Cuts the quoted text and the signatures off a reply that the library recognises.
 *
 * @returns "" where nothing else is left
 */
export function replyText(text: string): string {
  const folded = foldLines(markedQuotes(beforeOwnMail(tidyLines(text)))).slice(0, MAX_PARSED);
  const visible = new EmailReplyParser().parseReply(folded);
  const cut = visible.replaceAll(`${FOLD}\n`, "").replaceAll(FOLD, "");
  return collapse(cut.replace(/^>.*$/gm, ""));
}

/** Text of a reply without the lines that are marked as quoted, where nothing else is left of it. */
export const unquotedText = (text: string): string =>
  collapse(
    beforeOwnMail(tidyLines(text))
      .filter((line) => !line.startsWith(">"))
      .join("\n"),
  );

const collapse = (text: string) => text.replace(/\n{3,}/g, "\n\n").trim();

/** Splits a text into lines without spaces at their ends. The dashes of a signature keep theirs, by which they are known. */
const tidyLines = (text: string): string[] =>
  text
    .replaceAll(FOLD, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => (line === "-- " ? line : trimmedEnd(line).replace(/^\s+>/, ">")));

/** Cuts spaces, also of no width, off the end of a line, in time that grows with its length alone. */
function trimmedEnd(line: string): string {
  let end = line.length;
  while (end > 0 && /[\s\u200b]/.test(line.charAt(end - 1))) end--;
  return line.slice(0, end);
}

/** Keeps the lines before a repeated mail of the shop, whose greeting stands above the first known line. */
function beforeOwnMail(lines: string[]): string[] {
  const start = lines.findIndex((line) => OWN_MAIL.test(line));
  if (start < 0) return lines;
  const isGreeted = /^Hello\b.{0,100},$/.test(lines.slice(0, start).filter(Boolean).at(-1) ?? "");
  const kept = isGreeted ? lines.slice(0, start).findLastIndex(Boolean) : start;
  return lines.slice(0, kept);
}

/** Makes one line of several quoted or empty ones, in which the library finds nothing but their beginning. */
function markedQuotes(lines: string[]): string[] {
  const kindOf = (line: string | undefined) => (line?.startsWith(">") ? ">" : line === "" ? "" : null);
  return lines
    .map((line) => kindOf(line) ?? line)
    .filter((line, i, all) => kindOf(line) === null || line !== all[i - 1]);
}

const foldLines = (lines: string[]): string =>
  lines.map((line) => line.match(LINE_PART)?.join(`${FOLD}\n`) ?? "").join("\n");
const LINE_PART = new RegExp(`.{1,${MAX_LINE}}`, "gu");
